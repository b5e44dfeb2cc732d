/**
 * Which instructions stand where their source range says. Optimisers move and repeat what has no effect, with the range of its first
 * place: constants and `msg.sender` (EVM's optimiser, in a block), and via IR all that is computed.
 */

import { pushedBytes } from '../../model/execution/pushedBytes.ts'
import type { SolcInput } from '../artifacts/solcJson.ts'
import { DUP1, SWAP16 } from '../opcodes.ts'

/**
 * `all`: nothing was optimised. `noStack`: not those that only put something on the stack, or move it there. `effects`: only those that
 * have an effect: jumps, calls, logs, stores, ends.
 */
export type Trust = 'all' | 'noStack' | 'effects'

/** Returns which instructions can be trusted that were compiled with the settings of `input`; those that are not known are the worst. */
export function trustIn({ settings }: SolcInput): Trust {
  if (settings === undefined) return 'effects'
  if (settings.optimizer?.enabled !== true) return 'all'
  return settings.viaIR === true ? 'effects' : 'noStack'
}

/** Where parameters and local variables are known to lie on the stack. */
export type KnownStack =
  /** As long as they are in scope. */
  | 'variables'
  /** Parameters at the entry of a function, results at its end: between jumps the optimiser moves them. */
  | 'arguments'
  | 'nothing'

/** Returns what is known of the stack of code that was compiled with the settings of `input`. Via IR the optimiser changes functions, too. */
export function knownStackIn(input: SolcInput): KnownStack {
  const { settings } = input
  if (settings === undefined || settings.viaIR === true) return 'nothing'
  return trustIn(input) === 'all' && settings.optimizer?.details === undefined ? 'variables' : 'arguments'
}

/**
 * Returns what the range of an instruction says. `nothing`: it goes with the instruction before. `maybe`: it may be that of another place.
 */
export function trusted(trust: Trust, opcode: number): 'place' | 'maybe' | 'nothing' {
  if (trust === 'all') return 'place'
  if (isStack(opcode)) return 'nothing'
  return trust === 'noStack' || EFFECTS.has(opcode) ? 'place' : 'maybe'
}

/** Instructions without operands whose result is the same in the whole run, and POP, PC, MSIZE, GAS. */
const CONSTANTS: ReadonlySet<number> = new Set([
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d],
  ...[0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a],
  ...[0x50, 0x58, 0x59, 0x5a, 0x5f],
])

function isStack(opcode: number): boolean {
  return pushedBytes(opcode) > 0 || CONSTANTS.has(opcode) || (opcode >= DUP1 && opcode <= SWAP16)
}

const EFFECTS: ReadonlySet<number> = new Set([
  0x00, // STOP
  0x55, // SSTORE
  0x56, // JUMP
  0x57, // JUMPI
  0x5d, // TSTORE
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4], // LOG0 to LOG4
  ...[0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xfa], // calls, creations, RETURN
  0xfd, // REVERT
  0xfe, // INVALID
  0xff, // SELFDESTRUCT
])
