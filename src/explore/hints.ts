/** Finds values that are worth trying as arguments: constants in the code of contracts, and values of their slots. */
import { type Address, toQuantity } from '../bytes/hex.ts'
import { pushedBytes } from '../model/opcodes.ts'
import type { State } from '../state/state.ts'
import * as trie from '../state/trie.ts'
import type { Hints } from './draws.ts'

const MOST_NUMBERS = 500

/** Returns the hints of `contracts`: addresses are the contracts and the actors. */
export function hintsOf(state: State, contracts: Iterable<Address>, actors: readonly Address[]): Hints {
  const numbers = new Set<bigint>()
  const addresses = new Set<Address>(actors)
  for (const address of contracts) {
    addresses.add(address)
    const record = state.record(address)
    if (record === undefined) continue
    for (const [, { value }] of trie.entries(record.slots)) numbers.add(value)
    for (const value of constantsOf(record.code)) numbers.add(value)
  }
  return { addresses: [...addresses], numbers: [...numbers].slice(0, MOST_NUMBERS) }
}

/** Yields the constants that code pushes, but for the short ones, of which most are jump targets, and for addresses. */
function* constantsOf(code: Uint8Array): Generator<bigint> {
  for (let pc = 0; pc < code.length; pc += 1 + pushedBytes(code[pc]!)) {
    const length = pushedBytes(code[pc]!)
    if (length > 2 && length !== 20) yield toQuantity(code.subarray(pc + 1, pc + 1 + length))
  }
}
