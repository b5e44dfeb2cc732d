/** Asks for what a transaction did: it is run once more. */
import type { DebugRunAnswer } from '../../wire/debugRun.ts'
import type { CallFrame } from './answers.ts'
import { source } from './index.ts'

/** More steps are not shown. */
const MOST_STEPS = 50_000

/** Resolves with the run of an included transaction as its Solidity sources tell it. */
export function sourceRun(hash: string): Promise<DebugRunAnswer> {
  const request = { tracer: 'soliditySource', tracerConfig: { limit: MOST_STEPS } }
  return source().request('debug_traceTransaction', [hash, request])
}

/** Resolves with the call tree of an included transaction, with its events and places in the sources. */
export function callTrace(hash: string): Promise<CallFrame> {
  return source().request('debug_traceTransaction', [
    hash,
    { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } },
  ])
}
