/**
 * The table of opcodes: number, name, since when it is there, what it takes from the stack and puts on it, its static gas under
 * each hardfork, and how it is run. `src/engine/wasm/generate/` makes from it what the module runs, for both readings of code
 * (`assembly/decodeFast.ts`, `assembly/decodeRaw.ts`); `tablesUnder` fills what differs between hardforks.
 */
import type { AnyHardfork, Rules } from '../../model/hardfork/hardfork.ts'

/**
 * How an opcode is run:
 * - `binary`, `unary`, `ternary`: a function of words, from the top of the stack down, and of the place of its result;
 * - `context`: a word of the context is pushed;
 * - `dynamic`: its gas depends on its operands: `<run>Gas` returns it, and then `run` does the rest;
 * - `plain`: a function of the frame and the top of its stack;
 * - `special`: written out in `src/engine/wasm/generate/operations.ts`.
 */
export type Form = 'binary' | 'unary' | 'ternary' | 'context' | 'dynamic' | 'plain' | 'special'

export interface Opcode {
  readonly code: number
  readonly name: string
  /** The hardfork or the EIP that brought it; absent: Frontier. */
  readonly since?: AnyHardfork | number
  readonly takes: number
  readonly puts: number
  /** The gas since each hardfork, oldest first. What depends on operands, and on what is warm, is added by its function. */
  readonly gas: number | readonly (readonly [since: AnyHardfork, gas: number])[]
  readonly form: Form
  /** The function in `assembly/`, or the word of the context. */
  readonly run: string
  /** Whether a result of constants is computed when the code is decoded. */
  readonly folds?: true
  /** What it is fused with: a constant, a copy or an exchange of items before it. */
  readonly after?: readonly ('PUSH' | 'DUP' | 'SWAP')[]
  /** `block`: what follows is checked for itself, because it sees the gas or may not be reached. `code`: nothing follows. */
  readonly ends?: 'block' | 'code'
}

type Rest = Partial<Opcode>

const op = (
  code: number,
  name: string,
  takes: number,
  puts: number,
  gas: Opcode['gas'],
  rest: Rest,
): Opcode => ({
  code,
  name,
  takes,
  puts,
  gas,
  form: 'special',
  run: name.toLowerCase(),
  ...rest,
})

const binary = (code: number, name: string, gas: number, rest: Rest = {}): Opcode =>
  op(code, name, 2, 1, gas, { form: 'binary', ...rest })
const context = (code: number, name: string, run: string, since?: Opcode['since']): Opcode =>
  op(code, name, 0, 1, 2, { form: 'context', run, ...(since === undefined ? {} : { since }) })
const dynamic = (
  code: number,
  name: string,
  takes: number,
  puts: number,
  gas: Opcode['gas'],
  rest: Rest = {},
): Opcode => op(code, name, takes, puts, gas, { form: 'dynamic', ...rest })

const PUSHED = { folds: true, after: ['PUSH', 'DUP'] } as const
const ORDERED = { folds: true, after: ['PUSH', 'DUP', 'SWAP'] } as const

/** The price of reading an account: what is cold costs more from Berlin on (EIP-2929). */
const account = (frontier: number, tangerineWhistle: number, istanbul: number): Opcode['gas'] => [
  ['frontier', frontier],
  ['tangerineWhistle', tangerineWhistle],
  ['istanbul', istanbul],
  ['berlin', 100],
]
const CALL_GAS = account(40, 700, 700)

const range = (length: number, make: (index: number) => Opcode): Opcode[] =>
  Array.from({ length }, (_, i) => make(i))

export const OPCODES: readonly Opcode[] = [
  op(0x00, 'STOP', 0, 0, 0, { ends: 'code' }),
  binary(0x01, 'ADD', 3, PUSHED),
  binary(0x02, 'MUL', 5, PUSHED),
  binary(0x03, 'SUB', 3, ORDERED),
  binary(0x04, 'DIV', 5, ORDERED),
  binary(0x05, 'SDIV', 5, { folds: true }),
  binary(0x06, 'MOD', 5, ORDERED),
  binary(0x07, 'SMOD', 5, { folds: true }),
  op(0x08, 'ADDMOD', 3, 1, 8, { form: 'ternary' }),
  op(0x09, 'MULMOD', 3, 1, 8, { form: 'ternary' }),
  dynamic(0x0a, 'EXP', 2, 1, 10, { run: 'power' }),
  binary(0x0b, 'SIGNEXTEND', 5, { folds: true, after: ['PUSH'] }),
  binary(0x10, 'LT', 3, ORDERED),
  binary(0x11, 'GT', 3, ORDERED),
  binary(0x12, 'SLT', 3, ORDERED),
  binary(0x13, 'SGT', 3, ORDERED),
  binary(0x14, 'EQ', 3, PUSHED),
  op(0x15, 'ISZERO', 1, 1, 3, { form: 'unary', folds: true }),
  binary(0x16, 'AND', 3, PUSHED),
  binary(0x17, 'OR', 3, PUSHED),
  binary(0x18, 'XOR', 3, PUSHED),
  op(0x19, 'NOT', 1, 1, 3, { form: 'unary', folds: true }),
  binary(0x1a, 'BYTE', 3, { run: 'byte', folds: true, after: ['PUSH'] }),
  binary(0x1b, 'SHL', 3, { since: 'constantinople', folds: true, after: ['PUSH', 'SWAP'] }),
  binary(0x1c, 'SHR', 3, { since: 'constantinople', folds: true, after: ['PUSH', 'SWAP'] }),
  binary(0x1d, 'SAR', 3, { since: 'constantinople', folds: true, after: ['PUSH'] }),
  op(0x1e, 'CLZ', 1, 1, 5, { since: 7939, form: 'unary', run: 'leadingZeros' }),
  dynamic(0x20, 'KECCAK256', 2, 1, 30, { run: 'keccak' }),
  op(0x30, 'ADDRESS', 0, 1, 2, {}),
  dynamic(0x31, 'BALANCE', 1, 1, account(20, 400, 700)),
  context(0x32, 'ORIGIN', 'ORIGIN'),
  op(0x33, 'CALLER', 0, 1, 2, {}),
  op(0x34, 'CALLVALUE', 0, 1, 2, {}),
  op(0x35, 'CALLDATALOAD', 1, 1, 3, { form: 'plain' }),
  op(0x36, 'CALLDATASIZE', 0, 1, 2, {}),
  dynamic(0x37, 'CALLDATACOPY', 3, 0, 3),
  op(0x38, 'CODESIZE', 0, 1, 2, {}),
  dynamic(0x39, 'CODECOPY', 3, 0, 3),
  context(0x3a, 'GASPRICE', 'GAS_PRICE'),
  dynamic(0x3b, 'EXTCODESIZE', 1, 1, account(20, 700, 700)),
  dynamic(0x3c, 'EXTCODECOPY', 4, 0, account(20, 700, 700)),
  op(0x3d, 'RETURNDATASIZE', 0, 1, 2, { since: 'byzantium' }),
  dynamic(0x3e, 'RETURNDATACOPY', 3, 0, 3, { since: 'byzantium' }),
  dynamic(0x3f, 'EXTCODEHASH', 1, 1, account(400, 400, 700), { since: 'constantinople' }),
  op(0x40, 'BLOCKHASH', 1, 1, 20, { form: 'plain' }),
  context(0x41, 'COINBASE', 'COINBASE'),
  context(0x42, 'TIMESTAMP', 'TIMESTAMP'),
  context(0x43, 'NUMBER', 'NUMBER'),
  context(0x44, 'DIFFICULTY', 'DIFFICULTY'),
  context(0x45, 'GASLIMIT', 'GAS_LIMIT'),
  context(0x46, 'CHAINID', 'CHAIN_ID', 'istanbul'),
  op(0x47, 'SELFBALANCE', 0, 1, 5, { since: 'istanbul', form: 'plain' }),
  context(0x48, 'BASEFEE', 'BASE_FEE', 3198),
  op(0x49, 'BLOBHASH', 1, 1, 3, { since: 4844, form: 'plain' }),
  context(0x4a, 'BLOBBASEFEE', 'BLOB_BASE_FEE', 7516),
  op(0x50, 'POP', 1, 0, 2, {}),
  op(0x51, 'MLOAD', 1, 1, 3, { after: ['DUP'] }),
  op(0x52, 'MSTORE', 2, 0, 3, { after: ['DUP'] }),
  op(0x53, 'MSTORE8', 2, 0, 3, {}),
  dynamic(0x54, 'SLOAD', 1, 1, [
    ['frontier', 50],
    ['tangerineWhistle', 200],
    ['istanbul', 800],
    ['berlin', 100],
  ]),
  dynamic(0x55, 'SSTORE', 2, 0, 0, { ends: 'block' }),
  op(0x56, 'JUMP', 1, 0, 8, { ends: 'code' }),
  op(0x57, 'JUMPI', 2, 0, 10, { ends: 'block' }),
  op(0x58, 'PC', 0, 1, 2, {}),
  op(0x59, 'MSIZE', 0, 1, 2, {}),
  op(0x5a, 'GAS', 0, 1, 2, { ends: 'block' }),
  op(0x5b, 'JUMPDEST', 0, 0, 1, {}),
  op(0x5c, 'TLOAD', 1, 1, 100, { since: 1153, form: 'plain' }),
  dynamic(0x5d, 'TSTORE', 2, 0, 100, { since: 1153 }),
  dynamic(0x5e, 'MCOPY', 3, 0, 3, { since: 5656 }),
  op(0x5f, 'PUSH0', 0, 1, 2, { since: 3855, run: 'push' }),
  ...range(32, (i) => op(0x60 + i, `PUSH${i + 1}`, 0, 1, 3, { run: 'push' })),
  ...range(16, (i) => op(0x80 + i, `DUP${i + 1}`, i + 1, i + 2, 3, { run: 'dup' })),
  ...range(16, (i) => op(0x90 + i, `SWAP${i + 1}`, i + 2, i + 2, 3, { run: 'swap' })),
  ...range(5, (i) => dynamic(0xa0 + i, `LOG${i}`, i + 2, 0, 375 * (i + 1), { run: `log${i}` })),
  op(0xf0, 'CREATE', 3, 1, 32_000, { ends: 'block' }),
  op(0xf1, 'CALL', 7, 1, CALL_GAS, { run: 'call', ends: 'block' }),
  op(0xf2, 'CALLCODE', 7, 1, CALL_GAS, { run: 'call', ends: 'block' }),
  op(0xf3, 'RETURN', 2, 0, 0, { ends: 'code' }),
  op(0xf4, 'DELEGATECALL', 6, 1, CALL_GAS, { since: 'homestead', run: 'call', ends: 'block' }),
  op(0xf5, 'CREATE2', 4, 1, 32_000, { since: 'constantinople', run: 'create', ends: 'block' }),
  op(0xfa, 'STATICCALL', 6, 1, CALL_GAS, { since: 'byzantium', run: 'call', ends: 'block' }),
  op(0xfd, 'REVERT', 2, 0, 0, { since: 'byzantium', ends: 'code' }),
  op(0xfe, 'INVALID', 0, 0, 0, { ends: 'code' }),
  dynamic(
    0xff,
    'SELFDESTRUCT',
    1,
    0,
    [
      ['frontier', 0],
      ['tangerineWhistle', 5_000],
    ],
    { ends: 'code' },
  ),
]

/** Returns whether an opcode is defined under `rules`. INVALID is not (EIP-141). */
export function isDefined({ code, since }: Opcode, rules: Rules): boolean {
  if (code === 0xfe) return false
  if (since === undefined) return true
  return typeof since === 'number' ? rules.has(since) : rules.since(since)
}

/** Returns the static gas of an opcode under `rules`. */
export function gasOf({ gas }: Opcode, rules: Rules): number {
  if (typeof gas === 'number') return gas
  return gas.findLast(([since]) => rules.since(since))![1]
}

/** Returns the name of an opcode under `rules`; `undefined` if it is not defined. */
export function nameOf(code: number, rules: Rules): string | undefined {
  if (code === 0x44 && rules.since('paris')) return 'PREVRANDAO'
  const opcode = BY_CODE[code]
  return opcode !== undefined && (code === 0xfe || isDefined(opcode, rules)) ? opcode.name : undefined
}

const BY_CODE: readonly (Opcode | undefined)[] = Array.from({ length: 256 }, (_, code) =>
  OPCODES.find((opcode) => opcode.code === code),
)
