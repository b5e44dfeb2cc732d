/** Which accounts and slots the prestate tracer shows, as geth's (eth/tracers/native/prestate.go), each in a run of its own. */
import { describe, expect, it } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/bytes/hex.ts'
import { traceCall, tracerFor } from '../../../src/engine/trace/traceRun.ts'
import { contractAddress } from '../../../src/model/account/account.ts'
import type { Call } from '../../../src/model/execution/call.ts'
import type { PrestateOptions, StateDiff, Trace } from '../../../src/model/execution/trace.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import type { AccountChange } from '../../../src/state/state.ts'
import { authorize, signerOf } from '../../support/chains/signing.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { address, CONTEXT, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'

const CONTRACT = address(0xc0de)
const OTHER = address(0x07e5)
const ALICE = signerOf(`0x${'a1'.repeat(32)}`)

interface Setting {
  readonly options?: Partial<PrestateOptions>
  readonly call?: Partial<Call>
  readonly hardfork?: Hardfork
}

/** The trace of a call of `CONTRACT`. */
async function traced(
  accounts: readonly AccountChange[],
  { options, call, hardfork }: Setting = {},
): Promise<Trace> {
  const request = {
    kind: 'prestate',
    diffMode: false,
    code: true,
    storage: true,
    includeEmpty: false,
    ...options,
  } as const
  const message = callOf({ to: CONTRACT, gas: 200_000n, ...call })
  const trace = await traceCall(machine(hardfork), sceneOf(accounts), message, tracerFor(request))
  if (trace.kind !== 'prestate' && trace.kind !== 'stateDiff') throw new Error(trace.kind)
  return trace
}

/** The accounts as they were before a call of `CONTRACT`. */
async function accountsBefore(accounts: readonly AccountChange[], setting: Setting = {}) {
  return ((await traced(accounts, setting)) as Extract<Trace, { kind: 'prestate' }>).accounts
}

/** The changes of a call of `CONTRACT`. */
async function changed(accounts: readonly AccountChange[], setting: Setting = {}): Promise<StateDiff> {
  const options = { ...setting.options, diffMode: true }
  return (await traced(accounts, { ...setting, options })) as StateDiff
}

describe('the accounts before a run', () => {
  it('are those that exist: with wei, a nonce or code, and others where that is asked for', async () => {
    const [rich, used, nobody] = [address(1_001), address(1_002), address(1_003)]
    const accounts: AccountChange[] = [
      { address: rich, balance: 1n },
      { address: used, nonce: 3n },
      {
        address: CONTRACT,
        code: assemble(...[rich, used, nobody].flatMap((who) => [who, 'BALANCE'] as const)),
      },
    ]
    const met: readonly Address[] = [CONTRACT, rich, used]
    expect(new Set((await accountsBefore(accounts)).keys())).toEqual(new Set(met))
    const all = await accountsBefore(accounts, { options: { includeEmpty: true } })
    expect(new Set(all.keys())).toEqual(new Set([...met, nobody, ZERO_ADDRESS, CONTEXT.coinbase]))
  })

  it('have the coinbase among them, whom every transaction pays', async () => {
    const accounts = [
      { address: CONTRACT, code: assemble('STOP') },
      { address: CONTEXT.coinbase, balance: 9n },
    ]
    expect((await accountsBefore(accounts)).get(CONTEXT.coinbase)).toMatchObject({ balance: 9n })
  })

  it('keep the slots that were met when the account is met again', async () => {
    const code = assemble(1, 'SLOAD', 'ADDRESS', 'BALANCE', 2, 'SLOAD')
    const accounts = await accountsBefore([{ address: CONTRACT, code, storage: [[1n, 7n]] }])
    expect(accounts.get(CONTRACT)?.storage).toEqual(
      new Map([
        [1n, 7n],
        [2n, 0n],
      ]),
    )
  })

  it('have none that an instruction names for which the gas does not suffice', async () => {
    // 21,000, and 3 to push the address; to look at a cold account takes 2,600 (EIP-2929).
    const accounts = [
      { address: CONTRACT, code: assemble(OTHER, 'BALANCE') },
      { address: OTHER, balance: 1n },
    ]
    const withGas = (gas: bigint) => accountsBefore(accounts, { call: { gas } })
    expect((await withGas(23_602n)).has(OTHER)).toBe(false)
    expect((await withGas(23_603n)).has(OTHER)).toBe(true)
  })

  it('have the heir of a contract that destroys itself with its last instruction', async () => {
    const accounts = [
      { address: CONTRACT, code: assemble(OTHER, 'SELFDESTRUCT') },
      { address: OTHER, balance: 1n },
    ]
    expect((await accountsBefore(accounts)).has(OTHER)).toBe(true)
  })

  it('have who authorized, and what was authorized only where it is called (EIP-7702)', async () => {
    const accounts = [
      { address: CONTRACT, code: assemble('STOP') },
      { address: OTHER, code: assemble('STOP') },
      { address: ALICE.address, balance: 5n },
    ]
    const authorizationList = [await authorize(ALICE, { address: OTHER, nonce: 0n })]
    const beside = await accountsBefore(accounts, { call: { authorizationList } })
    expect([beside.has(ALICE.address), beside.has(OTHER)]).toEqual([true, false])
    const called = await accountsBefore(accounts, { call: { authorizationList, to: ALICE.address } })
    expect([called.has(ALICE.address), called.has(OTHER)]).toEqual([true, true])
  })

  it('have what an account delegated to before (EIP-7702)', async () => {
    const delegation = Uint8Array.from([0xef, 0x01, 0x00, ...Buffer.from(OTHER.slice(2), 'hex')])
    const accounts = [
      { address: CONTRACT, nonce: 1n, code: delegation },
      { address: OTHER, code: assemble('STOP') },
    ]
    expect((await accountsBefore(accounts)).has(OTHER)).toBe(true)
  })

  it('have neither code nor slots where these are not asked for', async () => {
    const accounts = [{ address: CONTRACT, code: assemble(1, 'SLOAD'), storage: [[1n, 7n]] as const }]
    const { storage } = (await accountsBefore(accounts, { options: { storage: false } })).get(CONTRACT)!
    expect(storage).toEqual(new Map())
    const bare = (await accountsBefore(accounts, { options: { code: false } })).get(CONTRACT)!
    expect([bare.code, bare.codeHash, bare.storage]).toEqual([
      undefined,
      expect.stringMatching(/^0x.{64}$/),
      new Map([[1n, 7n]]),
    ])
  })
})

describe('what a run changed', () => {
  it('are slots whose value is another, without those that are zero', async () => {
    // 1: as before. 2: set. 3: cleared. 4: changed and changed back. 5: read.
    const code = assemble(
      ...([7, 1, 'SSTORE', 8, 2, 'SSTORE', 0, 3, 'SSTORE', 1, 4, 'SSTORE', 6, 4, 'SSTORE'] as const),
      ...([5, 'SLOAD'] as const),
    )
    const storage = [1n, 3n, 4n, 5n].map((slot) => [slot, slot === 1n ? 7n : slot === 4n ? 6n : 9n] as const)
    const { pre, post } = await changed([{ address: CONTRACT, code, storage }])
    expect(pre.get(CONTRACT)?.storage).toEqual(new Map([[3n, 9n]]))
    expect(post.get(CONTRACT)?.storage).toEqual(new Map([[2n, 8n]]))
  })

  it('is nothing of an account that was only looked at', async () => {
    const code = assemble(OTHER, 'BALANCE', 1, 'SLOAD')
    const { pre, post } = await changed([
      { address: CONTRACT, code, storage: [[1n, 7n]] },
      { address: OTHER, balance: 1n },
    ])
    expect([pre.has(OTHER), post.has(OTHER), pre.has(CONTRACT), post.has(CONTRACT)]).toEqual(
      Array(4).fill(false),
    )
  })

  it('is a nonce alone of a contract that creates another, which was not there before', async () => {
    const accounts = [{ address: CONTRACT, nonce: 1n, balance: 4n, code: assemble(0, 0, 0, 'CREATE') }]
    const created = contractAddress(CONTRACT, 1n)
    const { pre, post } = await changed(accounts)
    expect(pre.get(CONTRACT)).toMatchObject({ nonce: 1n, balance: 4n })
    expect(post.get(CONTRACT)).toMatchObject({ nonce: 2n, balance: undefined, code: undefined })
    expect([pre.has(created), post.get(created)?.nonce]).toEqual([false, 1n])
    const all = await changed(accounts, { options: { includeEmpty: true } })
    expect(all.pre.get(created)).toMatchObject({ balance: 0n, nonce: 0n })
  })

  it('is a contract before and not after, where it destroyed itself (before EIP-6780)', async () => {
    const accounts = [
      { address: CONTRACT, balance: 3n, code: assemble(OTHER, 'SELFDESTRUCT') },
      { address: OTHER, balance: 1n },
    ]
    const { pre, post } = await changed(accounts, { hardfork: 'shanghai' })
    expect([pre.has(CONTRACT), post.has(CONTRACT)]).toEqual([true, false])
    expect([pre.get(OTHER)?.balance, post.get(OTHER)?.balance]).toEqual([1n, 4n])
    // Since then only its wei go.
    const now = await changed(accounts)
    expect(now.post.get(CONTRACT)).toMatchObject({ balance: 0n, code: undefined })
  })
})
