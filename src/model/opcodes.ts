/**
 * The opcodes of the EVM: value, name, hardfork or EIP, numbers of stack items popped and pushed, static gas. Used by
 * the engine (`engine/wasm/generate/` generates the interpreter), tracers, Solidity tools and the page.
 */
import type { AnyHardfork, Rules } from './hardfork/hardfork.ts'

export interface Opcode<Code extends number = number, Name extends string = string> {
  readonly code: Code
  readonly name: Name
  /** The hardfork, or the number of the EIP, that adds the opcode; absent for opcodes of Frontier. */
  readonly since?: AnyHardfork | number
  readonly takes: number
  readonly puts: number
  /** The static gas; if it changed, a list by hardfork, oldest first. Excludes dynamic gas and access costs. */
  readonly gas: number | readonly (readonly [since: AnyHardfork, gas: number])[]
  /**
   * `block`: the instruction ends a basic block, because it reads the remaining gas, or because the next instruction is
   * not always reached. `code`: execution never continues with the next instruction.
   */
  readonly ends?: 'block' | 'code'
}

function op<Code extends number, Name extends string>(
  code: Code,
  name: Name,
  takes: number,
  puts: number,
  gas: Opcode['gas'],
  rest: Pick<Opcode, 'since' | 'ends'> = {},
): Opcode<Code, Name> {
  return { code, name, takes, puts, gas, ...rest }
}

/** Returns the static gas of an account read, without the surcharge for cold accounts since Berlin (EIP-2929). */
const account = (frontier: number, tangerineWhistle: number, istanbul: number): Opcode['gas'] => [
  ['frontier', frontier],
  ['tangerineWhistle', tangerineWhistle],
  ['istanbul', istanbul],
  ['berlin', 100],
]
const CALL_GAS = account(40, 700, 700)
const SELFDESTRUCT_GAS: Opcode['gas'] = [
  ['frontier', 0],
  ['tangerineWhistle', 5_000],
]

const SINGLE = [
  op(0x00, 'STOP', 0, 0, 0, { ends: 'code' }),
  op(0x01, 'ADD', 2, 1, 3),
  op(0x02, 'MUL', 2, 1, 5),
  op(0x03, 'SUB', 2, 1, 3),
  op(0x04, 'DIV', 2, 1, 5),
  op(0x05, 'SDIV', 2, 1, 5),
  op(0x06, 'MOD', 2, 1, 5),
  op(0x07, 'SMOD', 2, 1, 5),
  op(0x08, 'ADDMOD', 3, 1, 8),
  op(0x09, 'MULMOD', 3, 1, 8),
  op(0x0a, 'EXP', 2, 1, 10),
  op(0x0b, 'SIGNEXTEND', 2, 1, 5),
  op(0x10, 'LT', 2, 1, 3),
  op(0x11, 'GT', 2, 1, 3),
  op(0x12, 'SLT', 2, 1, 3),
  op(0x13, 'SGT', 2, 1, 3),
  op(0x14, 'EQ', 2, 1, 3),
  op(0x15, 'ISZERO', 1, 1, 3),
  op(0x16, 'AND', 2, 1, 3),
  op(0x17, 'OR', 2, 1, 3),
  op(0x18, 'XOR', 2, 1, 3),
  op(0x19, 'NOT', 1, 1, 3),
  op(0x1a, 'BYTE', 2, 1, 3),
  op(0x1b, 'SHL', 2, 1, 3, { since: 'constantinople' }),
  op(0x1c, 'SHR', 2, 1, 3, { since: 'constantinople' }),
  op(0x1d, 'SAR', 2, 1, 3, { since: 'constantinople' }),
  op(0x1e, 'CLZ', 1, 1, 5, { since: 7939 }),
  op(0x20, 'KECCAK256', 2, 1, 30),
  op(0x30, 'ADDRESS', 0, 1, 2),
  op(0x31, 'BALANCE', 1, 1, account(20, 400, 700)),
  op(0x32, 'ORIGIN', 0, 1, 2),
  op(0x33, 'CALLER', 0, 1, 2),
  op(0x34, 'CALLVALUE', 0, 1, 2),
  op(0x35, 'CALLDATALOAD', 1, 1, 3),
  op(0x36, 'CALLDATASIZE', 0, 1, 2),
  op(0x37, 'CALLDATACOPY', 3, 0, 3),
  op(0x38, 'CODESIZE', 0, 1, 2),
  op(0x39, 'CODECOPY', 3, 0, 3),
  op(0x3a, 'GASPRICE', 0, 1, 2),
  op(0x3b, 'EXTCODESIZE', 1, 1, account(20, 700, 700)),
  op(0x3c, 'EXTCODECOPY', 4, 0, account(20, 700, 700)),
  op(0x3d, 'RETURNDATASIZE', 0, 1, 2, { since: 'byzantium' }),
  op(0x3e, 'RETURNDATACOPY', 3, 0, 3, { since: 'byzantium' }),
  op(0x3f, 'EXTCODEHASH', 1, 1, account(400, 400, 700), { since: 'constantinople' }),
  op(0x40, 'BLOCKHASH', 1, 1, 20),
  op(0x41, 'COINBASE', 0, 1, 2),
  op(0x42, 'TIMESTAMP', 0, 1, 2),
  op(0x43, 'NUMBER', 0, 1, 2),
  op(0x44, 'PREVRANDAO', 0, 1, 2),
  op(0x45, 'GASLIMIT', 0, 1, 2),
  op(0x46, 'CHAINID', 0, 1, 2, { since: 'istanbul' }),
  op(0x47, 'SELFBALANCE', 0, 1, 5, { since: 'istanbul' }),
  op(0x48, 'BASEFEE', 0, 1, 2, { since: 3198 }),
  op(0x49, 'BLOBHASH', 1, 1, 3, { since: 4844 }),
  op(0x4a, 'BLOBBASEFEE', 0, 1, 2, { since: 7516 }),
  op(0x50, 'POP', 1, 0, 2),
  op(0x51, 'MLOAD', 1, 1, 3),
  op(0x52, 'MSTORE', 2, 0, 3),
  op(0x53, 'MSTORE8', 2, 0, 3),
  op(0x54, 'SLOAD', 1, 1, [
    ['frontier', 50],
    ['tangerineWhistle', 200],
    ['istanbul', 800],
    ['berlin', 100],
  ]),
  op(0x55, 'SSTORE', 2, 0, 0, { ends: 'block' }),
  op(0x56, 'JUMP', 1, 0, 8, { ends: 'code' }),
  op(0x57, 'JUMPI', 2, 0, 10, { ends: 'block' }),
  op(0x58, 'PC', 0, 1, 2),
  op(0x59, 'MSIZE', 0, 1, 2),
  op(0x5a, 'GAS', 0, 1, 2, { ends: 'block' }),
  op(0x5b, 'JUMPDEST', 0, 0, 1),
  op(0x5c, 'TLOAD', 1, 1, 100, { since: 1153 }),
  op(0x5d, 'TSTORE', 2, 0, 100, { since: 1153 }),
  op(0x5e, 'MCOPY', 3, 0, 3, { since: 5656 }),
  op(0x5f, 'PUSH0', 0, 1, 2, { since: 3855 }),
  op(0xf0, 'CREATE', 3, 1, 32_000, { ends: 'block' }),
  op(0xf1, 'CALL', 7, 1, CALL_GAS, { ends: 'block' }),
  op(0xf2, 'CALLCODE', 7, 1, CALL_GAS, { ends: 'block' }),
  op(0xf3, 'RETURN', 2, 0, 0, { ends: 'code' }),
  op(0xf4, 'DELEGATECALL', 6, 1, CALL_GAS, { since: 'homestead', ends: 'block' }),
  op(0xf5, 'CREATE2', 4, 1, 32_000, { since: 'constantinople', ends: 'block' }),
  op(0xfa, 'STATICCALL', 6, 1, CALL_GAS, { since: 'byzantium', ends: 'block' }),
  op(0xfd, 'REVERT', 2, 0, 0, { since: 'byzantium', ends: 'code' }),
  op(0xfe, 'INVALID', 0, 0, 0, { ends: 'code' }),
  op(0xff, 'SELFDESTRUCT', 1, 0, SELFDESTRUCT_GAS, { ends: 'code' }),
]

const series = (count: number, make: (index: number) => Opcode): Opcode[] =>
  Array.from({ length: count }, (_, i) => make(i))

export const OPCODES: readonly Opcode[] = [
  ...SINGLE,
  ...series(32, (i) => op(0x60 + i, `PUSH${i + 1}`, 0, 1, 3)),
  ...series(16, (i) => op(0x80 + i, `DUP${i + 1}`, i + 1, i + 2, 3)),
  ...series(16, (i) => op(0x90 + i, `SWAP${i + 1}`, i + 2, i + 2, 3)),
  ...series(5, (i) => op(0xa0 + i, `LOG${i}`, i + 2, 0, 375 * (i + 1))),
].sort((a, b) => a.code - b.code)

/** The names of the PUSH, DUP, SWAP and LOG opcodes that the source uses as members of `OP`. */
type OfSeries = 'PUSH1' | 'PUSH4' | 'PUSH32' | 'DUP1' | 'SWAP1' | 'SWAP16' | 'LOG0' | 'LOG4'

type Values = { readonly [Row in (typeof SINGLE)[number] as Row['name']]: Row['code'] }

export const OP = Object.fromEntries(OPCODES.map(({ name, code }) => [name, code])) as Values &
  Readonly<Record<OfSeries, number>>

/** The opcodes by value; `undefined` for values without an opcode. */
export const OPCODE_AT: readonly (Opcode | undefined)[] = Array.from({ length: 256 }, (_, code) =>
  OPCODES.find((opcode) => opcode.code === code),
)

/** Returns whether an opcode is defined under `rules`. INVALID is never defined (EIP-141). */
export function isDefined({ code, since }: Opcode, rules: Rules): boolean {
  if (code === OP.INVALID) return false
  if (since === undefined) return true
  return typeof since === 'number' ? rules.has(since) : rules.since(since)
}

export function gasOf({ gas }: Opcode, rules: Rules): number {
  if (typeof gas === 'number') return gas
  return gas.findLast(([since]) => rules.since(since))![1]
}

export function nameOf(code: number, rules: Rules): string | undefined {
  // EIP-4399 renamed DIFFICULTY to PREVRANDAO.
  if (code === OP.PREVRANDAO && !rules.since('paris')) return 'DIFFICULTY'
  const opcode = OPCODE_AT[code]
  return opcode !== undefined && (code === OP.INVALID || isDefined(opcode, rules)) ? opcode.name : undefined
}

export function pushedBytes(opcode: number): number {
  return opcode >= OP.PUSH1 && opcode <= OP.PUSH32 ? opcode - OP.PUSH1 + 1 : 0
}
