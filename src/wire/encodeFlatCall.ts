/** Encodes traces of geth's flatCallTracer (eth/tracers/native/call_flat.go). */
import { type Hash, ZERO_HASH } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import type { CallFrame } from '../model/execution/trace.ts'
import { encodeBytes, encodeQuantity } from './hex.ts'
import type { JsonObject } from './parser.ts'

/** The members that tell where a traced transaction is. */
interface EncodedPlace {
  readonly blockHash: Hash | null
  readonly blockNumber: number
  readonly transactionHash: Hash | null
  readonly transactionPosition: number
}

/** The place of a call that is no transaction of a block. */
const NOWHERE: EncodedPlace = {
  blockHash: null,
  blockNumber: 0,
  transactionHash: null,
  transactionPosition: 0,
}

export interface TransactionPlace {
  readonly block: Block
  readonly index: number
}

/** Encodes a call and the calls in it, in depth-first order. With `inParityTerms`, errors are in Parity's words. */
export function encodeFlatCalls(
  root: CallFrame,
  inParityTerms: boolean,
  at?: TransactionPlace,
): JsonObject[] {
  const place = at === undefined ? NOWHERE : encodePlace(at)
  const flat: JsonObject[] = []
  const add = (frame: CallFrame, path: readonly number[]) => {
    const { error } = frame
    flat.push({
      ...encodeAction(frame),
      ...(error === undefined ? {} : { error: inParityTerms ? parityError(error) : error }),
      subtraces: frame.calls.length,
      traceAddress: [...path],
      ...place,
    })
    for (const [i, call] of frame.calls.entries()) add(call, [...path, i])
  }
  add(root, [])
  return flat
}

export function encodePlace({
  block: { hash, header, transactions },
  index,
}: TransactionPlace): EncodedPlace {
  return {
    blockHash: hash === ZERO_HASH ? null : hash,
    blockNumber: Number(header.number),
    transactionHash: transactions[index]!.hash,
    transactionPosition: index,
  }
}

/** Only frames that succeeded or reverted have a result. */
function encodeAction(frame: CallFrame): JsonObject {
  const { kind, from, to, input, output, error } = frame
  const [gas, gasUsed] = [encodeQuantity(frame.gas), encodeQuantity(frame.gasUsed)]
  const value = frame.value === undefined ? {} : { value: encodeQuantity(frame.value) }
  const address = to === undefined ? {} : { to }
  const resultOf = (members: JsonObject) =>
    error === undefined || error === 'execution reverted' ? { result: { ...members, gasUsed } } : {}
  switch (kind) {
    case 'SELFDESTRUCT': {
      const action = { address: from, balance: encodeQuantity(frame.value ?? 0n), refundAddress: to }
      return { type: 'suicide', action }
    }
    case 'CREATE':
    case 'CREATE2': {
      const action = { creationMethod: kind.toLowerCase(), from, gas, init: encodeBytes(input), ...value }
      const created = to === undefined ? {} : { address: to }
      return { type: 'create', action, ...resultOf({ ...created, code: encodeBytes(output) }) }
    }
    default: {
      const action = {
        callType: kind.toLowerCase(),
        from,
        gas,
        input: encodeBytes(input),
        ...address,
        ...value,
      }
      return { type: 'call', action, ...resultOf({ output: encodeBytes(output) }) }
    }
  }
}

const PARITY_ERRORS: Readonly<Record<string, string>> = {
  'contract creation code storage out of gas': 'Out of gas',
  'out of gas': 'Out of gas',
  'gas uint64 overflow': 'Out of gas',
  'max code size exceeded': 'Out of gas',
  'invalid jump destination': 'Bad jump destination',
  'execution reverted': 'Reverted',
  'return data out of bounds': 'Out of bounds',
  'stack limit reached 1024 (1023)': 'Out of stack',
  'precompiled failed': 'Built-in failed',
  'invalid input length': 'Built-in failed',
}

function parityError(error: string): string {
  if (error.startsWith('invalid opcode:')) return 'Bad instruction'
  if (error.startsWith('stack underflow')) return 'Stack underflow'
  return PARITY_ERRORS[error] ?? error
}
