/** Reads the operands of the instructions that tracers inspect, and reports frames of instructions that run no code. */
import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import { contractAddress, create2Address } from '../../model/account/account.ts'
import type { CallKind } from '../../model/execution/trace.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { OP } from '../../model/opcodes.ts'
import type { FrameExit, FrameFailure, Step, Watcher } from '../engine.ts'

/** Instructions whose first operand, on top of the stack, is an account. */
const ACCOUNT_READERS: ReadonlySet<number> = new Set([
  OP.BALANCE,
  OP.EXTCODESIZE,
  OP.EXTCODECOPY,
  OP.EXTCODEHASH,
  OP.SELFDESTRUCT,
])

const FRAME_KINDS = ['CREATE', 'CALL', 'CALLCODE', 'DELEGATECALL', 'CREATE2', 'STATICCALL'] as const

export const FRAME_OPENERS: ReadonlyMap<number, (typeof FRAME_KINDS)[number]> = new Map(
  FRAME_KINDS.map((kind) => [OP[kind], kind]),
)

/** Returns the stack item at depth `position`; 0 is the top. */
export function fromTop(stack: readonly bigint[], position: number): bigint {
  return stack[stack.length - 1 - position] ?? 0n
}

/** Returns the account that an instruction reads, calls or pays; `undefined` for other instructions. */
export function accountOf({ opcode, stack }: Step): Address | undefined {
  if (ACCOUNT_READERS.has(opcode)) return stack.length < 1 ? undefined : toAddress(fromTop(stack, 0))
  const kind = FRAME_OPENERS.get(opcode)
  if (kind === undefined || isCreation(kind)) return undefined
  return stack.length < 5 ? undefined : toAddress(fromTop(stack, 1))
}

export function slotOf({ opcode, stack }: Step): bigint | undefined {
  return (opcode === OP.SLOAD || opcode === OP.SSTORE) && stack.length > 0 ? fromTop(stack, 0) : undefined
}

/** Returns the address of the contract that an instruction creates; `undefined` for other instructions. */
export function createdBy(step: Step): Address | undefined {
  const { stack, memory, address } = step
  switch (FRAME_OPENERS.get(step.opcode)) {
    case 'CREATE':
      return contractAddress(address, step.state.account(address)?.nonce ?? 0n)
    case 'CREATE2':
      if (stack.length < 4) return undefined
      return create2Address(
        address,
        fromTop(stack, 3),
        readMemory(memory, fromTop(stack, 1), fromTop(stack, 2)),
      )
    default:
      return undefined
  }
}

export function isCreation(kind: CallKind): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}

/**
 * Returns the gas that a call passes to its callee; 0 for creations and other instructions. geth adds this gas to the
 * cost of the call. `left`: the gas left after the instruction's own cost.
 */
export function passedGas(rules: Rules, opcode: number, stack: readonly bigint[], left: bigint): bigint {
  const kind = FRAME_OPENERS.get(opcode)
  if (kind === undefined || isCreation(kind) || left < 0n) return 0n
  const asked = fromTop(stack, 0)
  const most = rules.since('tangerineWhistle') ? left - left / 64n : asked
  return asked < most ? asked : most
}

export function reportSelfDestruct(watcher: Watcher, from: Address, to: Address, value: bigint): void {
  watcher.enter?.({ kind: 'SELFDESTRUCT', from, to, value, input: EMPTY_BYTES, gas: 0n })
  watcher.exit?.(exitWithoutCode(undefined))
}

export function exitWithoutCode(failure: FrameFailure | undefined): FrameExit {
  return { gasUsed: 0n, output: EMPTY_BYTES, failure, createdAddress: undefined, isPrecompile: false }
}

export function toAddress(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}

export function readMemory(memory: Uint8Array, offset: bigint, length: bigint): Uint8Array {
  // The gas for a range beyond `MOST_MEMORY` exceeds all limits, so the instruction fails without reading it.
  if (length === 0n || length > MOST_MEMORY || offset > MOST_MEMORY) return new Uint8Array(0)
  const read = new Uint8Array(Number(length))
  read.set(memory.subarray(Number(offset), Number(offset + length)))
  return read
}

/** 16 MiB, which costs 537 million gas. */
const MOST_MEMORY = 16n * 1024n * 1024n
