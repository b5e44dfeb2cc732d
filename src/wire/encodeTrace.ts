/** Encodes traces as geth does (execution-apis `opcode-tracer.yaml`, `call-tracer.yaml`). */
import { type Address, EMPTY_BYTES, type Hash, type Hex, hexOf, toHex } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import type {
  CallFrame,
  FlatFrame,
  FrameAccess,
  FrameLog,
  PrestateAccount,
  StructStep,
  Trace,
} from '../model/execution/trace.ts'
import { forEachPaused, type Work } from '../work/work.ts'
import { encodeFlatCalls, encodePlace, type TransactionPlace } from './encodeFlatCall.ts'
import { encodeBytes, encodeQuantity, encodeWord } from './hex.ts'
import type { JsonObject } from './parser.ts'

export interface RpcCallFrame {
  readonly type: string
  readonly from: Address
  readonly to?: Address
  readonly value?: Hex
  readonly gas: Hex
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly revertReason?: string
  readonly calls?: readonly RpcCallFrame[]
  readonly logs?: readonly RpcCallLog[]
  readonly source?: { readonly file: string; readonly line: number; readonly column: number }
  readonly [field: string]: unknown
}

export interface RpcCallLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly index: Hex
  /** The number of calls that the frame had made before this log. */
  readonly position: Hex
}

/** Instructions that use this much gas take about as long as encoding one frame. */
const FRAME_GAS = 50

/** Encodes a trace, of a transaction at `place`. Returns to the event loop regularly during a long trace. */
export async function encodeTrace(trace: Trace, work: Work, place?: TransactionPlace): Promise<unknown> {
  switch (trace.kind) {
    case 'struct': {
      const structLogs: JsonObject[] = []
      const encoders = { stack: stackEncoder(), memory: memoryEncoder() }
      await forEachPaused(work, trace.steps, (step) => structLogs.push(encodeStep(step, encoders)))
      return {
        gas: Number(trace.gasUsed),
        failed: trace.failed,
        returnValue: encodeBytes(trace.returnValue),
        structLogs,
      }
    }
    case 'call':
      return encodeFrame(trace.root, work)
    case 'erc7562': {
      const { root, keccakPreimages } = trace
      const frame = await encodeFrame(root, work)
      return keccakPreimages.length === 0 ? frame : { ...frame, keccak: keccakPreimages.map(encodeBytes) }
    }
    case 'flat':
      return trace.frames.map(encodeFlatFrame)
    case 'flatCall':
      return encodeFlatCalls(trace.root, trace.convertParityErrors, place)
    case 'mux': {
      const traces: JsonObject = {}
      for (const [name, one] of trace.traces) traces[name] = await encodeTrace(one, work, place)
      return traces
    }
    case 'prestate':
      return encodeAccounts(trace.accounts)
    case 'stateDiff':
      return { post: encodeAccounts(trace.post), pre: encodeAccounts(trace.pre) }
    case 'fourByte':
      return Object.fromEntries(trace.counts)
    case 'javascript':
      return trace.value
    case 'noop':
      return {}
  }
}

interface Encoders {
  readonly stack: (stack: readonly bigint[]) => Hex[]
  readonly memory: (memory: Uint8Array) => Hex[]
}

function encodeStep(step: StructStep, encode: Encoders): JsonObject {
  const { error, stack, memory, returnData, storage } = step
  const encoded: JsonObject = {
    pc: step.pc,
    op: step.name,
    gas: Number(step.gas),
    gasCost: Number(step.cost),
    depth: step.depth,
    refund: Number(step.refund),
  }
  if (error !== undefined) encoded.error = error
  if (stack !== undefined) encoded.stack = encode.stack(stack)
  if (returnData !== undefined) encoded.returnData = encodeBytes(returnData)
  if (memory !== undefined) encoded.memory = encode.memory(memory)
  if (storage !== undefined) encoded.storage = encodeSlots(storage)
  return encoded
}

/** Returns an encoder for the stacks of consecutive steps. The encoder reuses the hex of unchanged items. */
function stackEncoder(): Encoders['stack'] {
  let last: readonly bigint[] = []
  let lastTexts: readonly Hex[] = []
  return (stack) => {
    const texts: Hex[] = []
    for (let i = 0; i < stack.length; i++) {
      texts.push(stack[i] === last[i] ? lastTexts[i]! : encodeQuantity(stack[i]!))
    }
    last = stack
    lastTexts = texts
    return texts
  }
}

/** Returns an encoder for the memory of consecutive steps. The encoder reuses the hex of unchanged words. */
function memoryEncoder(): Encoders['memory'] {
  let last = EMPTY_BYTES
  let lastTexts: Hex[] = []
  return (memory) => {
    if (memory === last) return lastTexts
    const texts: Hex[] = []
    for (let at = 0; at < memory.length; at += 32) {
      texts.push(isSameWord(memory, last, at) ? lastTexts[at / 32]! : hexOf(memory, at, 32))
    }
    last = memory
    lastTexts = texts
    return texts
  }
}

function isSameWord(one: Uint8Array, other: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 32; i++) if (one[i] !== other[i]) return false
  return true
}

async function encodeFrame(frame: CallFrame, work: Work): Promise<RpcCallFrame> {
  const { to, value, output, error, revertReason, logs } = frame
  const calls: RpcCallFrame[] = []
  for (const call of frame.calls) {
    const pause = work.pauseAfter(FRAME_GAS)
    if (pause !== undefined) await pause
    calls.push(await encodeFrame(call, work))
  }
  return {
    type: frame.kind,
    from: frame.from,
    ...(to === undefined ? {} : { to }),
    ...(value === undefined ? {} : { value: encodeQuantity(value) }),
    gas: encodeQuantity(frame.gas),
    gasUsed: encodeQuantity(frame.gasUsed),
    input: encodeBytes(frame.input),
    ...(output.length === 0 ? {} : { output: toHex(output) }),
    ...(error === undefined ? {} : { error }),
    ...(revertReason === undefined ? {} : { revertReason }),
    ...(calls.length === 0 ? {} : { calls }),
    ...(logs.length === 0 ? {} : { logs: logs.map(encodeFrameLog) }),
    ...(frame.access === undefined ? {} : encodeAccess(frame.access)),
    ...(frame.source === undefined ? {} : { source: frame.source }),
  }
}

function encodeAccess(access: FrameAccess): JsonObject {
  const { reads, writes, transientReads, transientWrites, codeReads, codeSizes } = access
  const counts = (slots: ReadonlyMap<bigint, number>) =>
    Object.fromEntries([...slots].map(([slot, count]) => [encodeWord(slot), count]))
  return {
    accessedSlots: {
      reads: Object.fromEntries([...reads].map(([slot, value]) => [encodeWord(slot), [encodeWord(value)]])),
      writes: counts(writes),
      transientReads: counts(transientReads),
      transientWrites: counts(transientWrites),
    },
    extCodeAccessInfo: [...codeReads],
    usedOpcodes: Object.fromEntries(
      [...access.usedOpcodes].map(([opcode, count]) => [encodeQuantity(opcode), count]),
    ),
    contractSize: Object.fromEntries(
      [...codeSizes].map(([account, { size, opcode }]) => [account, { contractSize: size, opcode }]),
    ),
    outOfGas: access.isOutOfGas,
  }
}

function encodeFrameLog({ address, topics, data, index, position }: FrameLog): RpcCallLog {
  return {
    address,
    topics: [...topics],
    data: encodeBytes(data),
    index: encodeQuantity(index),
    position: encodeQuantity(position),
  }
}

function encodeAccounts(accounts: ReadonlyMap<Address, PrestateAccount>): JsonObject {
  return Object.fromEntries([...accounts].map(([address, account]) => [address, encodeAccount(account)]))
}

/** As in geth, the nonce is a JSON number, and absent if zero. */
function encodeAccount({ balance, nonce, code, codeHash, storage }: PrestateAccount): JsonObject {
  return {
    ...(balance === undefined ? {} : { balance: encodeQuantity(balance) }),
    ...(code === undefined ? {} : { code: encodeBytes(code) }),
    ...(codeHash === undefined ? {} : { codeHash }),
    ...(nonce === undefined || nonce === 0n ? {} : { nonce: Number(nonce) }),
    ...(storage.size === 0 ? {} : { storage: encodeSlots(storage) }),
  }
}

function encodeSlots(slots: ReadonlyMap<bigint, bigint>): JsonObject {
  return Object.fromEntries([...slots].map(([slot, value]) => [encodeWord(slot), encodeWord(value)]))
}

/** Encodes slots as an object, keyed by the hashes of their keys, as geth's `debug_storageRangeAt` does. */
export function encodeStorageRange(
  slots: readonly { readonly hash: Hash; readonly slot: bigint; readonly value: bigint }[],
  next: Hash | undefined,
): JsonObject {
  return {
    storage: Object.fromEntries(
      slots.map(({ hash, slot, value }) => [hash, { key: encodeWord(slot), value: encodeWord(value) }]),
    ),
    nextKey: next ?? null,
  }
}

/** Encodes the frames of a transaction. Block number and transaction index are JSON numbers. */
export function encodeFlatTrace(frames: readonly FlatFrame[], block: Block, index: number): JsonObject[] {
  const place = encodePlace({ block, index })
  return frames.map((frame) => ({ ...encodeFlatFrame(frame), ...place }))
}

export function encodeFlatFrame(frame: FlatFrame): JsonObject {
  const { error, path, subtraces } = frame
  return {
    ...encodeAction(frame),
    ...(error === undefined ? {} : { error }),
    subtraces,
    traceAddress: [...path],
  }
}

function encodeAction(frame: FlatFrame): JsonObject {
  const { kind, from, to, input, output, error, isReverted } = frame
  const gas = encodeQuantity(frame.gas)
  const gasUsed = encodeQuantity(frame.gasUsed)
  const value = encodeQuantity(frame.value ?? 0n)
  switch (kind) {
    case 'SELFDESTRUCT':
      return { type: 'suicide', action: { address: from, balance: value, refundAddress: to }, result: null }
    case 'CREATE':
    case 'CREATE2': {
      const creationMethod = kind.toLowerCase()
      return {
        type: 'create',
        action: { from, gas, init: encodeBytes(input), value, creationMethod },
        result: error === undefined ? { address: to, code: encodeBytes(output), gasUsed } : null,
      }
    }
    default:
      return {
        type: 'call',
        action: { from, callType: kind.toLowerCase(), gas, input: encodeBytes(input), to, value },
        // Of the failed frames, only reverted ones have a result.
        result: error === undefined || isReverted ? { gasUsed, output: encodeBytes(output) } : null,
      }
  }
}
