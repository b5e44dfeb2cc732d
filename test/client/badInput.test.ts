/** What a devnet's own client says to what cannot be: which member, what came, and what would be right. */
import { type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { STRANGER, started } from '../support/clients/clients.ts'

const ABI = parseAbi([
  'struct Item { uint8 small; string text }',
  'function one(uint256 amount)',
  'function less(int8 value)',
  'function flag(bool isOn)',
  'function say(string text)',
  'function data(bytes data)',
  'function tag(bytes4 tag)',
  'function two(address to, uint256[2] pair)',
  'function items(Item[] items)',
  'function put(uint256 a)',
  'function put(uint128 a)',
  'function total() view returns (uint256)',
])

/** As nobody could write it in TypeScript. */
type Anything = Record<string, unknown>

async function said(call: (devnet: Record<string, (...args: unknown[]) => Promise<unknown>>) => unknown) {
  const devnet = await started({ rhythm: 'manual' })
  const error = await Promise.resolve(call(devnet as never)).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(TypeError)
  expect(await devnet.request({ method: 'txpool_status' })).toEqual({ pending: '0x0', queued: '0x0' })
  return (error as TypeError).message
}

const write = (fields: Anything) =>
  said((devnet) => devnet.write!({ abi: ABI, address: STRANGER, ...fields }))

describe('a name that nobody reads', () => {
  const shopping = { abi: ABI, address: STRANGER, functionName: 'one', args: [1n] }
  it.each<[string, (devnet: Parameters<Parameters<typeof said>[0]>[0]) => unknown, string]>([
    [
      'of a write',
      (devnet) => devnet.write!({ ...shopping, unti: 'accepted' }),
      'write: unti: there is no such field; did you mean until?',
    ],
    [
      'of a read',
      (devnet) => devnet.read!({ ...shopping, functionName: 'total', block: 'latest' }),
      'read: block: there is no such field; the block is at',
    ],
    [
      'of a write, of which only the beginning is right',
      (devnet) => devnet.write!({ ...shopping, functionName: undefined, function: 'one' }),
      'write: function: there is no such field; did you mean functionName?',
    ],
    [
      'of a write with a letter too few',
      (devnet) => devnet.write!({ ...shopping, functioName: 'one' }),
      'write: functioName: there is no such field; did you mean functionName?',
    ],
    [
      'of a read that looks like nothing there',
      (devnet) => devnet.read!({ ...shopping, xyz: 1 }),
      'read: xyz: there is no such field; known are abi, address, functionName, args, from, at',
    ],
    [
      'of a write that looks like nothing there',
      (devnet) => devnet.write!({ ...shopping, bytecodes: 1 }),
      'write: bytecodes: there is no such field; known are abi, address, functionName, args, from, value, gas, until',
    ],
    [
      'of a write as ethers has it',
      (devnet) => devnet.write!({ ...shopping, method: 'one' }),
      'write: method: there is no such field; the function is functionName',
    ],
    [
      'of a transaction',
      (devnet) => devnet.send!({ to: STRANGER, amount: 1n }),
      'send: amount: there is no such field; the amount in wei is value',
    ],
    [
      'of a deployment',
      (devnet) => devnet.deploy!({ abi: ABI, bytecode: '0x00' }, { arg: [] }),
      'deploy: arg: there is no such field; did you mean args?',
    ],
    [
      'of a deal',
      (devnet) => devnet.deal!(STRANGER, { wei: 1n, tokn: STRANGER }),
      'deal: tokn: there is no such field; did you mean token?',
    ],
    [
      'of a fork',
      async (devnet) => devnet.fork!({ rythm: 'manual' }),
      'fork: rythm: there is no such field; did you mean rhythm?',
    ],
    [
      'of a listener',
      (devnet) => devnet.listen!({ Port: 0 }),
      'listen: Port: there is no such field; did you mean port?',
    ],
    [
      'of a transport',
      async (devnet) => devnet.transport!({ retries: 0 }),
      'transport: retries: there is no such field; known are key, name, methods, retryCount, retryDelay',
    ],
    [
      'of a stretch of time',
      (devnet) => devnet.advance!({ second: 5 }),
      'advance: second: there is no such field; did you mean seconds?',
    ],
    [
      'of an event that ethers has',
      async (devnet) => devnet.on!('block', () => {}),
      'on: there is no event block; for blocks use sealed and preconfirmed',
    ],
    [
      'of an event that is misspelt',
      async (devnet) => devnet.on!('droped', () => {}),
      'on: there is no event droped; did you mean dropped?',
    ],
  ])('%s', async (_, call, message) => {
    expect(await said(call)).toBe(message)
  })

  it('may stand in a contract that is spread', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const token = { ...Token, ...(await devnet.deploy(Token, { args: ['T', 'T'] })) }
    expect(await devnet.read({ ...token, functionName: 'name' })).toBe('T')
    await devnet.write({ ...token, functionName: 'mint', args: [STRANGER, 1n] })
  })
})

describe('what is no contract, or no object', () => {
  it.each<[string, (devnet: Parameters<Parameters<typeof said>[0]>[0]) => unknown, string]>([
    [
      'deploy',
      (devnet) => devnet.deploy!(undefined),
      'deploy: expected what a compiler wrote of a contract, { abi, bytecode }, got nothing',
    ],
    [
      'deploy with its arguments as an array',
      (devnet) => devnet.deploy!(Token, ['Gold', 5n]),
      'deploy: expected an object such as { args: [5n] }, got ["Gold", 5n]; the arguments of the constructor are its args: { args: ["Gold", 5n] }',
    ],
    [
      'deploy by a name that is not there, with its arguments as an array',
      (devnet) => devnet.deploy!('Vault', [5n]),
      'deploy: expected an object such as { args: [5n] }, got [5n]; the arguments of the constructor are its args: { args: [5n] }',
    ],
    [
      'deploy with its argument alone',
      (devnet) => devnet.deploy!(Token, 5n),
      'deploy: expected an object such as { args: [5n] }, got 5n',
    ],
    [
      'read',
      (devnet) => devnet.read!([STRANGER]),
      `read: expected an object such as { abi, address, functionName: 'balanceOf', args: [owner] }, got ["${STRANGER}"]`,
    ],
    ['send', (devnet) => devnet.send!(), 'send: expected an object such as { to, value: 5n }, got nothing'],
    [
      'advance',
      (devnet) => devnet.advance!(5),
      'advance: expected an object {weeks, days, hours, minutes, seconds, ms}, got number',
    ],
  ])('%s', async (_, call, message) => {
    expect(await said(call)).toBe(message)
  })
})

describe('a function', () => {
  it.each([
    ['ones', 'write: functionName: expected a function of the ABI, got "ones"; did you mean one?'],
    ['Total', 'write: functionName: expected a function of the ABI, got "Total"; did you mean total?'],
    [
      'somethingElse',
      'write: functionName: expected a function of the ABI, got "somethingElse"; it has one, less, flag, say, data, tag, two, items, put, total',
    ],
    [
      undefined,
      'write: functionName: expected a function of the ABI, got nothing; it has one, less, flag, say, data, tag, two, items, put, total',
    ],
  ])('that is not in the ABI: %s', async (functionName, message) => {
    expect(await write({ functionName })).toBe(message)
  })

  it('that several are, where the arguments leave it open', async () => {
    expect(await write({ functionName: 'put', args: [1n] })).toBe(
      'write: functionName: put is 2 functions, and the arguments fit 2 of them; give one of put(uint256), put(uint128)',
    )
    expect(await write({ functionName: 'put', args: ['x'] })).toContain('fit 0 of them')
  })
})

describe('an argument', () => {
  it.each([
    ['one', [], 'write: one takes 1 argument (uint256 amount), got 0'],
    ['two', [STRANGER], 'write: two takes 2 arguments (address to, uint256[2] pair), got 1'],
    ['total', [1n], 'write: total takes 0 arguments (), got 1'],
    ['one', 5n, 'write: one: args: expected an array, got 5n'],
    [
      'one',
      ['5'],
      'write: one: args[0] (amount): expected a whole number (a bigint, such as 5n) from 0 to 2^256 - 1, got "5"',
    ],
    [
      'one',
      [-1n],
      'write: one: args[0] (amount): expected a whole number (a bigint, such as 5n) from 0 to 2^256 - 1, got -1n',
    ],
    [
      'less',
      [128],
      'write: less: args[0] (value): expected a whole number (such as 5) from -2^7 to 2^7 - 1, got 128',
    ],
    ['flag', ['false'], 'write: flag: args[0] (isOn): expected true or false, got "false"'],
    ['say', [undefined], 'write: say: args[0] (text): expected a string, got nothing'],
    [
      'data',
      ['0xabc'],
      'write: data: args[0] (data): expected bytes (0x and an even number of hex digits), got "0xabc"',
    ],
    [
      'tag',
      ['0x12'],
      'write: tag: args[0] (tag): expected 4 bytes (0x and 8 hex digits; viem’s padHex fills up), got "0x12"',
    ],
    [
      'two',
      ['vitalik.eth', [1n, 2n]],
      'write: two: args[0] (to): expected an address (0x and 40 hex digits), got "vitalik.eth"',
    ],
    ['two', [STRANGER, [1n]], 'write: two: args[1] (pair): expected 2 of uint256, got 1'],
    ['two', [STRANGER, 1n], 'write: two: args[1] (pair): expected an array of uint256, got 1n'],
    [
      'items',
      [
        [
          { small: 1, text: 'a' },
          { small: 256, text: 'b' },
        ],
      ],
      'write: items: args[0] (items)[1].small: expected a whole number (such as 5) from 0 to 2^8 - 1, got 256',
    ],
    ['items', [[5]], 'write: items: args[0] (items)[0]: expected an object {small, text}, got 5'],
  ])('of %s, which is refused (%#)', async (functionName, args, message) => {
    expect(await write({ functionName, args })).toBe(message)
  })

  it('of a constructor', async () => {
    const deploy = (options?: unknown) => said((devnet) => devnet.deploy!(Token, options))
    expect(await deploy()).toBe(
      'deploy: the constructor takes 2 arguments (string name_, string symbol_), got 0',
    )
    expect(await deploy({ args: ['Gold', 5] })).toBe(
      'deploy: the constructor: args[1] (symbol_): expected a string, got 5',
    )
  })
})

describe('anything else', () => {
  it.each<[string, Anything, string]>([
    [
      'an address',
      { address: '0x12' },
      'write: address: expected an address (0x and 40 hex digits), got "0x12"',
    ],
    [
      'an ABI',
      { abi: 'Token' },
      'write: abi: expected an ABI (an array, as compilers write it), got "Token"',
    ],
  ])('%s', async (_, fields, message) => {
    expect(await write({ functionName: 'total', ...fields })).toBe(message)
  })

  it.each<[string, Anything, string]>([
    ['a recipient', { to: undefined }, 'send: to: expected an address (0x and 40 hex digits), got nothing'],
    ['a sender', { from: 5 }, 'send: from: expected an address (0x and 40 hex digits), got 5'],
    [
      'an account in place of its address',
      { from: { address: STRANGER } },
      'send: from: expected an address, got an object; give its .address',
    ],
    [
      'a field of viem',
      { account: STRANGER },
      'send: account: there is no such field; the sender is from: an address',
    ],
    [
      'a field that is filled in',
      { nonce: 5 },
      'send: nonce: there is no such field; it is filled in; to set it, use devnet.request with eth_sendTransaction',
    ],
    [
      'wei',
      { value: '1' },
      'send: value: expected a whole number (a bigint, such as 5n) from 0 to 2^256 - 1, got "1"',
    ],
    [
      'gas',
      { gas: -1n },
      'send: gas: expected a whole number (a bigint, such as 5n) from 0 to 2^256 - 1, got -1n',
    ],
    [
      'calldata',
      { data: 'hello' },
      'send: data: expected bytes (0x and an even number of hex digits), got "hello"',
    ],
    [
      'an end',
      { until: 'mined' },
      'send: until: expected one of accepted, preconfirmed, sealed, got "mined"',
    ],
  ])('%s', async (_, fields, message) => {
    expect(await said((devnet) => devnet.send!({ to: STRANGER, ...fields }))).toBe(message)
  })

  it.each<[string, unknown, string]>([
    [
      'a number',
      5,
      'read: at: expected a block: a number in hex without leading zeros, a 32-byte hash, or one of latest, pending, safe, finalized, earliest, got 5',
    ],
    [
      'a word',
      'newest',
      'read: at: expected a block: a number in hex without leading zeros, a 32-byte hash, or one of latest, pending, safe, finalized, earliest, got "newest"',
    ],
  ])('a block as %s', async (_, at, message) => {
    const read = { abi: ABI, address: STRANGER, functionName: 'total', at }
    expect(await said((devnet) => devnet.read!(read))).toBe(message)
  })

  it('a block under the name that others have for it', async () => {
    const read = { abi: ABI, address: STRANGER, functionName: 'total', blockTag: 'latest' }
    expect(await said((devnet) => devnet.read!(read))).toBe(
      'read: blockTag: there is no such field; the block is at',
    )
  })

  it.each<[string, unknown, string]>([
    [
      'nothing',
      undefined,
      'deploy: bytecode: expected the code that creates the contract, in hex, got nothing',
    ],
    [
      'that of an interface',
      '0x',
      'deploy: bytecode: expected the code that creates the contract, in hex, got "0x"',
    ],
    [
      'with a library that is missing',
      `0x73__$${'ab'.repeat(17)}$__5f`,
      `deploy: bytecode: a library is not linked yet: __$${'ab'.repeat(17)}$__`,
    ],
  ])('code: %s', async (_, bytecode, message) => {
    expect(await said((devnet) => devnet.deploy!({ abi: [], bytecode }))).toBe(message)
  })

  it('what is dealt, and to whom', async () => {
    const wei = 'expected a whole number (a bigint, such as 5n) from 0 to 2^256 - 1'
    expect(await said((devnet) => devnet.deal!(STRANGER, {}))).toBe(`deal: wei: ${wei}, got nothing`)
    expect(await said((devnet) => devnet.deal!(STRANGER, { wei: 1.5 }))).toBe(`deal: wei: ${wei}, got 1.5`)
  })
})

describe('where no contract is', () => {
  it('nothing is asked, dealt, or written by mistake', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const token = { abi: Token.abi, address: STRANGER } as const
    await expect(devnet.read({ ...token, functionName: 'name', at: 'latest' })).rejects.toThrow(
      `read: there is no contract at ${STRANGER} at latest`,
    )
    await expect(devnet.write({ ...token, functionName: 'mint', args: [STRANGER, 1n] })).rejects.toThrow(
      `write: there is no contract at ${STRANGER} at pending`,
    )
    await expect(devnet.deal(STRANGER, { token: STRANGER, amount: 1n })).rejects.toThrow(
      `deal: there is no contract at ${STRANGER} at pending`,
    )
  })

  it('a contract that is on its way can be written to, with gas', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'], until: 'accepted' })
    const mint = {
      abi: Token.abi,
      address,
      functionName: 'mint',
      args: [STRANGER, 1n],
      gas: 100_000n,
    } as const
    expect((await devnet.write(mint)).receipt).toMatchObject({ status: 'success', blockNumber: 1n })
  })

  it('another answer than the ABI says is shown', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const stop: Hex = '0x00'
    await devnet.request({ method: 'anvil_setCode', params: [STRANGER, stop] })
    const name = { abi: Token.abi, address: STRANGER, functionName: 'name' } as const
    await expect(devnet.read(name)).rejects.toThrow(
      `read: name of ${STRANGER} answered 0x, which is not (string)`,
    )
  })
})
