/**
 * geth's erc7562Tracer (eth/tracers/native/erc7562.go): the calls of callTracer, each with what its code accessed.
 * Bundlers check the validation of ERC-4337 user operations with it (ERC-7562).
 */
import { type Address, toHex } from '../../bytes/hex.ts'
import type { CallFrame, Erc7562Options, FrameAccess, Trace } from '../../model/execution/trace.ts'
import { OP } from '../../model/opcodes.ts'
import type { Step } from '../engine.ts'
import { callTracer } from './callTracer.ts'
import { DEPOSIT_OUT_OF_GAS, OUT_OF_GAS } from './failures.ts'
import { FRAME_OPENERS, fromTop, isCreation, readMemory, toAddress } from './operands.ts'
import type { TraceBudget, Tracer } from './tracer.ts'

/** Approximate memory of a frame, and of a collected address, slot or opcode, in bytes. */
const FRAME_BYTES = 1_000
const ENTRY_BYTES = 200

/** The accesses of one frame during the run. `calls` has those of its inner calls, in the order of the call frame's. */
interface Accesses {
  readonly reads: Map<bigint, bigint>
  readonly writes: Map<bigint, number>
  readonly transientReads: Map<bigint, number>
  readonly transientWrites: Map<bigint, number>
  readonly codeReads: Address[]
  readonly usedOpcodes: Map<number, number>
  readonly codeSizes: Map<Address, { readonly size: number; readonly opcode: number }>
  isOutOfGas: boolean
  readonly calls: Accesses[]
}

export function erc7562Tracer(
  { withLog, ignoredOpcodes = IGNORED }: Erc7562Options,
  budget: TraceBudget,
): Tracer {
  const calls = callTracer({ onlyTopCall: false, withLog }, budget)
  const preimages = new Map<string, Uint8Array>()
  const open: Accesses[] = []
  let root: Accesses | undefined
  let last: { readonly opcode: number; readonly account: Address } | undefined

  const count = <Key>(counts: Map<Key, number>, key: Key): void => {
    const before = counts.get(key) ?? 0
    if (before === 0) budget.take(ENTRY_BYTES)
    counts.set(key, before + 1)
  }

  const noteStorage = ({ opcode, stack, state, address }: Step, accesses: Accesses): void => {
    const slot = fromTop(stack, 0)
    if (opcode === OP.SSTORE) count(accesses.writes, slot)
    else if (opcode === OP.TLOAD) count(accesses.transientReads, slot)
    else if (opcode === OP.TSTORE) count(accesses.transientWrites, slot)
    else if (opcode === OP.SLOAD && !accesses.reads.has(slot) && !accesses.writes.has(slot)) {
      budget.take(ENTRY_BYTES)
      accesses.reads.set(slot, state.storage(address, slot))
    }
  }

  const noteCode = ({ opcode, stack, state }: Step, { codeSizes }: Accesses): void => {
    const account = toAddress(fromTop(stack, READS_CODE.has(opcode) ? 0 : 1))
    if (codeSizes.has(account)) return
    budget.take(ENTRY_BYTES)
    codeSizes.set(account, { size: state.code(account).length, opcode })
  }

  const notePreimage = ({ stack, memory }: Step): void => {
    const preimage = readMemory(memory, fromTop(stack, 0), fromTop(stack, 1))
    const key = toHex(preimage)
    if (preimages.has(key)) return
    budget.take(ENTRY_BYTES + 3 * preimage.length)
    preimages.set(key, preimage)
  }

  return {
    ...calls,

    enter(frame) {
      calls.enter?.(frame)
      budget.take(FRAME_BYTES)
      const accesses = noAccesses()
      open.at(-1)?.calls.push(accesses)
      root ??= accesses
      open.push(accesses)
    },

    step(step) {
      calls.step?.(step)
      const { opcode } = step
      const accesses = open.at(-1)!
      if (opcode === OP.RETURN || opcode === OP.REVERT) last = undefined
      if (last !== undefined && READS_CODE.has(last.opcode)) {
        // ERC-7562, OP-051: a check whether an account has code is no read of the code.
        const isCheck = last.opcode === OP.EXTCODESIZE && opcode === OP.ISZERO
        if (!isCheck) {
          budget.take(ENTRY_BYTES)
          accesses.codeReads.push(last.account)
        }
      }
      const readsCode = READS_CODE.has(opcode)
      if (readsCode || isCall(opcode)) noteCode(step, accesses)
      // ERC-7562, OP-012: GAS is allowed directly before a call.
      if (last?.opcode === OP.GAS && !isCall(opcode)) count(accesses.usedOpcodes, OP.GAS)
      if (opcode !== OP.GAS && !ignoredOpcodes.has(opcode)) count(accesses.usedOpcodes, opcode)
      if (STORAGE.has(opcode)) noteStorage(step, accesses)
      if (opcode === OP.KECCAK256) notePreimage(step)
      last = { opcode, account: readsCode ? toAddress(fromTop(step.stack, 0)) : step.address }
    },

    exit(exit) {
      calls.exit?.(exit)
      const error = exit.failure?.error
      const left = open.pop()!
      left.isOutOfGas = open.length > 0 && (error === OUT_OF_GAS || error === DEPOSIT_OUT_OF_GAS)
    },

    finish: (end): Trace => ({
      kind: 'erc7562',
      root: withAccesses(calls.finish(end).root, root!),
      keccakPreimages: [...preimages.entries()].sort(byKey).map(([, preimage]) => preimage),
    }),
  }
}

const READS_CODE: ReadonlySet<number> = new Set([OP.EXTCODEHASH, OP.EXTCODESIZE, OP.EXTCODECOPY])
const STORAGE: ReadonlySet<number> = new Set([OP.SLOAD, OP.SSTORE, OP.TLOAD, OP.TSTORE])

function isCall(opcode: number): boolean {
  const kind = FRAME_OPENERS.get(opcode)
  return kind !== undefined && !isCreation(kind)
}

const IGNORED: ReadonlySet<number> = new Set([
  ...Array.from({ length: OP.SWAP16 - OP.PUSH0 + 1 }, (_, i) => OP.PUSH0 + i),
  ...[OP.POP, OP.ADD, OP.SUB, OP.MUL, OP.DIV, OP.EQ, OP.LT, OP.GT],
  ...[OP.SLT, OP.SGT, OP.SHL, OP.SHR, OP.AND, OP.OR, OP.NOT, OP.ISZERO],
])

function noAccesses(): Accesses {
  return {
    reads: new Map(),
    writes: new Map(),
    transientReads: new Map(),
    transientWrites: new Map(),
    codeReads: [],
    usedOpcodes: new Map(),
    codeSizes: new Map(),
    isOutOfGas: false,
    calls: [],
  }
}

function withAccesses(frame: CallFrame, accesses: FrameAccess & Pick<Accesses, 'calls'>): CallFrame {
  return {
    ...frame,
    access: accesses,
    calls: frame.calls.map((call, i) => withAccesses(call, accesses.calls[i]!)),
  }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
