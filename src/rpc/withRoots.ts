import type { Block } from '../model/block/block.ts'
import { ZERO_HASH } from '../model/bytes/hex.ts'
import { rootedHeader } from '../state/roots.ts'

/** The block with the roots of what is in it so far: before it is sealed it has none, and whoever shows it makes them. */
export function withRoots(block: Block): Block {
  return block.hash === ZERO_HASH ? { ...block, header: rootedHeader(block) } : block
}
