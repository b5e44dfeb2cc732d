/** The result of eth_createAccessList (geth, internal/ethapi `AccessList`). */
import { describe, expect, it } from 'vitest'
import { type Address, toHex, toWord } from '../../../src/bytes/hex.ts'
import { createAccessList } from '../../../src/engine/run/createAccessList.ts'
import type { ExecutionScope } from '../../../src/engine/run/runCall.ts'
import { contractAddress } from '../../../src/model/account/account.ts'
import type { Call } from '../../../src/model/execution/call.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import type { AccessList } from '../../../src/model/transaction/transaction.ts'
import { authorize, signerOf } from '../../support/chains/signing.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { address, CONTEXT, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'

const CONTRACT = address(0xc0de)
const [SENDER, OTHER, PRECOMPILE] = [address(0x5e), address(0x07e4), address(4)]

const word = (value: bigint) => toHex(toWord(value))
const entry = (at: Address, ...slots: bigint[]) => ({ address: at, storageKeys: slots.map(word) })

async function listOf(
  scene: ExecutionScope,
  fields: Partial<Call> = {},
  hardfork?: Hardfork,
): Promise<AccessList> {
  const made = await createAccessList(
    machine(hardfork),
    scene,
    callOf({ from: SENDER, to: CONTRACT, ...fields }),
  )
  if (made.kind !== 'accessList') throw new Error(`expected a list, got ${made.kind}`)
  return made.accessList
}

/** A scene with this code at `CONTRACT`. */
const running = (...items: Parameters<typeof assemble>) =>
  sceneOf([{ address: CONTRACT, code: assemble(...items) }])

describe('the list', () => {
  it('has the slots of the destination, and others without their slots where none is touched', async () => {
    const scene = running(3, 'SLOAD', OTHER, 'BALANCE', 4, 'SLOAD', 'STOP')
    expect(await listOf(scene)).toEqual([entry(CONTRACT, 3n, 4n), entry(OTHER)])
  })

  it('has neither sender nor destination nor precompiles, which are warm from the beginning (EIP-2929)', async () => {
    expect(
      await listOf(running(SENDER, 'BALANCE', CONTRACT, 'BALANCE', PRECOMPILE, 'BALANCE', 'STOP')),
    ).toEqual([])
  })

  it('has the coinbase before Shanghai alone: since then it is warm (EIP-3651)', async () => {
    const scene = running('COINBASE', 'BALANCE', 'STOP')
    expect(await listOf(scene, {}, 'paris')).toEqual([entry(CONTEXT.coinbase)])
    expect(await listOf(scene, {}, 'shanghai')).toEqual([])
  })

  it('has no account that authorizes something: these are warm (EIP-7702)', async () => {
    const alice = signerOf(`0x${'a1'.repeat(32)}`)
    const authorizationList = [await authorize(alice, { address: OTHER, nonce: 0n })]
    const scene = running(alice.address, 'BALANCE', 'STOP')
    expect(await listOf(scene)).toEqual([entry(alice.address)])
    expect(await listOf(scene, { authorizationList })).toEqual([])
  })

  it('does not have the contract that a creation makes, by the nonce of its sender', async () => {
    const [made, first] = [contractAddress(SENDER, 5n), contractAddress(SENDER, 0n)]
    const scene = sceneOf([{ address: SENDER, nonce: 5n }])
    const data = assemble(made, 'BALANCE', first, 'BALANCE', 'STOP')
    expect(await listOf(scene, { to: undefined, data })).toEqual([entry(first)])
  })

  it('keeps what the call names, needed or not, and adds to it', async () => {
    const accessList = [entry(OTHER, 9n), entry(CONTRACT, 1n)]
    expect(await listOf(running(3, 'SLOAD', OTHER, 'BALANCE', 'STOP'), { accessList })).toEqual([
      entry(OTHER, 9n),
      entry(CONTRACT, 1n, 3n),
    ])
  })

  it('is made again until it stays as it is: what a list leads to is named, too', async () => {
    // With slot 1 warm, SLOAD takes 100 gas: the code that measures it goes another way.
    const measure = ['GAS', 1, 'SLOAD', 'POP', 'GAS', 'SWAP1', 'SUB', 1_000, 'GT', 7, 'MUL'] as const
    const code = assemble(...measure, 'SLOAD', 'STOP')
    // It reads slot 0 where slot 1 was dear, and slot 7 where it was cheap.
    const list = await listOf(sceneOf([{ address: CONTRACT, code }]))
    expect(list).toEqual([entry(CONTRACT, 1n, 0n, 7n)])
  })

  it('comes with what the call costs that names all of it, where the last round added one slot', async () => {
    const measure = ['GAS', 1, 'SLOAD', 'POP', 'GAS', 'SWAP1', 'SUB', 1_000, 'GT', 7, 'MUL'] as const
    const scene = sceneOf([{ address: CONTRACT, code: assemble(...measure, 'SLOAD', 'STOP') }])
    const call = callOf({ from: SENDER, to: CONTRACT })
    const made = await createAccessList(machine(), scene, call)
    if (made.kind !== 'accessList') throw new Error(made.kind)
    const again = await createAccessList(machine(), scene, { ...call, accessList: made.accessList })
    expect(again).toMatchObject({ accessList: made.accessList, outcome: { gasUsed: made.outcome.gasUsed } })
  })

  it('is refused where the call cannot be', async () => {
    const made = await createAccessList(
      machine(),
      running('STOP'),
      callOf({ from: SENDER, to: CONTRACT, value: 1n }),
    )
    expect(made.kind).toBe('insufficientFunds')
  })

  it('comes with how the call ended that named it', async () => {
    const scene = running(3, 'SLOAD', 0, 0, 'REVERT')
    const made = await createAccessList(machine(), scene, callOf({ from: SENDER, to: CONTRACT }))
    expect(made).toMatchObject({
      kind: 'accessList',
      accessList: [entry(CONTRACT, 3n)],
      outcome: { kind: 'revert' },
    })
  })
})
