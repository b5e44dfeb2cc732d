// Code coverage: counts of basic blocks, in code decoded with counters (`COUNTED_READING`). A block is counted when it
// is entered. If code halts within a block, 1 is subtracted from the counts of the instructions after the halt.
import {
  CODE_BYTES, CODE_FAST, CODE_LENGTH, CODE_RULES, COUNTED_READING, COUNTS_HITS, FRAME_CODE, FRAME_FLAGS,
  FRAME_IP, HITS, IS_RAW, READING_CHUNK,
} from '../layout'
import { SIZE } from './decodeRaw'
import { placeOf } from './decoding'
import { ENDS, OP_COUNTED_BLOCK, OP_STEP, OPERATION_OF } from './generated'
import { hit, hitsOf } from './host'
import { JUMPDEST, PUSH1, PUSH32 } from './opcodes'
import { CHUNK_BEFORE, CHUNK_END, CHUNK_HEAD } from './readings'

export function reportHitsOf(code: usize): void {
  const reading = <usize>load<u32>(code, CODE_FAST)
  if (!(load<u32>(code, CODE_RULES) & COUNTED_READING) || reading == 0) return
  let isNamed = false
  for (let chunk = <usize>load<u32>(reading, READING_CHUNK); chunk != 0; chunk = load<u32>(chunk, CHUNK_BEFORE)) {
    const end = <usize>load<u32>(chunk, CHUNK_END)
    for (let at = chunk + CHUNK_HEAD; at < end; at += SIZE) {
      if (load<u16>(at) != OP_COUNTED_BLOCK) continue
      const count = load<u32>(at, 20)
      if (count == 0) continue
      if (!isNamed) hitsOf(code)
      isNamed = true
      hit(load<u32>(at, 8), count)
      store<u32>(at, 0, 20)
    }
  }
}

export function countBlock(code: usize, pc: u32): void {
  if (!(load<u32>(HITS) & COUNTS_HITS)) return
  hitsOf(code)
  hit(pc, 1)
}

/** After a halt, subtracts 1 from the counts of the instructions after the failed one, to the end of the block. */
export function uncountRest(frame: usize): void {
  if (!(load<u32>(HITS) & COUNTS_HITS)) return
  const code = <usize>load<u32>(frame, FRAME_CODE)
  const bytes = <usize>load<u32>(code, CODE_BYTES)
  const pc = positionOf(frame, code)
  if (pc >= load<u32>(code, CODE_LENGTH)) return
  const opcode = <u32>load<u8>(bytes + pc)
  if (load<u8>(ENDS + opcode) != 0 || load<u16>(OPERATION_OF + (opcode << 1)) == 0) return
  const next = pc + 1 + (opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0)
  if (next >= load<u32>(code, CODE_LENGTH) || load<u8>(bytes + next) == JUMPDEST) return
  hitsOf(code)
  hit(next, -1)
}

function positionOf(frame: usize, code: usize): u32 {
  const ip = <usize>load<u32>(frame, FRAME_IP)
  if (!(load<u32>(frame, FRAME_FLAGS) & IS_RAW)) return load<u32>(placeOf(code, ip))
  return load<u32>(load<u16>(ip) == OP_STEP ? ip : ip - 16, 4)
}
