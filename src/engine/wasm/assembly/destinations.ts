// The valid destinations of jumps: the JUMPDESTs that are not data of a PUSH.
import { CODE_BYTES, CODE_DESTINATIONS, CODE_LENGTH } from '../layout'
import { allocate, release } from './heap'
import { JUMPDEST, PUSH0, PUSH32 } from './opcodes'

/** The number of positions at which the search for an instruction that is no data begins again. */
const MOST_TRIES = 16

/** Returns whether position `pc`, which must be less than the length of the code, is the destination of jumps. */
export function isDestination(code: usize, pc: u32): bool {
  const bytes = <usize>load<u32>(code, CODE_BYTES)
  if (load<u8>(bytes + pc) != JUMPDEST) return false
  if (load<u32>(code, CODE_DESTINATIONS) == 0) {
    // Usually few bytes have to be read to find out. Else all of the code is read, once.
    let start = pc
    for (let i = 0; i < MOST_TRIES; i++) {
      const back = farthestPush(bytes, start)
      if (back == 0) return isInstruction(bytes, start, pc)
      start -= back
    }
    findAll(code)
  }
  return (load<u8>(load<u32>(code, CODE_DESTINATIONS) + (pc >> 3)) & (1 << (pc & 7))) != 0
}

/** Returns the largest distance of a byte before `pc` that, as a PUSH, would have `pc` in its data; 0 if none. */
function farthestPush(bytes: usize, pc: u32): u32 {
  for (let back = min<u32>(32, pc); back > 0; back--) {
    const pushed = <u32>load<u8>(bytes + pc - back) - PUSH0
    if (pushed <= 32 && pushed >= back) return back
  }
  return 0
}

/** Returns whether `pc` is an instruction. `start` must be one, at `pc` or before it. */
function isInstruction(bytes: usize, start: u32, pc: u32): bool {
  let at = start
  while (at < pc) at = after(bytes, at)
  return at == pc
}

@inline
function after(bytes: usize, pc: u32): u32 {
  const opcode = <u32>load<u8>(bytes + pc)
  return opcode > PUSH0 && opcode <= PUSH32 ? pc + opcode - PUSH0 + 1 : pc + 1
}

function findAll(code: usize): void {
  const bytes = <usize>load<u32>(code, CODE_BYTES)
  const length = load<u32>(code, CODE_LENGTH)
  const table = allocate(sizeOf(code))
  memory.fill(table, 0, sizeOf(code))
  for (let pc: u32 = 0; pc < length; pc = after(bytes, pc)) {
    if (load<u8>(bytes + pc) != JUMPDEST) continue
    const place = table + (pc >> 3)
    store<u8>(place, <u32>load<u8>(place) | (1 << (pc & 7)))
  }
  store<u32>(code, table, CODE_DESTINATIONS)
}

function sizeOf(code: usize): u32 {
  return (load<u32>(code, CODE_LENGTH) >> 3) + 1
}

export function releaseDestinations(code: usize): void {
  const table = load<u32>(code, CODE_DESTINATIONS)
  if (table != 0) release(table, sizeOf(code))
}
