/** `traceTransfers` of eth_simulateV1: ether as if it were a token, among the logs of contracts, in the order of events. */
import { getContractAddress, type Hex, hexToBigInt, numberToHex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Devnet } from '../../src/index.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { assemble, creationOf, type Item, inMemory } from '../support/compilers/assembly.ts'
import { asCall, type SimulatedLog, simulate } from '../support/engines/simulation.ts'
import { withRandom } from '../support/random/random.ts'

const ETHER: Hex = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const RICH: Hex = `0x${'aa'.repeat(20)}`
const CODE: Hex = `0x${'c0'.repeat(20)}`
const OTHER: Hex = `0x${'0b'.repeat(20)}`
const FAILING: Hex = `0x${'fa'.repeat(20)}`

const LOG = assemble(0, 0, 'LOG0')
const sending = (value: number, to: Hex): Uint8Array => assemble(0, 0, 0, 0, value, to, 'GAS', 'CALL', 'POP')

/** The logs as lines: `a->b 5`, or `log` of a contract. */
function told(logs: readonly SimulatedLog[]): string[] {
  return logs.map(({ address, topics, data }) => {
    if (address !== ETHER) return `log ${nameOf(address)}`
    expect(topics[0]).toBe(TRANSFER)
    const [from, to] = topics.slice(1).map((topic) => nameOf(`0x${topic.slice(26)}`))
    return `${from}->${to} ${hexToBigInt(data)}`
  })
}

function nameOf(address: Hex): string {
  const names: Record<Hex, string> = {
    [RICH]: 'rich',
    [CODE]: 'code',
    [OTHER]: 'other',
    [FAILING]: 'failing',
  }
  return names[address] ?? 'created'
}

/** The logs of calls by who is rich to code that does `items`; it has 100 wei. */
async function logsOf(items: Item[], call: object = {}): Promise<readonly SimulatedLog[]> {
  const devnet = await started({ rhythm: 'manual' })
  const [block] = await simulate(devnet, [worldWith(items, [{ from: RICH, to: CODE, ...call }])], {
    traceTransfers: true,
  })
  return block!.calls[0]!.logs
}

function worldWith(items: Item[], calls: object[]): object {
  return {
    stateOverrides: {
      [RICH]: { balance: '0x3e8' },
      [CODE]: { balance: '0x64', code: toHex(assemble(...items)) },
      [FAILING]: { code: toHex(assemble(LOG, sending(1, OTHER), 0, 0, 'REVERT')) },
    },
    calls,
  }
}

describe('transfers of ether are told', () => {
  it('of the call itself', async () => {
    expect(told(await logsOf([], { value: '0x5' }))).toEqual(['rich->code 5'])
    expect(told(await logsOf([], { to: OTHER, value: '0x6' }))).toEqual(['rich->other 6'])
  })

  it('as logs of a token at 0xeeee…', async () => {
    const [log, ...more] = await logsOf([], { value: '0x5' })
    expect(more).toEqual([])
    expect(log).toEqual({
      address: ETHER,
      topics: [TRANSFER, pad(RICH), pad(CODE)],
      data: numberToHex(5, { size: 32 }),
      blockNumber: '0x1',
      blockTimestamp: expect.any(String),
      blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      transactionIndex: '0x0',
      logIndex: '0x0',
      removed: false,
    })
  })

  it('of inner calls, where they happen among the logs of contracts', async () => {
    const logs = await logsOf([LOG, sending(7, OTHER), LOG, sending(8, RICH)], { value: '0x5' })
    expect(told(logs)).toEqual(['rich->code 5', 'log code', 'code->other 7', 'log code', 'code->rich 8'])
    expect(logs.map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x1', '0x2', '0x3', '0x4'])
  })

  it('not of calls that bring nothing', async () => {
    expect(told(await logsOf([sending(0, OTHER)]))).toEqual([])
  })

  it('not of code that runs in the name of its caller', async () => {
    const callCode = assemble(0, 0, 0, 0, 7, OTHER, 'GAS', 'CALLCODE', 'POP')
    const delegate = assemble(0, 0, 0, 0, OTHER, 'GAS', 'DELEGATECALL', 'POP')
    const staticCall = assemble(0, 0, 0, 0, OTHER, 'GAS', 'STATICCALL', 'POP')
    expect(told(await logsOf([callCode, delegate, staticCall], { value: '0x5' }))).toEqual(['rich->code 5'])
  })

  it('not of calls that fail, nor of what those did', async () => {
    expect(told(await logsOf([sending(3, FAILING), LOG]))).toEqual(['log code'])
  })

  it('not of calls that nobody can pay', async () => {
    expect(told(await logsOf([sending(101, OTHER), sending(100, OTHER)]))).toEqual(['code->other 100'])
  })

  it('not where everything fails', async () => {
    expect(await logsOf([LOG, sending(7, OTHER), 0, 0, 'REVERT'], { value: '0x5' })).toEqual([])
    expect(await logsOf([LOG, sending(7, OTHER), 'INVALID'], { value: '0x5' })).toEqual([])
  })

  it('of creations, before what they do', async () => {
    const child = assemble(LOG, creationOf(assemble('STOP')))
    const create = assemble(inMemory(child), child.length, 0, 9, 'CREATE', 'POP')
    const salted = assemble(inMemory(child), 1, child.length, 0, 4, 'CREATE2', 'POP')
    expect(told(await logsOf([create, salted]))).toEqual([
      'code->created 9',
      'log created',
      'code->created 4',
      'log created',
    ])
    expect(told(await logsOf([], { to: null, value: '0x5', input: toHex(child) }))).toEqual([
      'rich->created 5',
      'log created',
    ])
  })

  it('of creations to the address that they come to have', async () => {
    const logs = await logsOf([assemble(0, 0, 9, 'CREATE', 'POP')])
    // The first contract of 0xc0c0…: keccak-256 of [address, nonce 0] (no nonce was given to it).
    const created = getContractAddress({ from: CODE, nonce: 0n })
    expect(logs[0]!.topics[2]).toBe(pad(created).toLowerCase())
  })

  it('not of creations that fail', async () => {
    const child = assemble(LOG, 0, 0, 'REVERT')
    expect(told(await logsOf([inMemory(child), child.length, 0, 9, 'CREATE', LOG]))).toEqual(['log code'])
  })

  it('of what a contract leaves to others when it destroys itself', async () => {
    expect(told(await logsOf([LOG, OTHER, 'SELFDESTRUCT'], { value: '0x5' }))).toEqual([
      'rich->code 5',
      'log code',
      'code->other 105',
    ])
    expect(told(await logsOf(['ADDRESS', 'SELFDESTRUCT']))).toEqual(['code->code 100'])
    expect(told(await logsOf([sending(100, OTHER), OTHER, 'SELFDESTRUCT']))).toEqual(['code->other 100'])
  })

  it('to precompiles as to everybody', async () => {
    const identity = '0x0000000000000000000000000000000000000004'
    expect(told(await logsOf([sending(2, identity)]))).toEqual(['code->created 2'])
  })

  it('with indices that go on through the block, whatever failed in between', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const pay = (to: Hex) => ({ from: RICH, to, value: '0x1' })
    const calls = [pay(CODE), pay(FAILING), pay(OTHER), { from: RICH, to: CODE }]
    const [block] = await simulate(devnet, [worldWith([LOG], calls)], { traceTransfers: true })
    expect(block!.calls.map(({ logs }) => logs.map(({ logIndex }) => Number(logIndex)))).toEqual([
      [0, 1],
      [],
      [2],
      [3],
    ])
  })

  // internal/ethapi/logtracer.go: its counter goes up with each log and is never set back.
  describe('in the dialect geth with indices that count what failed', () => {
    const indices = async (items: Item[], calls: object[], traceTransfers: boolean) => {
      const devnet = await started({ rhythm: 'manual', dialect: 'geth' })
      const [block] = await simulate(devnet, [worldWith(items, calls)], { traceTransfers })
      return block!.calls.map(({ logs }) => logs.map(({ logIndex }) => Number(logIndex)))
    }
    const toCode = { from: RICH, to: CODE, value: '0x1' }
    const toFailing = { from: RICH, to: FAILING, value: '0x1' }

    it('of frames inside a call', async () => {
      // FAILING logs once and, where they are traced, sends two transfers before it reverts.
      const items = [LOG, sending(3, FAILING), LOG]
      expect(await indices(items, [toCode, toCode], false)).toEqual([
        [0, 2],
        [3, 5],
      ])
      expect(await indices(items, [toCode, toCode], true)).toEqual([
        [0, 1, 5],
        [6, 7, 11],
      ])
    })

    it('of whole calls', async () => {
      expect(await indices([LOG], [toCode, toFailing, toCode], false)).toEqual([[0], [], [2]])
      expect(await indices([LOG], [toCode, toFailing, toCode], true)).toEqual([[0, 1], [], [5, 6]])
    })

    it('but not of an instruction that itself failed', async () => {
      // A LOG that nobody can pay, as its memory is too long.
      const unpaid = { ...toFailing, to: OTHER }
      const items = [OTHER, 'BALANCE', 'POP', 0xffffffff, 0, 'LOG0']
      const devnet = await started({ rhythm: 'manual', dialect: 'geth' })
      const world = {
        stateOverrides: {
          [RICH]: { balance: '0x3e8' },
          [CODE]: { code: toHex(LOG) },
          [OTHER]: { code: toHex(assemble(...(items as Item[]))) },
        },
        calls: [
          { ...unpaid, gas: '0x186a0' },
          { from: RICH, to: CODE },
        ],
      }
      const [block] = await simulate(devnet, [world])
      expect(block!.calls.map(({ status }) => status)).toEqual(['0x0', '0x1'])
      expect(block!.calls[1]!.logs[0]!.logIndex).toBe('0x0')
    })
  })

  it('only where they are asked for, and never in the block itself', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const calls = [{ from: RICH, to: CODE, value: '0x5' }]
    const wishes = [worldWith([LOG, sending(7, OTHER)], calls)]
    const [plain] = await simulate(devnet, wishes)
    const [traced] = await simulate(devnet, wishes, { traceTransfers: true })
    expect(told(plain!.calls[0]!.logs)).toEqual(['log code'])
    expect(told(traced!.calls[0]!.logs)).toEqual(['rich->code 5', 'log code', 'code->other 7'])
    const { calls: _, ...without } = plain!
    const { calls: __, ...block } = traced!
    expect(block).toEqual(without)
  })

  it(
    'and are all that balances change by, where gas is free',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'manual' })
      const mixture = new Mixture(random, 'osaka', devnet.accounts)
      const transactions = []
      for (let left = 60; left > 0; left--) transactions.push(await mixture.next())
      const calls = transactions.map((transaction) => ({
        ...asCall(transaction),
        nonce: null,
        gas: '0x7a120',
        gasPrice: null,
        maxFeePerGas: '0x0',
        maxPriorityFeePerGas: '0x0',
      }))
      const [block] = await simulate(devnet, [{ calls }], { traceTransfers: true })
      const transfers = block!.calls.flatMap(({ logs }) => logs).filter(({ address }) => address === ETHER)
      expect(transfers.length).toBeGreaterThan(0)
      const change = new Map<Hex, bigint>()
      const add = (topic: Hex, value: bigint) => {
        const address: Hex = `0x${topic.slice(26)}`
        change.set(address, (change.get(address) ?? 0n) + value)
      }
      for (const { topics, data } of transfers) {
        add(topics[1]!, -hexToBigInt(data))
        add(topics[2]!, hexToBigInt(data))
      }
      const addresses = [...change.keys()]
      const after = await balancesAfter(devnet, calls, addresses)
      for (const [i, address] of addresses.entries()) {
        const before = hexToBigInt(await ask<Hex>(devnet, 'eth_getBalance', address))
        const expected = before + change.get(address)!
        // What a contract gets after it has destroyed itself is gone with it.
        if (after[i] === 0n) expect(expected).toBeGreaterThanOrEqual(0n)
        else expect([address, after[i]]).toEqual([address, expected])
      }
    }),
  )
})

/** What each address has after `calls`. */
async function balancesAfter(devnet: Devnet, calls: object[], addresses: readonly Hex[]): Promise<bigint[]> {
  const asking = addresses.map((address) => ({
    from: STRANGER,
    input: toHex(assemble(address, 'BALANCE', 0, 'MSTORE', 32, 0, 'RETURN')),
  }))
  const [, block] = await simulate(devnet, [{ calls }, { calls: asking }])
  return block!.calls.map(({ returnData }) => hexToBigInt(returnData))
}
