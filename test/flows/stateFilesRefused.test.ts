/** A state file that cannot be loaded is named with the line that is wrong, and the chain stays as it was. */
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { createDevnet } from '../../src/index.ts'
import { dumped, fileOf, linesOf, loaded, loadRefusal } from '../support/chains/stateFiles.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { withRandom } from '../support/random/random.ts'

/** A file with a line of each kind. */
let file: Buffer
let lines: string[]

beforeAll(async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 2, history: { blocks: 2 } })
  const [from, to] = devnet.accounts.map(({ address }) => address)
  const send = () => ask(devnet, 'eth_sendTransaction', { from, to, value: '0x1' })
  await ask(devnet, 'anvil_setBalance', STRANGER, '0x5')
  for (let i = 0; i < 3; i++) {
    await send()
    await devnet.mine()
  }
  await ask(devnet, 'anvil_setCode', STRANGER, '0x600160005500')
  await ask(devnet, 'anvil_setStorageAt', STRANGER, '0x1', `0x${'00'.repeat(31)}05`)
  await send()
  await devnet.tick()
  await send()
  file = dumped(devnet)
  lines = linesOf(file)
})

function standing(): Promise<Devnet> {
  return started({ rhythm: 'manual' })
}

/** The number of the first line that begins so. */
function lineOf(beginning: string): number {
  const index = lines.findIndex((line) => line.startsWith(beginning))
  if (index === -1) throw new Error(`there is no line ${beginning}`)
  return index + 1
}

/** The file with other lines in place of some from `line` on, and vouched for. */
function withLines(line: number, count: number, ...others: string[]): Buffer {
  return fileOf(lines.toSpliced(line - 1, count, ...others))
}

it('is one that could be loaded otherwise', async () => {
  const copy = await loaded(fileOf(lines))
  expect(await ask(copy, 'eth_blockNumber')).toBe('0x3')
  expect(lines.map((line) => /^\{"(\w+)"/.exec(line)![1])).toEqual(
    expect.arrayContaining([
      'preseal',
      'code',
      'account',
      'block',
      'receipt',
      'changed',
      'pruned',
      'preconfirmed',
      'waiting',
      'clock',
      'cheats',
    ]),
  )
})

describe('a file that was cut off', () => {
  it(
    'is named with the line that it ends in, wherever that is',
    withRandom(async (random) => {
      const devnet = await standing()
      const cuts = [0, 1, file.length - 2, ...random.list(40, () => random.below(file.length - 1))]
      for (const cut of cuts) {
        const before = file.subarray(0, cut).toString()
        const { line } = await loadRefusal(devnet, file.subarray(0, cut))
        expect([cut, line]).toEqual([cut, before.split('\n').length])
      }
    }),
  )

  it('and packed is refused', async () => {
    const devnet = await standing()
    const packed = gzipSync(file)
    for (const cut of [2, 20, 1_000, packed.length - 1]) {
      const { message } = await loadRefusal(devnet, packed.subarray(0, cut))
      expect(message).toMatch(/^line \d+: expected valid gzip data, got /)
    }
  })

  it('of no more than its last line end is whole', async () => {
    const copy = await loaded(file.subarray(0, -1))
    expect(await ask(copy, 'eth_blockNumber')).toBe('0x3')
  })
})

describe('a file that was changed', () => {
  it('is found out by its last line', async () => {
    const devnet = await standing()
    const changed = file.toString().replace('"balance":"0x5"', '"balance":"0x6"')
    expect(await loadRefusal(devnet, Buffer.from(changed))).toMatchObject({
      line: lines.length + 1,
      received: expect.stringContaining('{\\"end\\":'),
    })
    for (const more of ['\n', 'x', '{"end":1}\n']) {
      const { line, message } = await loadRefusal(devnet, Buffer.concat([file, Buffer.from(more)]))
      expect([more, line]).toEqual([more, lines.length + 2])
      expect(message).toContain('nothing after the last line')
    }
  })

  it(
    'in any byte is refused',
    withRandom(async (random) => {
      const devnet = await standing()
      for (let i = 0; i < 60; i++) {
        const changed = Buffer.from(file)
        changed[random.below(file.length - 1)]! ^= 1 << random.below(8)
        await loadRefusal(devnet, changed)
      }
    }),
  )
})

describe('a foreign file', () => {
  it.each([
    ['nothing', '', 1],
    ['bytes', '\u0000\u0001\u0002', 1],
    ['text', 'hello', 1],
    ['an array', '[1]', 1],
    ['another object', '{"name":"preseal","version":"1"}', 1],
    ['a genesis.json', '{"config":{},"alloc":{}}', 1],
    ['broken JSON', '{\n"accounts": {\n"a": }', 3],
    ['JSON that breaks off', '{\n"accounts": {\n"a": [1, ', 3],
    ['two values', '{"a":1}\n{"b":2}', 2],
    ['a bad name', '{\n\n"a" 1}', 3],
    ['a bad string', '{"a":\n"\\x"}', 2],
  ])('is refused: %s', async (_, text, line) => {
    const refusal = await loadRefusal(await standing(), Buffer.from(text))
    expect(refusal).toMatchObject({ line, expected: expect.stringContaining('a state file of preseal') })
  })
})

describe('a file of another chain', () => {
  const refusalOf = async (options: Parameters<typeof started>[0]) => {
    const other = await started({ rhythm: 'manual', ...options })
    return loadRefusal(await standing(), dumped(other))
  }

  it('is refused with the options that it needs', async () => {
    expect((await refusalOf({ chainId: 5, hardfork: 'cancun' })).message).toBe(
      "line 1: config: expected the rules of this devnet (chain id 31337, osaka), got chain id 5, cancun; make a devnet with chainId: 5, hardfork: 'cancun'",
    )
    const base = await standing()
    const { config, ...genesis } = base.genesis() as { config: Record<string, unknown> }
    const later = { ...genesis, config: { ...config, osakaTime: 4_000_000_000 } }
    expect((await refusalOf({ genesis: later })).message).toBe(
      'line 1: config: expected the rules of this devnet (chain id 31337, osaka), got chain id 31337, hardforks as in config; make a devnet with genesis: { config, alloc: {} }, with the config of this line',
    )
  })

  it('can be told from one of another version', async () => {
    const head = lines[0]!
    const refusals: [string, string][] = [
      [head.replace('"version":1', '"version":2'), 'line 1: version: expected 1, the only one'],
      [head.replace('"state"', '"estate"'), 'line 1: preseal: expected "state", got "estate"'],
      [head.replace('"chainId":31337', '"chainId":"x"'), 'line 1: config.chainId: expected a number'],
      [head.replace(/"coinbase":"\w+"/, '"coinbase":"0x"'), 'line 1: coinbase: expected a 20-byte address'],
    ]
    const devnet = await standing()
    for (const [line, message] of refusals) {
      expect((await loadRefusal(devnet, withLines(1, 1, line))).message).toContain(message)
    }
  })
})

describe('a line that is wrong', () => {
  /** The first line that begins so, changed. */
  const refusalOf = async (beginning: string, from: string | RegExp, to: string) => {
    const line = lineOf(beginning)
    const changed = lines[line - 1]!.replace(from, to)
    expect(changed).not.toBe(lines[line - 1])
    const refusal = await loadRefusal(await standing(), withLines(line, 1, changed))
    expect(refusal.line).toBe(line)
    return refusal.message.replace(/^line \d+: /, '')
  }

  it.each([
    [
      '{"account"',
      /"0x\w{40}"/,
      '"0x12"',
      'account: expected a 20-byte address (0x and 40 hex digits), got "0x12"',
    ],
    ['{"account"', /"balance":"\w+"/, '"balance":"0x01"', 'balance: expected a quantity of at most 256 bits'],
    ['{"account"', '{"account"', '{"acount"', 'expected a record (its first member is one of code, account,'],
    ['{"account"', '}', '', 'expected a JSON object, got "{'],
    ['{"account"', /.*/, '', 'expected a JSON object, got an empty line'],
    ['{"account"', /.*/, '5', 'expected an object, got 5'],
    [
      '{"account":"0x0000000000000000000000000000000000005555","code"',
      /"code":"0x\w+"/,
      `"code":"0x${'11'.repeat(32)}"`,
      'expected the hash of code in a line above',
    ],
    [
      '{"account":"0x0000000000000000000000000000000000005555","code"',
      '["0x1","0x5"]',
      '["0x1"]',
      'storage[0]: expected a slot and its value, got an array',
    ],
    ['{"code"', '"0x', '"0x0', 'code: expected bytes (0x and an even number of hex digits)'],
    ['{"block":"0x2"', '"0x2"', '"0x3"', 'block: expected the number in the block\'s RLP, 2, got "0x3"'],
    ['{"block":"0x2"', /"hash":"0x../, '"hash":"0x11', "hash: expected the hash of the block's RLP, 0x"],
    ['{"block":"0x2"', '"rlp":"0xf9', '"rlp":"0xfa', 'rlp: expected a block (block: not canonical RLP'],
    [
      '{"block":"0x2"',
      /"senders":\[.*?\]/,
      '"senders":[]',
      'rlp: expected a block (transactions: 1 transactions have 0 senders)',
    ],
    [
      '{"block":"0x2"',
      /"senders":\["/,
      '"senders":[5,"',
      'senders[0]: expected an address, or an object {impersonated, hash}, got 5',
    ],
    ['{"receipt"', '"success"', '"maybe"', 'receipt: expected "success" or "failure", got "maybe"'],
    ['{"receipt"', /"gasUsed":"\w+"/, '"gasUsed":21000', 'gasUsed: expected a quantity of at most 64 bits'],
    ['{"receipt"', '}', ',"logs":[[1,2]]}', 'logs[0]: expected a log: its address, topics and data'],
    ['{"preconfirmed"', /"slices":\d+/, '"slices":-1', 'slices: expected a whole number from 0, got -1'],
    [
      '{"waiting"',
      /"waiting":"0x02f8/,
      '"waiting":"0x05f8',
      'waiting: expected a transaction (type 5 is not supported',
    ],
    ['{"clock"', /"nowMs":\d+/, '"nowMs":"1"', 'clock.nowMs: expected milliseconds (a JSON number), got "1"'],
    [
      '{"cheats"',
      '"next":{',
      '"next":{"timestamp":5',
      'cheats.next.timestamp: expected a quantity of at most 64 bits',
    ],
    ['{"changed"', '0x0', '0x1', 'expected another record here, got accounts changed after block 1'],
    ['{"pruned"', /"0x../, '"0x', 'pruned[0]: expected 32 bytes'],
  ])('is named with what would be right: %s, %s -> %s', async (beginning, from, to, message) => {
    expect(await refusalOf(beginning, from, to)).toContain(message)
  })

  /** Lines that are right, in places that are wrong: what is refused, and in which line. */
  it('is one that does not fit those before it', async () => {
    const block = lineOf('{"block":"0x2"')
    const second = lines[block - 1]!
    const receipt = lines[lineOf('{"receipt"') - 1]!
    const changed = lineOf('{"changed"')
    const pruned = lineOf('{"pruned"')
    const preconfirmed = lineOf('{"preconfirmed"')
    const third = lineOf('{"block":"0x3"')
    const refusals: [Buffer, number, string][] = [
      [withLines(block, 0, second), block + 1, '1 receipts of block 2, got 0'],
      [withLines(third, 0, second), third, 'block 3, got block 2'],
      [withLines(2, 1, second), 2, 'block 0, got block 2'],
      [withLines(block + 1, 0, receipt), block + 2, 'no receipt after 1 of 1, got one more'],
      [withLines(2, 0, receipt), 2, 'no receipt after 0 of 0, got one more'],
      [withLines(2, 0, lines[lineOf('{"account"') - 1]!), 2, 'another record here, got the account 0x'],
      [withLines(2, 0, lines[pruned - 1]!), 2, 'another record here, got hashes of pruned blocks'],
      [withLines(third, 0, lines[pruned - 1]!), third, 'another record here, got hashes of pruned blocks'],
      [
        withLines(third, 0, lines[changed - 1]!),
        third,
        'another record here, got accounts changed after block 0',
      ],
      [
        withLines(pruned, 1, lines[pruned - 1]!.replace(/0x\w+/, `0x${'11'.repeat(32)}`)),
        pruned + 1,
        `the block after 0x${'11'.repeat(32)}`,
      ],
      [withLines(2, preconfirmed - 2), 2, 'block 0, got the pre-confirmed block 4'],
      [
        withLines(preconfirmed, 1, lines[preconfirmed - 1]!, receipt, lines[preconfirmed - 1]!),
        preconfirmed + 2,
        'nothing more of the chain after the pre-confirmed block',
      ],
      [fileOf(lines.slice(0, 1)), 2, 'a block, got none'],
      [fileOf(lines.slice(0, -1)), lines.length, 'the cheats, got none'],
      [fileOf(lines.slice(0, -2)), lines.length - 1, 'the clock, got none'],
      [fileOf(lines.slice(0, block)), block + 1, '1 receipts of block 2, got 0'],
      [
        withLines(third, 1, lines[third - 1]!.replace(/}$/, ',"stateless":true}')),
        third + 2,
        'another record here, got the account',
      ],
    ]
    const devnet = await standing()
    for (const [index, [bytes, line, message]] of refusals.entries()) {
      const refusal = await loadRefusal(devnet, bytes)
      expect([index, refusal.line, refusal.message]).toEqual([index, line, expect.stringContaining(message)])
    }
  })

  it('may be the newest block, if nothing is said of its state', async () => {
    const third = lineOf('{"block":"0x3"')
    const stateless = lines[third - 1]!.replace(/}$/, ',"stateless":true}')
    const tail = lines.filter((line) => /^\{"(clock|cheats)"/.test(line))
    const cut = [...lines.slice(0, third - 1), stateless, lines[third]!, ...tail]
    const refusal = await loadRefusal(await standing(), fileOf(cut))
    expect(refusal.message).toBe(`line ${cut.length + 1}: expected accounts after the newest block, got none`)
  })
})
