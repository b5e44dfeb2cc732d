/**
 * The operations of the interpreter, as cases of one `switch`: they implement the instructions of both readings
 * (`wasm/assembly/decodeRaw.ts`). Most are generated from the table of opcodes (`forms.ts`).
 *
 * In the text of a case, `ip` is the instruction, `sp` the top of the stack, `gas` the gas left, `mem` the frame's
 * memory and `size` its size.
 */
import { INSTRUCTIONS, type Instruction } from './forms.ts'

export interface Operation {
  readonly name: string
  readonly text: string
}

const NEXT = 'ip += 16; continue'
const OPERAND = 'load<u32>(ip, 4)'
const TARGET = 'load<u32>(ip, 8)'

const leave = (exit: string) => `{ leave(frame, ip, sp, gas); return ${exit} }`

/** Returns the code that charges the gas `cost`. A negative `cost` is an error. */
const charge = (cost: string) =>
  `const cost = ${cost}; if (<u64>cost > <u64>gas) ${leave('cost < 0 ? <i32>-cost : OUT_OF_GAS')}; gas -= cost;`

/** Returns the code that extends the memory up to `end`, a u64, and charges the gas. */
const reach = (end: string) => `const end = ${end}; if (end > size) { ${charge('memoryGas(frame, end)')}
  extend(frame, end); mem = load<u32>(frame, FRAME_MEMORY); size = load<u32>(frame, FRAME_MEMORY_SIZE) }`

const MEMORY_IS_NEW = 'mem = load<u32>(frame, FRAME_MEMORY); size = load<u32>(frame, FRAME_MEMORY_SIZE);'

const moved = (items: number) =>
  items === 0 ? '' : items > 0 ? `sp += ${items * 32};` : `sp -= ${-items * 32};`

/** Charges the gas of a basic block and checks its stack limits. */
const CHECK = `gas -= <i64>${OPERAND}
    if (gas < floor || <u32>(sp - bottom) - <u32>load<u16>(ip, 2) > <u32>load<u16>(ip, 12)) {
      const isPause = gas >= 0 && <u32>(sp - bottom) - <u32>load<u16>(ip, 2) <= <u32>load<u16>(ip, 12)
      gas += <i64>${OPERAND}
      ${leave('isPause ? EXIT_PAUSE : BLOCK_FAILED')}
    }`

const SPECIAL: Readonly<Record<string, string>> = {
  BLOCK: `{ ${CHECK} ${NEXT} }`,
  // The counter follows the instruction.
  COUNTED_BLOCK: `{ ${CHECK} store<u32>(ip, load<u32>(ip, 20) + (load<u32>(HITS) >> 1), 20); ip += 32; continue }`,
  NEXT: leave('EXIT_DECODE'),
  LINK: leave('EXIT_DECODE'),
  STEP: `{
    const opcode = <u32>load<u16>(ip, 2)
    if (gas < floor) ${leave('EXIT_PAUSE')}
    if (isWatched) { leave(frame, ip, sp, gas); stepped(frame, sp, ${OPERAND}, opcode) }
    store<u32>(frame, opcode, FRAME_LAST)
    const height = <u32>(sp - bottom) >> 5
    const taken = <u32>load<u8>(STACK_IN + opcode)
    const cost = <i64>load<u32>(STATIC_GAS + (opcode << 2))
    if (height < taken || height - taken + <u32>load<u8>(STACK_OUT + opcode) > 1024 || gas < cost) ${leave('BLOCK_FAILED')}
    gas -= cost
    ${NEXT} }`,
  PUSH: `{ sp += 32; copy(sp, ${OPERAND}); ${NEXT} }`,
  PUSH_SMALL: `{ sp += 32; put(sp, load<u64>(ip, 8)); ${NEXT} }`,
  CONTEXT: `{ sp += 32; copy(sp, ${OPERAND}); ${NEXT} }`,
  DUP: `{ copy(sp + 32, sp - ${OPERAND}); sp += 32; ${NEXT} }`,
  SWAP: `{ swap(sp, sp - ${OPERAND}); ${NEXT} }`,
  SWAP_POP: `{ copy(sp - ${OPERAND}, sp); sp -= 32; ${NEXT} }`,
  POP: `{ sp -= ${OPERAND}; ${NEXT} }`,
  STOP: leave('EXIT_STOP'),
  INVALID: `{ store<u32>(frame, load<u16>(ip, 2), FRAME_LAST); leave(frame, ip, sp, gas); return INVALID_OPCODE }`,
  ADDRESS: `{ sp += 32; copy(sp, load<u32>(frame, FRAME_ACCOUNT) + ACCOUNT_ADDRESS); ${NEXT} }`,
  CALLER: `{ sp += 32; copy(sp, load<u32>(frame, FRAME_CALLER) + ACCOUNT_ADDRESS); ${NEXT} }`,
  CALLVALUE: `{ sp += 32; copy(sp, frame + FRAME_VALUE); ${NEXT} }`,
  CALLDATASIZE: `{ sp += 32; put(sp, load<u32>(frame, FRAME_DATA_LENGTH)); ${NEXT} }`,
  CALLDATALOAD_AT: `{ sp += 32; readCalldata(frame, load<u64>(ip, 8), sp); ${NEXT} }`,
  RETURNDATASIZE: `{ sp += 32; put(sp, load<u32>(RETURN_LENGTH)); ${NEXT} }`,
  MSIZE: `{ sp += 32; put(sp, size); ${NEXT} }`,
  GAS: `{ noteGasUse(${OPERAND}); sp += 32; put(sp, gas); ${NEXT} }`,
  MLOAD: `{ ${reach('endAt(sp, 32)')}; reverse(sp, mem + <usize>load<u64>(sp)); ${NEXT} }`,
  MLOAD_AT: `{ ${reach('load<u64>(ip, 8) + 32')}; sp += 32; reverse(sp, mem + <usize>load<u64>(ip, 8)); ${NEXT} }`,
  MLOAD_D: `{ const at = sp - ${OPERAND}; ${reach('endAt(at, 32)')}; sp += 32; reverse(sp, mem + <usize>load<u64>(at)); ${NEXT} }`,
  MSTORE: `{ ${reach('endAt(sp, 32)')}; reverse(mem + <usize>load<u64>(sp), sp - 32); sp -= 64; ${NEXT} }`,
  MSTORE_AT: `{ ${reach('load<u64>(ip, 8) + 32')}; reverse(mem + <usize>load<u64>(ip, 8), sp); sp -= 32; ${NEXT} }`,
  MSTORE_D: `{ const at = sp - ${OPERAND}; ${reach('endAt(at, 32)')}; reverse(mem + <usize>load<u64>(at), sp); sp -= 32; ${NEXT} }`,
  MSTORE8: `{ ${reach('endAt(sp, 1)')}; store<u8>(mem + <usize>load<u64>(sp), load<u8>(sp - 32)); sp -= 64; ${NEXT} }`,
  RETURN: `{ ${reach('endOf(sp, sp - 32)')}; output(frame, sp, mem); ${leave('EXIT_RETURN')} }`,
  REVERT: `{ ${reach('endOf(sp, sp - 32)')}; output(frame, sp, mem); ${leave('EXIT_REVERT')} }`,
  CALL: leave('EXIT_CALL'),
  CREATE: leave('EXIT_CREATE'),
  JUMP: `{
    const to = destination(sp, cells, mask)
    if (to == 0) ${leave('EXIT_DECODE')}
    sp -= 32; ip = to; continue }`,
  JUMPI: `{
    if (isZero(sp - 32)) { sp -= 64; ${NEXT} }
    const to = destination(sp, cells, mask)
    if (to == 0) ${leave('EXIT_DECODE')}
    sp -= 64; ip = to; continue }`,
}

/** Jumps to known positions. The last operand of the instruction is the target. */
const JUMPS: Readonly<Record<string, string>> = {
  JUMP_TO: `{ ip = ${TARGET}; continue }`,
  JUMP_TO_IF: `{ const is = !isZero(sp); sp -= 32; ip = is ? ${TARGET} : ip + 16; continue }`,
  JUMP_TO_UNLESS: `{ const is = isZero(sp); sp -= 32; ip = is ? ${TARGET} : ip + 16; continue }`,
}

/** The conditions of comparisons. `a` is the top of the stack, `b` the item below. */
const COMPARISONS: Readonly<Record<string, (a: string, b: string) => string>> = {
  LT: (a, b) => `isLess(${a}, ${b})`,
  GT: (a, b) => `isLess(${b}, ${a})`,
  SLT: (a, b) => `isLessSigned(${a}, ${b})`,
  SGT: (a, b) => `isLessSigned(${b}, ${a})`,
  EQ: (a, b) => `isEqual(${a}, ${b})`,
}

/** By suffix of a fused comparison: the places of its operands, and the number of bytes that it pops. */
const FORMS: Readonly<Record<string, { a: string; b: string; taken: number }>> = {
  '': { a: 'sp', b: 'sp - 32', taken: 64 },
  _K: { a: OPERAND, b: 'sp', taken: 32 },
  _D: { a: `sp - ${OPERAND}`, b: 'sp', taken: 32 },
}

/** Returns the comparisons that are fused with the conditional jump after them. */
function comparedJumps(): Operation[] {
  const operations: Operation[] = []
  const jump = (name: string, test: string, taken: number) =>
    operations.push({
      name,
      text: `{ const is = ${test}; ${taken === 0 ? '' : `sp -= ${taken};`} ip = is ? ${TARGET} : ip + 16; continue }`,
    })
  for (const [name, test] of Object.entries(COMPARISONS)) {
    for (const [form, { a, b, taken }] of Object.entries(FORMS)) {
      jump(`JUMP_IF_${name}${form}`, test(a, b), taken)
      jump(`JUMP_UNLESS_${name}${form}`, `!${test(a, b)}`, taken)
    }
  }
  for (const name of ['LT', 'GT']) {
    // Both operands are copies (DUP). The u32 operand is the place of `a`, the u16 operand the place of `b`.
    const test = COMPARISONS[name]!(`sp - ${OPERAND}`, `sp - <usize>load<u16>(ip, 2)`)
    jump(`JUMP_IF_${name}_DD`, test, 0)
    jump(`JUMP_UNLESS_${name}_DD`, `!${test}`, 0)
  }
  // Compares a copy (DUP) with a constant, as Solidity does when it dispatches functions by selector.
  jump('JUMP_IF_EQ_KEPT', `isEqual(${OPERAND}, sp)`, 0)
  jump('JUMP_IF_GT_KEPT', `isLess(sp, ${OPERAND})`, 0)
  return operations
}

/** Returns the statement that writes the result of an opcode. `a` and `b`: the operands, top of the stack first. */
export function resultTo(result: string, { name, run, form }: Instruction, a: string, b: string): string {
  if (name === 'ISZERO') return `put(${result}, <u64>isZero(${a}))`
  const condition = COMPARISONS[name]?.(a, b)
  if (condition !== undefined) return `put(${result}, <u64>${condition})`
  return form === 'unary' ? `${run}(${a}, ${result})` : `${run}(${a}, ${b}, ${result})`
}

/** Returns the operations of an opcode: the plain operation, and its fusions with preceding instructions. */
function operationsOf(instruction: Instruction): Operation[] {
  const { name, form, run, takes, puts, after } = instruction
  const result = (to: string, a: string, b: string) => resultTo(to, instruction, a, b)
  switch (form) {
    case 'binary': {
      const fused = {
        PUSH: { name: `${name}_K`, text: `{ ${result('sp', OPERAND, 'sp')}; ${NEXT} }` },
        DUP: { name: `${name}_D`, text: `{ ${result('sp', `sp - ${OPERAND}`, 'sp')}; ${NEXT} }` },
        SWAP: { name: `${name}_S`, text: `{ ${result('sp - 32', 'sp - 32', 'sp')}; sp -= 32; ${NEXT} }` },
      }
      const own = { name, text: `{ ${result('sp - 32', 'sp', 'sp - 32')}; sp -= 32; ${NEXT} }` }
      return [own, ...after.map((before) => fused[before])]
    }
    case 'unary':
      return [{ name, text: `{ ${result('sp', 'sp', '')}; ${NEXT} }` }]
    case 'ternary':
      return [{ name, text: `{ ${run}(sp, sp - 32, sp - 64, sp - 64); sp -= 64; ${NEXT} }` }]
    case 'plain':
      return [{ name, text: `{ ${run}(frame, sp); ${moved(puts - takes)} ${NEXT} }` }]
    case 'dynamic': {
      const ending = name === 'SELFDESTRUCT' ? leave('EXIT_SELFDESTRUCT') : NEXT
      // A long input is not hashed here, because `advance` hashes it in parts.
      const parting = name === 'KECCAK256' ? `if (isLongHash(sp)) ${leave('EXIT_HASH')};` : ''
      const topics = run === 'log' ? `, ${takes - 2}` : ''
      const text = `{ store<i64>(frame, gas, FRAME_GAS); ${charge(`${run}Gas(frame, sp)`)} ${parting}
        ${run}(frame, sp${topics}); ${moved(puts - takes)} ${MEMORY_IS_NEW} ${ending} }`
      return [{ name, text }]
    }
    case 'context':
    case 'special':
      return []
  }
}

/** Returns all operations in the order of their numbers, which start at 1. */
export function operations(): Operation[] {
  const listed = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, text]) => ({ name, text }))
  return [...listed(SPECIAL), ...INSTRUCTIONS.flatMap(operationsOf), ...listed(JUMPS), ...comparedJumps()]
}

/** Returns the operation of an opcode in the raw reading. The fast reading uses it if the opcode is not fused. */
export function operationOf({ name, run, form }: Instruction): string {
  if (form === 'context') return 'CONTEXT'
  if (run === 'push') return 'PUSH'
  if (run === 'dup') return 'DUP'
  if (run === 'swap') return 'SWAP'
  if (run === 'call') return 'CALL'
  if (run === 'create') return 'CREATE'
  // The decoders replace these opcodes with constants.
  if (name === 'PC' || name === 'CODESIZE') return 'PUSH_SMALL'
  if (name === 'JUMPDEST') return 'BLOCK'
  return name
}
