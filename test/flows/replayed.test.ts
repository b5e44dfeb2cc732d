/** A recording is all that a bug report needs: what was done in process is in it, too, and a difference is found where it is. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { observeDevnets } from '../../src/devnet/events.ts'
import { type createDevnet, type Devnet, InvalidRecording, replay } from '../../src/index.ts'
import { version } from '../../src/model/api/text.ts'
import { record } from '../../src/recording/record.ts'
import { replayElsewhere } from '../../src/recording/replay/replay.ts'
import { pay, received } from '../support/chains/watched.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { bankRun, openBank } from '../support/compilers/bank.ts'

/** What `happen` does to a devnet, as a recording. */
async function recorded(
  happen: (devnet: Devnet) => unknown,
  options: Parameters<typeof createDevnet>[0] = {},
): Promise<string> {
  const devnet = await started({ rhythm: 'manual', ...options })
  const recording = await devnet.record()
  await happen(devnet)
  recording.end()
  return recording.text
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length
}

describe('what is done in process is played again', () => {
  it('ticks, blocks and time', async () => {
    const text = await recorded(async (devnet) => {
      await pay(devnet)
      await devnet.tick()
      await received(devnet, 'pending')
      await devnet.seal()
      await pay(devnet)
      await devnet.mine()
      await devnet.advance({ ms: 1_000 })
      await ask(devnet, 'eth_getBlockByNumber', 'latest', true)
    })
    expect(await replay(text)).toMatchObject({ requests: 4, ticks: 6, difference: undefined, ending: 'end' })
  })

  it('snapshots that were taken before, in it, and of a fork', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await pay(devnet)
    await devnet.mine()
    const before = devnet.snapshot()
    await devnet.mine()
    const recording = await devnet.record()
    const within = devnet.snapshot()
    const fork = devnet.fork()
    await pay(fork)
    await pay(fork)
    await fork.mine()
    const look = () => ask(devnet, 'eth_getBlockByNumber', 'latest', true)
    for (const snapshot of [before, fork.snapshot(), within, before]) {
      await devnet.restore(snapshot)
      await look()
      await received(devnet, 'latest')
    }
    await fork.close()
    recording.end()
    expect((await replay(recording.text)).difference).toBeUndefined()
    expect(recording.text.match(/"call":"bringMark"/g)).toHaveLength(2)
  })

  it('state files and blocks that are brought in', async () => {
    const other = await started({ rhythm: 'manual' })
    await pay(other)
    await other.mine()
    const blocks = Buffer.concat([...other.export()])
    await pay(other)
    await other.tick()
    const text = await recorded(async (devnet) => {
      await devnet.import(blocks, { rules: 'devnet' })
      expect(await received(devnet, 'latest')).toBe(1)
      await devnet.load(other.dump())
      expect(await received(devnet, 'pending')).toBe(2)
    })
    expect(await replay(text)).toMatchObject({ requests: 2, difference: undefined })
  })

  it('faults', async () => {
    const text = await recorded(async (devnet) => {
      const id = await devnet.faults.rpcError({ code: -32000, message: 'no' }, { probability: 0.5, seed: 7 })
      for (let i = 0; i < 10; i++) await ask(devnet, 'eth_blockNumber').catch(() => {})
      await devnet.faults.remove(id)
      await devnet.faults.dropTransaction({ lands: 'next' })
      const hash = await pay(devnet)
      await devnet.mine()
      await ask(devnet, 'preseal_explain', hash)
      await devnet.faults.clear()
      await devnet.mine()
      await devnet.faults.reorg({ depth: 1, transactions: 'drop' })
      await ask(devnet, 'eth_getTransactionByHash', hash)
      await devnet.faults.timeout()
      void ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: STRANGER }).catch(
        () => {},
      )
      await ask(devnet, 'txpool_status')
    })
    expect(text).toContain('"never":true')
    expect(await replay(text)).toMatchObject({ requests: 15, difference: undefined })
  })

  it("the devnet's own client", async () => {
    const text = await recorded(async (devnet) => {
      const { address } = await devnet.deploy(Store)
      const write = { ...Store, address, functionName: 'set', until: 'preconfirmed' } as const
      await devnet.write({ ...write, args: [0n, 7n] })
      expect(await devnet.read({ ...Store, address, functionName: 'get', args: [0n] })).toBe(7n)
    })
    expect((await replay(text)).difference).toBeUndefined()
  })
})

it('begins where the devnet is: with what waits and what is pre-confirmed', async () => {
  const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
  await pay(devnet)
  await devnet.tick()
  await pay(devnet)
  const recording = await devnet.record()
  expect(await received(devnet, 'pending')).toBe(1)
  await devnet.tick()
  expect(await received(devnet, 'pending')).toBe(2)
  await devnet.close()
  expect(await replay(recording.text)).toMatchObject({ requests: 2, difference: undefined, ending: 'end' })
})

it('one at a time is made of a devnet, another after it', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const first = await devnet.record()
  await expect(devnet.record()).rejects.toThrow('this devnet is already being recorded')
  first.end()
  const second = await devnet.record()
  await pay(devnet)
  second.end()
  expect(first.text).not.toContain('eth_sendTransaction')
  expect(await replay(second.text)).toMatchObject({ requests: 1, difference: undefined })
})

it('begins with the state at the time of the call, whenever its text is read', async () => {
  const devnet = await started({ rhythm: 'manual' })
  await pay(devnet)
  const state = Buffer.concat([...devnet.dump()]).toString()
  const recording = await devnet.record()
  await devnet.mine()
  await devnet.close()
  const [head] = recording.text.split('\n', 1)
  const begin = head!.length + 1
  expect(recording.text.slice(begin, begin + state.length)).toBe(state)
  expect((await replay(recording.text)).difference).toBeUndefined()
})

it('does not count what ABIs and artifacts say of a failure: a recording has neither', async () => {
  const devnet = await started({ rhythm: 'manual' })
  devnet.artifacts.add(bankRun())
  const { bank } = await openBank(devnet)
  const recording = await devnet.record()
  const pay = { ...bank, functionName: 'pay', args: [STRANGER, 5n], gas: 300_000n }
  const { hash } = await devnet.write({ ...pay, until: 'sealed' }).catch((error) => error)
  const explained = (await devnet.request({ method: 'preseal_explain', params: [hash] })) as object
  expect(explained).toMatchObject({ failure: expect.stringContaining('TooPoor('), stackTrace: {} })
  await devnet.close()
  expect((await replay(recording.text)).difference).toBeUndefined()
  const otherwise = recording.text.replace('"status":"sealed"', '"status":"waiting"')
  expect((await replay(otherwise)).difference).toMatchObject({ path: 'result.status' })
})

describe('a recording that gives way', () => {
  it('ends where another begins', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const successors: string[] = []
    const first = await record(devnet, { onGiveWay: (to) => successors.push(to) })
    await ask(devnet, 'eth_blockNumber')
    const second = await devnet.record()
    await ask(devnet, 'eth_chainId')
    await expect(record(devnet, { onGiveWay: () => {} })).rejects.toThrow('already being recorded')
    await devnet.close()
    expect(successors).toEqual(['recording'])
    expect(await replay(first.text)).toMatchObject({ requests: 1, difference: undefined, ending: 'end' })
    expect(await replay(second.text)).toMatchObject({ requests: 1, difference: undefined, ending: 'end' })
  })

  it('leaves a devnet to a replay', async () => {
    const text = await recorded((devnet) => ask(devnet, 'eth_blockNumber'))
    const successors: string[] = []
    const end = observeDevnets((devnet) => {
      void record(devnet as Devnet, { onGiveWay: (to) => successors.push(to) })
      return undefined
    })
    try {
      expect(await replay(text)).toMatchObject({ requests: 1, difference: undefined, ending: 'end' })
    } finally {
      end()
    }
    expect(successors).toEqual(['replay'])
  })
})

it('is handed over as it comes, where somebody takes it', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const pieces: string[] = []
  const recording = await devnet.record((piece) => pieces.push(piece))
  await pay(devnet)
  const before = pieces.length
  await received(devnet, 'pending')
  expect(pieces.length).toBeGreaterThan(before)
  recording.end()
  expect(recording.text).toBe('')
  expect(await replay(pieces.map(bytes))).toMatchObject({ requests: 2, difference: undefined })
})

it('what was answered late, or waited for time, is not waited for', async () => {
  const text = await recorded(async (devnet) => {
    await devnet.faults.latency({ ms: 300 }, { times: 1 })
    await received(devnet, 'latest')
    const raw = '0x02'
    await ask(devnet, 'eth_sendRawTransactionSync', raw, 1).catch(() => {})
  })
  // Nobody moves this time: what waited for it would not end.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect((await replay(text)).difference).toBeUndefined()
})

describe('a difference', () => {
  const session = async (devnet: Devnet) => {
    await pay(devnet)
    await devnet.tick()
    await ask(devnet, 'eth_getBlockByNumber', 'pending', true)
    await received(devnet, 'pending')
    await pay(devnet)
  }

  it('is found where one answer is another, and nowhere else', async () => {
    const text = await recorded(session, { ticksPerBlock: 5 })
    const line = lineOf(text, '"method":"eth_getBlockByNumber"')
    const lines = text.split('\n')
    lines[line - 1] = lines[line - 1]!.replace('"transactionIndex":"0x0"', '"transactionIndex":"0x1"')
    expect((await replay(lines.join('\n'))).difference).toEqual({
      line,
      request: 2,
      tick: 1,
      block: 1,
      slice: 1,
      time: Date.UTC(2025, 0, 1) + 200,
      method: 'eth_getBlockByNumber',
      params: ['pending', true],
      path: 'result.transactions[0].transactionIndex',
      recorded: '0x1',
      answered: '0x0',
    })
  })

  it('is found in an answer that took its time', async () => {
    const text = await recorded(session)
    const hash = /"answer":1,"tick":0,"result":"(0x[0-9a-f]+)"/.exec(text)![1]!
    const line = lineOf(text, '"request":1')
    const { difference } = await replay(text.replace(`"result":"${hash}"`, '"result":"0x12"'))
    expect(difference).toMatchObject({ line, request: 1, path: 'result', recorded: '0x12', answered: hash })
  })

  it('is found where a result was an error', async () => {
    const text = await recorded((devnet) => ask(devnet, 'eth_blockNumber'))
    const { difference } = await replay(text.replace('"result":"0x0"', '"error":{"code":1,"message":"m"}'))
    expect(difference).toMatchObject({
      path: 'answer',
      recorded: { error: { code: 1, message: 'm' } },
      answered: { result: '0x0' },
    })
  })

  it('is found where the chain is another', async () => {
    const text = await recorded(session, { ticksPerBlock: 5 })
    const { difference } = await replay(text, { options: { ticksPerBlock: 0 } })
    expect(difference).toMatchObject({ line: lineOf(text, '"method":"eth_getBlockByNumber"'), request: 2 })
    const logs = await recorded(async (devnet) => {
      for (let i = 0; i < 3; i++) await devnet.mine()
      await ask(devnet, 'eth_getLogs', { fromBlock: '0x1', toBlock: '0x3' })
    })
    expect((await replay(logs, { options: { logRangeLimit: 2 } })).difference).toMatchObject({
      path: 'answer',
      recorded: { result: [] },
      answered: { error: expect.anything() },
    })
  })

  it('ends the replay', async () => {
    const text = await recorded(session)
    const { difference, requests, ending } = await replay(text.replace('"result":"0x1"', '"result":"0x2"'))
    expect(difference).toMatchObject({ method: 'eth_getBalance', recorded: '0x2', answered: '0x1' })
    expect({ requests, ending }).toEqual({ requests: 3, ending: 'stopped' })
  })

  it('is none in ids that the chain gives', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (let i = 0; i < 3; i++) {
      await ask(devnet, 'eth_newBlockFilter')
      await ask(devnet, 'evm_snapshot')
    }
    const recording = await devnet.record()
    const filter = await ask(devnet, 'eth_newBlockFilter')
    const snapshot = await ask(devnet, 'evm_snapshot')
    await devnet.mine()
    await ask(devnet, 'eth_getFilterChanges', filter)
    expect(await ask(devnet, 'evm_revert', Number(snapshot))).toBe(true)
    await ask(devnet, 'eth_subscribe', 'newHeads')
    recording.end()
    const replayed = await replay(recording.text)
    expect(replayed).toMatchObject({ requests: 5, subscriptions: 1, difference: undefined })
  })

  it('is none in the version of preseal', async () => {
    const text = await recorded((devnet) => ask(devnet, 'web3_clientVersion'))
    const other = text.replace(`"by":"${version}"`, '"by":"0.0.1"').replace(`v${version}`, 'v0.0.1')
    expect(await replay(other)).toMatchObject({ difference: undefined, recordedBy: '0.0.1' })
    expect((await replay(text.replace(`v${version}`, 'v0.0.1'))).difference).toBeDefined()
  })
})

it('plays up to a line, and lets somebody look around there', async () => {
  const text = await recorded(async (devnet) => {
    await pay(devnet)
    await devnet.tick()
    await received(devnet, 'pending')
    await devnet.mine()
  })
  const seen: number[] = []
  const { ending } = await replay(text, {
    until: lineOf(text, '"method":"eth_getBalance"'),
    async look(devnet) {
      seen.push(await received(devnet, 'pending'))
      await pay(devnet)
      await devnet.mine()
      seen.push(await received(devnet, 'latest'))
    },
  })
  expect(ending).toBe('stopped')
  expect(seen).toEqual([1, 2])
})

it('plays what is whole of a recording that was cut off', async () => {
  const text = await recorded(async (devnet) => {
    await pay(devnet)
    await devnet.mine()
    for (let i = 0; i < 3; i++) await received(devnet, 'latest')
  })
  const cut = text.slice(0, text.lastIndexOf('"method"'))
  expect(await replay(cut)).toMatchObject({ requests: 3, difference: undefined, ending: 'cut' })
})

it('leaves out what could not be written down', async () => {
  const text = await recorded(async (devnet) => {
    await ask(devnet, 'eth_getBalance', STRANGER, 5n).catch(() => {})
    await received(devnet, 'latest')
  })
  expect(await replay(text)).toMatchObject({ requests: 1, notAsked: 1, difference: undefined })
})

describe('against another node', () => {
  it('asks it, and finds what differs there', async () => {
    const text = await recorded(async (devnet) => {
      await ask(devnet, 'eth_chainId')
      await ask(devnet, 'eth_getBalance', STRANGER, 'latest')
      await ask(devnet, 'web3_clientVersion')
      await ask(devnet, 'evm_revert', await ask(devnet, 'evm_snapshot'))
      await ask(devnet, 'eth_noSuchMethod').catch(() => {})
    })
    const asking = async (devnet: Devnet) => {
      const { dispatch } = devnet.wires
      return replayElsewhere(bytes(text), async (method, params) => dispatch({ method, params }))
    }
    const same = await started({ rhythm: 'manual' })
    await ask(same, 'evm_snapshot')
    expect(await asking(same)).toMatchObject({ requests: 6, difference: undefined, ending: 'end' })
    const other = await started({ rhythm: 'manual', chainId: 5 })
    expect((await asking(other)).difference).toMatchObject({ recorded: '0x7a69', answered: '0x5' })
  })
})

describe('a file that is no recording is refused with its line', () => {
  const balance = () => recorded((devnet) => received(devnet, 'latest'))
  const refused = async (change: (lines: string[]) => unknown) => {
    const lines = (await balance()).split('\n')
    change(lines)
    return expect(replay(lines.join('\n'))).rejects
  }

  it('at its beginning', async () => {
    await expect(replay('')).rejects.toThrow(InvalidRecording)
    await expect(replay('{"preseal":"state"}\n')).rejects.toThrow(
      'line 1: expected a recording of preseal (--record, devnet.record), got "state"',
    )
    await (await refused((lines) => lines.splice(1))).toThrow(
      'line 1: expected a complete line, got a recording that is truncated in this line',
    )
    await (await refused((lines) => lines.splice(1, lines.length, ''))).toThrow(
      'line 2: expected the state at the start of the recording, got the end of the file',
    )
    await (
      await refused((lines) => {
        lines[0] = lines[0]!.replace('"version":1', '"version":2')
      })
    ).toThrow('line 1: version: expected 1, the only one')
    await (
      await refused((lines) => {
        lines[0] = lines[0]!.replace('"dialect":"base"', '"dialect":"erigon"')
      })
    ).toThrow('line 1: option dialect: expected one of base, geth, hardhat, got "erigon"')
  })

  it('in the state where it began', async () => {
    await (
      await refused((lines) => {
        lines[2] = '{"what":1}'
      })
    ).toThrow(/^line 3: /)
  })

  it('in what happened', async () => {
    const change = (from: string, to: string) =>
      refused((lines) => {
        const at = lines.findIndex((line) => line.startsWith('{"request":1'))
        lines[at] = lines[at]!.replace(from, to)
        lines.push('')
      })
    const line = lineOf(await balance(), '{"request":1')
    await (await change('{', '[')).toThrow(`line ${line}: expected an object of JSON, got "[\\"request`)
    await (await change('"request":1', '"reqest":1')).toThrow(
      `line ${line}: expected an object with request, answer, call, prepared, timer, network, abi or end, got an object`,
    )
    await (await change('"params":[', '"params":7,"p":[')).toThrow(
      `line ${line}: params: expected an array, got 7`,
    )
    await (await change('"request":1', '"call":"leap"')).toThrow(`line ${line}: call: expected one of tick, `)
    await (await change('"commands":0', '"commands":-1')).toThrow(
      `line ${line}: commands: expected a whole number of at least 0, got -1`,
    )
  })
})
