/** Generates sources of `assembly/` that are not in the repository: the interpreter's loop, its tables, and others. */

import { OP, OPCODES } from '../../../model/opcodes.ts'
import * as layout from '../layout.ts'
import { generateBarrett } from './barrett.ts'
import { generateBlake2f } from './blake2f.ts'
import { type Fused, INSTRUCTIONS, type Instruction } from './forms.ts'
import { generatePermutation } from './keccak.ts'
import { operationOf, operations, resultTo } from './operations.ts'

const PLACES = new Map(Object.entries(layout))

const KINDS = { block: 1, code: 2 } as const

function generate(): string {
  const all = operations()
  const numbers = new Map(all.map(({ name }, index) => [name, index + 1]))
  const numberOf = (name: string) => {
    const number = numbers.get(name)
    if (number === undefined) throw new Error(`there is no operation ${name}`)
    return number
  }
  const ofOpcodes = (value: (opcode: Instruction) => number) => {
    const table = new Array<number>(256).fill(0)
    for (const opcode of INSTRUCTIONS) table[opcode.code] = value(opcode)
    return table
  }
  const fused = (kind: Fused, suffix: string) =>
    ofOpcodes(({ name, after }) => (after.includes(kind) ? numberOf(`${name}${suffix}`) : 0))
  const jumping = (prefix: string) => {
    const table = new Array<number>(all.length + 1).fill(0)
    for (const [name, number] of numbers) table[number] = numbers.get(`${prefix}_${name}`) ?? 0
    return table
  }
  const dynamic = INSTRUCTIONS.filter(({ form }) => form === 'dynamic')
  const folding = INSTRUCTIONS.filter(({ folds }) => folds)
  const firstJump = all.findIndex(({ name }) => name === 'JUMP_TO') + 1
  return `
import { ${Object.keys(layout).join(', ')} } from '../layout'
import { callGas } from './calls'
import { createGas } from './creations'
import { noteGasUse } from './frame'
import { ${[...dynamic.flatMap(({ run }) => [run, `${run}Gas`]), ...INSTRUCTIONS.filter(({ form }) => form === 'plain').map(({ run }) => run), 'isLongHash', 'readCalldata', 'sstoreRefund'].filter((name, i, names) => names.indexOf(name) === i).join(', ')} } from './dynamic'
import { endAt, endOf, extend, memoryGas } from './memory'
import { div, mod, sdiv, smod } from './division'
import { addmod, mulmod } from './modular'
import { byte, clz, sar, shl, shr, signextend } from './shifts'
import { findCell } from './readings'
import { mul } from './uint256'
import { step } from './host'
import { add, and, copy, isEqual, isHigh, isLess, isLessSigned, isZero, not, or, put, reverse, sub, swap, xor } from './words'

${all.map(({ name }, index) => `export const OP_${name}: u32 = ${index + 1}`).join('\n')}
export const OP_FIRST_JUMP: u32 = ${firstJump}
export const OP_LAST_JUMP: u32 = ${all.length}

export const OPERATION_OF: usize = memory.data<u16>([${ofOpcodes((opcode) => numberOf(operationOf(opcode)))}])
export const CONTEXT_OF: usize = memory.data<u16>([${ofOpcodes(({ form, run }) => (form === 'context' ? PLACES.get(run)! : 0))}])
export const ENDS: usize = memory.data<u8>([${ofOpcodes(({ ends }) => (ends === undefined ? 0 : KINDS[ends]))}])
export const FOLDS: usize = memory.data<u8>([${ofOpcodes(({ folds }) => (folds ? 1 : 0))}])
export const AFTER_PUSH: usize = memory.data<u16>([${fused('PUSH', '_K')}])
export const AFTER_DUP: usize = memory.data<u16>([${fused('DUP', '_D')}])
export const AFTER_SWAP: usize = memory.data<u16>([${fused('SWAP', '_S')}])
export const JUMPS_IF: usize = memory.data<u16>([${jumping('JUMP_IF')}])
export const JUMPS_UNLESS: usize = memory.data<u16>([${jumping('JUMP_UNLESS')}])

/** Writes the result of an opcode for constant operands. */
export function fold(opcode: u32, a: usize, b: usize, result: usize): void {
  switch (opcode) {
${folding.map((opcode) => `    case ${opcode.code}: ${resultTo('result', opcode, 'a', 'b')}; break`).join('\n')}
  }
}

/** Returns the gas of an opcode in addition to its static gas; negative for an error. */
export function dynamicGas(frame: usize, sp: usize, opcode: u32): i64 {
  switch (opcode) {
${dynamic.map(({ code, run }) => `    case ${code}: return ${run}Gas(frame, sp)`).join('\n')}
    case ${OP.MLOAD}: case ${OP.MSTORE}: return memoryGas(frame, endAt(sp, 32))
    case ${OP.MSTORE8}: return memoryGas(frame, endAt(sp, 1))
    case ${OP.RETURN}: case ${OP.REVERT}: return memoryGas(frame, endOf(sp, sp - 32))
    case ${OP.CREATE}: case ${OP.CREATE2}: return createGas(frame, sp, opcode)
    case ${OP.CALL}: case ${OP.CALLCODE}: case ${OP.DELEGATECALL}: case ${OP.STATICCALL}: return callGas(frame, sp, opcode)
  }
  return 0
}

function stepped(frame: usize, sp: usize, pc: u32, opcode: u32): void {
  const height = (<u32>sp - load<u32>(frame, FRAME_STACK)) >> 5
  let cost = <i64>load<u32>(STATIC_GAS + (opcode << 2))
  let refund: i64 = 0
  if (load<u8>(IS_DEFINED + opcode) && height >= <u32>load<u8>(STACK_IN + opcode)) {
    const more = dynamicGas(frame, sp, opcode)
    if (more > 0) cost += more
    // As in geth, the refund is counted together with the gas, before the step is reported.
    if (opcode == ${OP.SSTORE} && more > 0) refund = sstoreRefund(sp)
  }
  store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | HAS_STEPPED, FRAME_FLAGS)
  store<i64>(REFUND, load<i64>(REFUND) + refund)
  step(frame, pc, opcode, <f64>cost)
  store<i64>(REFUND, load<i64>(REFUND) - refund)
}

@inline
function leave(frame: usize, ip: usize, sp: usize, gas: i64): void {
  store<u32>(frame, ip, FRAME_IP)
  store<u32>(frame, sp, FRAME_SP)
  store<i64>(frame, gas, FRAME_GAS)
}

/** Returns a pointer to the JUMPDEST at the position in \`word\`; 0 if there is none or it is not decoded. */
@inline
function destination(word: usize, cells: usize, mask: u32): usize {
  const pc = load<u64>(word)
  if (isHigh(word)) return 0
  const cell = load<u64>(cells + (<usize>(<u32>pc & mask) << 3))
  return (cell & 0xffffffff) == pc ? <usize>(cell >> 32) : findCell(cells, mask, pc)
}

function output(frame: usize, sp: usize, mem: usize): void {
  const length = <u32>load<u64>(sp - 32)
  store<u32>(frame, length == 0 ? 0 : mem + <u32>load<u64>(sp), FRAME_OUTPUT)
  store<u32>(frame, length, FRAME_OUTPUT_LENGTH)
}

/** Runs the open frame until it ends, opens a frame, fails or pauses. Returns the exit. */
export function run(frame: usize): i32 {
  let ip: usize = load<u32>(frame, FRAME_IP)
  let sp: usize = load<u32>(frame, FRAME_SP)
  let gas = load<i64>(frame, FRAME_GAS)
  let mem: usize = load<u32>(frame, FRAME_MEMORY)
  let size = <u64>load<u32>(frame, FRAME_MEMORY_SIZE)
  const bottom: usize = load<u32>(frame, FRAME_STACK)
  const code: usize = load<u32>(frame, FRAME_CODE)
  const reading: usize = load<u32>(frame, FRAME_FLAGS) & IS_RAW ? load<u32>(code, CODE_RAW) : load<u32>(code, CODE_FAST)
  const cells: usize = load<u32>(reading, READING_CELLS)
  const mask = load<u32>(reading, READING_MASK)
  const isWatched = (load<u32>(WATCHES) & WATCHES_STEPS) != 0
  // The gas at which the run pauses. At least the first block runs.
  const floor = max<i64>(0, gas - load<i64>(GAS_TO_PAUSE) - <i64>load<u32>(ip, 4))
  while (true) {
    switch (<u32>load<u16>(ip)) {
${all.map(({ text }, index) => `      case ${index + 1}: ${text}`).join('\n')}
      default: unreachable()
    }
  }
}
`
}

/**
 * The text of `assembly/dynamic.ts`: the instructions whose gas depends on their operands. `xGas` returns the gas, or
 * an error as a negative number, and changes nothing that the code can observe; `x` performs the instruction.
 */
const DYNAMIC = ['environment', 'hashing', 'memory', 'storage']
  .map((file) => `export * from './${file}'`)
  .join('\n')

export const GENERATED: ReadonlyMap<string, () => string> = new Map([
  ['generated.ts', generate],
  ['dynamic.ts', () => DYNAMIC],
  ['opcodes.ts', () => OPCODES.map(({ name, code }) => `export const ${name}: u32 = ${code}`).join('\n')],
  ['permutation.ts', generatePermutation],
  ['barrett.ts', generateBarrett],
  ['blake2f.ts', generateBlake2f],
])
