/** Texts of the reasons for which the EVM halts, in the words of other clients. */
import type { HaltReason } from '../../engine/outcome.ts'

/** RETH's names of the reasons. */
export const RETH_HALTS: Record<HaltReason, string> = {
  outOfGas: 'OutOfGas',
  invalidOpcode: 'InvalidFEOpcode',
  invalidJump: 'InvalidJump',
  stackUnderflow: 'StackUnderflow',
  stackOverflow: 'StackOverflow',
  staticStateChange: 'StateChangeDuringStaticCall',
  createCollision: 'CreateCollision',
  codeTooLarge: 'CreateContractSizeLimit',
  initCodeTooLarge: 'CreateInitCodeSizeLimit',
  invalidCode: 'CreateContractStartingWithEF',
  insufficientBalance: 'OutOfFunds',
  precompileFailed: 'PrecompileError',
  other: 'Halt',
}

export const GETH_HALTS: Record<HaltReason, string> = {
  outOfGas: 'out of gas',
  invalidOpcode: 'invalid opcode: INVALID',
  invalidJump: 'invalid jump destination',
  stackUnderflow: 'stack underflow',
  stackOverflow: 'stack limit reached 1024',
  staticStateChange: 'write protection',
  createCollision: 'contract address collision',
  codeTooLarge: 'max code size exceeded',
  initCodeTooLarge: 'max initcode size exceeded',
  invalidCode: 'invalid code: must not begin with 0xef',
  insufficientBalance: 'insufficient balance for transfer',
  precompileFailed: 'precompile failed',
  other: 'execution failed',
}

/** Returns the reason in geth's words. */
export function haltText(reason: HaltReason): string {
  return GETH_HALTS[reason]
}
