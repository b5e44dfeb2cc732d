/** Records in the keys of the state trie do not keep dropped states in memory. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import { MAX_CACHED_RECORDS } from '../../src/state/hashedKey.ts'
import { State } from '../../src/state/state.ts'

/** Addresses that no other test reads: the keys of all states of the process are shared. */
const addressOf = (index: number): Address => `0x5ca1ab1e${index.toString(16).padStart(32, '0')}`

/** A weak reference to an account of a dropped state that was read once. */
function readOnce(address: Address): WeakRef<object> {
  const state = State.empty.with([{ address, balance: 1n }])
  return new WeakRef(state.account(address)!)
}

describe('an account of a state that nobody holds', () => {
  it('is let go when as many others were read', async () => {
    const account = readOnce(addressOf(1))
    for (let index = 2; index < MAX_CACHED_RECORDS + 2; index++) State.empty.account(addressOf(index))
    // A weak reference holds its target until the end of the turn that made it.
    await new Promise((resolve) => setImmediate(resolve))
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    expect(account.deref()).toBeUndefined()
  })

  it('is read from the state that is asked, whatever was read last under its address', () => {
    const address = addressOf(1)
    const states = [1n, 2n, 3n].map((balance) => State.empty.with([{ address, balance }]))
    for (let index = 2; index < MAX_CACHED_RECORDS + 2; index++) {
      const state = states[index % 3]!
      expect(state.account(address)?.balance).toBe(BigInt((index % 3) + 1))
      State.empty.account(addressOf(index))
    }
  })
})
