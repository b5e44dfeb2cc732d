/** What Solidity was doing where a run failed. Loaded when something fails. */
import type { Contract } from './abi/contract.ts'
import type { FindCode } from './artifacts/compilation.ts'
import { Inference } from './stackTrace/inference.ts'
import type { RecordedMessage } from './stackTrace/recorder.ts'
import type { FailureKind, SolidityStackTrace } from './stackTrace/stackTrace.ts'
import { inWords } from './stackTrace/words.ts'

export { type RecordedMessage, type Recording, recordRun } from './stackTrace/recorder.ts'
export type {
  FailureKind,
  SolidityFrame,
  SolidityStackTrace,
  SourcePosition,
} from './stackTrace/stackTrace.ts'

/** A stack trace, and what the innermost message that failed was about. */
export interface InferredStackTrace extends SolidityStackTrace {
  /** What it returned: the data of a revert. */
  readonly returnData: Uint8Array
  /** What it was sent, in wei. */
  readonly value: bigint
}

/**
 * Returns why a recorded run failed, and in which functions; `undefined` if it succeeded, or nothing ran. Of code that
 * `find` does not know the frames have an address only. `find` says what code was compiled from; `abis` decode errors
 * that the ABI of the contract that failed does not have.
 */
export function stackTraceOf(
  recorded: RecordedMessage | undefined,
  find: FindCode,
  abis: Iterable<Contract> = [],
): InferredStackTrace | undefined {
  if (recorded?.exit.failure === undefined) return undefined
  const entries = new Inference(find).entriesOf(recorded)
  const last = entries.at(-1)
  if (last?.message === undefined) return undefined
  const { frame, exit } = last.message
  return {
    kind: last.kind as FailureKind,
    message: inWords(last, abis),
    returnData: exit.output,
    value: frame.value ?? 0n,
    frames: entries.map(({ frame }) => frame).reverse(),
  }
}
