/**
 * Blocks of optimised code to which several places lead. solc's deduplicator makes one of blocks that are equal, which then has the
 * source range of the first: it may be the wrong one.
 */
import { RETURN, SELFDESTRUCT, STOP } from '../../engine/trace/opcodes.ts'
import { pushedBytes } from '../../model/execution/pushedBytes.ts'
import { INVALID, JUMP, JUMPDEST, REVERT } from '../opcodes.ts'
import type { Instructions } from '../source/instructions.ts'

/** What stands behind these runs only if something jumps there. */
const ENDS: ReadonlySet<number> = new Set([STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT])

/**
 * Returns the numbers of the JUMPDESTs of blocks that end without running on into the next one, and whose position is pushed more than
 * once. A number that happens to be the same is counted too: then a position is lost that could have been told.
 */
export function sharedBlocks(instructions: Instructions): ReadonlySet<number> {
  const pushed = new Map<number, number>()
  const blocks: number[] = []
  let begin = -1
  for (const { index, pc, opcode } of instructions) {
    if (opcode === JUMPDEST) begin = index
    else if (ENDS.has(opcode)) {
      if (begin >= 0) blocks.push(begin)
      begin = -1
    } else if (pushedBytes(opcode) > 0 && pushedBytes(opcode) <= 3) {
      const target = instructions.operandAt(pc)
      pushed.set(target, (pushed.get(target) ?? 0) + 1)
    }
  }
  return new Set(blocks.filter((index) => (pushed.get(instructions.nth(index).pc) ?? 0) > 1))
}
