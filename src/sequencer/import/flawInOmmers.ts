/** May these blocks be another's ommers (Yellow Paper 11.1)? At most two, near relatives, none of them twice. */
import type { History } from '../../chain/history.ts'
import { type Header, hashHeader } from '../../model/block/header.ts'
import type { Hash } from '../../model/bytes/hex.ts'
import type { BlockFlaw } from './blockFlaw.ts'

const MAX_OMMERS = 2
/** How many generations back the parent of an ommer may be. */
const MAX_DEPTH = 7

/**
 * The first thing that is wrong with `ommers` of the block after `parent`. Of ancestors that were pruned, `history` has
 * the hashes left, but no longer their ommers.
 */
export function flawInOmmers(
  parent: Header,
  ommers: readonly Header[],
  history: Pick<History, 'hash' | 'block'>,
): BlockFlaw | undefined {
  if (ommers.length === 0) return undefined
  if (ommers.length > MAX_OMMERS) {
    return {
      kind: 'invalid',
      field: 'ommers',
      reason: `at most ${MAX_OMMERS} are allowed, got ${ommers.length}`,
    }
  }
  const ancestors = new Map<Hash, bigint>()
  const taken = new Set<Hash>()
  const number = Number(parent.number)
  for (let at = number; at > number - MAX_DEPTH && at >= 0; at--) {
    ancestors.set(history.hash(at)!, BigInt(at))
    for (const ommer of history.block(at)?.ommers ?? []) taken.add(hashHeader(ommer))
  }
  for (const [index, ommer] of ommers.entries()) {
    const field = `ommers[${index}]`
    const hash = hashHeader(ommer)
    if (ancestors.has(hash)) return { kind: 'invalid', field, reason: `${hash} is an ancestor of the block` }
    if (taken.has(hash)) return { kind: 'invalid', field, reason: `${hash} was an ommer before` }
    // An ommer has its parent in common with an ancestor: it stands beside the chain, not upon the block's own parent.
    const generation = ancestors.get(ommer.parentHash)
    if (generation === undefined || generation === parent.number) {
      return {
        kind: 'invalid',
        field,
        reason: `its parent ${ommer.parentHash} is none of the ${MAX_DEPTH - 1} blocks before block ${parent.number}`,
      }
    }
    // By its number it is paid for.
    if (ommer.number !== generation + 1n) {
      return {
        kind: 'invalid',
        field,
        reason: `its number is ${ommer.number}, after its parent it must be ${generation + 1n}`,
      }
    }
    taken.add(hash)
  }
  return undefined
}
