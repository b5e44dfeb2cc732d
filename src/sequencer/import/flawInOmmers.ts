/**
 * Checks the ommers of a block (Yellow Paper 11.1): at most two, close relatives, none of them twice, each with a
 * header that could have followed its parent.
 */

import type { Hash } from '../../bytes/hex.ts'
import type { History } from '../../chain/history.ts'
import { type Header, hashHeader } from '../../model/block/header.ts'
import type { ForkSchedule } from '../../model/hardfork/forkSchedule.ts'
import { type BlockFlaw, differs, type FieldFlaw, invalid } from './blockFlaw.ts'
import { flawInFields, flawInValues } from './flawInHeader.ts'

const MAX_OMMERS = 2
/** The most generations back to the parent of an ommer. */
const MAX_DEPTH = 7

/**
 * Returns the first flaw of `ommers` of the block after `parent`. Of pruned ancestors, `history` has the hashes, but
 * no longer their ommers.
 */
export function flawInOmmers(
  schedule: ForkSchedule,
  parent: Header,
  ommers: readonly Header[],
  history: Pick<History, 'first' | 'hash' | 'block'>,
): BlockFlaw | undefined {
  if (ommers.length === 0) return undefined
  if (ommers.length > MAX_OMMERS) {
    return invalid('ommers', 'tooManyOmmers', `at most ${MAX_OMMERS} are allowed, got ${ommers.length}`)
  }
  const ancestors = new Map<Hash, bigint>()
  const included = new Set<Hash>()
  const number = Number(parent.number)
  for (let at = number; at > number - MAX_DEPTH && at >= history.first; at--) {
    ancestors.set(history.hash(at)!, BigInt(at))
    for (const ommer of history.block(at)?.ommers ?? []) included.add(hashHeader(ommer))
  }
  for (const [index, ommer] of ommers.entries()) {
    const field = `ommers[${index}]`
    const hash = hashHeader(ommer)
    if (ancestors.has(hash)) return invalid(field, 'ommerIsAncestor', `${hash} is an ancestor of the block`)
    if (included.has(hash)) return invalid(field, 'ommerIsKnown', `${hash} was an ommer before`)
    // An ommer shares its parent with an ancestor: it is beside the chain, not on the block's own parent.
    const generation = ancestors.get(ommer.parentHash)
    if (generation === parent.number) {
      const reason = `its parent ${ommer.parentHash} is the block's own parent`
      return invalid(field, 'ommerIsSibling', reason)
    }
    if (generation === undefined) {
      const reason = `its parent ${ommer.parentHash} is none of the ${MAX_DEPTH - 1} blocks before block ${parent.number}`
      return invalid(field, 'ommerParentUnknown', reason)
    }
    // Of a pruned ancestor only the hash is known, so that only the number can be checked, which determines the
    // reward.
    const flaw =
      ommer.number !== generation + 1n
        ? differs('number', ommer.number, generation + 1n)
        : flawInOmmer(schedule, history.block(Number(generation))?.header, ommer)
    if (flaw !== undefined) return { ...flaw, field: `${field}.${flaw.field}` }
    included.add(hash)
  }
  return undefined
}

/**
 * Returns the first flaw of `ommer` as a successor of `parent`. Its body is unknown, so its roots are not checked.
 */
function flawInOmmer(
  schedule: ForkSchedule,
  parent: Header | undefined,
  ommer: Header,
): FieldFlaw | undefined {
  if (parent === undefined) return undefined
  const rules = schedule.at(ommer)
  return flawInFields(rules, ommer) ?? flawInValues(rules, 'ethereum', parent, ommer)
}
