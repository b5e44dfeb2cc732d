/** The form of each opcode, which says how its code is generated, and the function in `assembly/` that runs it. */
import { OPCODES, type Opcode } from '../../../model/opcodes.ts'

/**
 * The form of an opcode's operation:
 * - `binary`, `unary`, `ternary`: a function of the operands, top of the stack first, and of the place of the result
 * - `context`: pushes a word of the run's context
 * - `dynamic`: `<run>Gas` returns the gas, which depends on the operands; `run` performs the instruction
 * - `plain`: a function of the frame and the top of its stack
 * - `special`: written out in `operations.ts`
 */
export type Form = 'binary' | 'unary' | 'ternary' | 'context' | 'dynamic' | 'plain' | 'special'

export interface Instruction extends Opcode {
  readonly form: Form
  /** The name of the function in `assembly/`; for the form `context`, the name of the pushed word. */
  readonly run: string
  /** Whether the decoder computes the operation if its operands are constants. */
  readonly folds: boolean
  /** The kinds of preceding instructions with which the opcode can be fused. */
  readonly after: readonly Fused[]
}

export type Fused = 'PUSH' | 'DUP' | 'SWAP'

const FORMS: Readonly<Record<Exclude<Form, 'special'>, string>> = {
  binary: 'ADD MUL SUB DIV SDIV MOD SMOD SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR',
  unary: 'ISZERO NOT CLZ',
  ternary: 'ADDMOD MULMOD',
  context: 'ORIGIN GASPRICE COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID BASEFEE BLOBBASEFEE',
  dynamic:
    'EXP KECCAK256 BALANCE CALLDATACOPY CODECOPY EXTCODESIZE EXTCODECOPY RETURNDATACOPY EXTCODEHASH SLOAD SSTORE TSTORE MCOPY ' +
    'LOG0 LOG1 LOG2 LOG3 LOG4 SELFDESTRUCT',
  plain: 'CALLDATALOAD BLOCKHASH SELFBALANCE BLOBHASH TLOAD',
}

const FUSED: Readonly<Record<Fused, string>> = {
  PUSH: 'ADD MUL SUB DIV MOD SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR',
  DUP: 'ADD MUL SUB DIV MOD LT GT SLT SGT EQ AND OR XOR MLOAD MSTORE',
  SWAP: 'SUB DIV MOD LT GT SLT SGT SHL SHR',
}

/** The functions and context words whose names differ from the name of the opcode. */
const RUN: Readonly<Record<string, string>> = {
  EXP: 'power',
  KECCAK256: 'keccak',
  GASPRICE: 'GAS_PRICE',
  PREVRANDAO: 'DIFFICULTY',
  GASLIMIT: 'GAS_LIMIT',
  CHAINID: 'CHAIN_ID',
  BASEFEE: 'BASE_FEE',
  BLOBBASEFEE: 'BLOB_BASE_FEE',
  CALLCODE: 'call',
  DELEGATECALL: 'call',
  STATICCALL: 'call',
  CREATE2: 'create',
}

const has = (names: string, name: string) => names.split(' ').includes(name)

function instructionOf(opcode: Opcode): Instruction {
  const { name } = opcode
  const forms = Object.keys(FORMS) as (keyof typeof FORMS)[]
  const form = forms.find((candidate) => has(FORMS[candidate], name)) ?? 'special'
  const own = form === 'context' ? name : name.toLowerCase()
  return {
    ...opcode,
    form,
    run: RUN[name] ?? own.replace(/^(push|dup|swap|log)\d+$/, '$1'),
    folds: form === 'binary' || name === 'ISZERO' || name === 'NOT',
    after: (['PUSH', 'DUP', 'SWAP'] as const).filter((kind) => has(FUSED[kind], name)),
  }
}

export const INSTRUCTIONS: readonly Instruction[] = OPCODES.map(instructionOf)
