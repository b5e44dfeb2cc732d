/**
 * Why a recorded message failed, and in which functions: from what its instructions come from. The rules are those of Hardhat,
 * whose cases decide (NomicFoundation/edr, `edr_solidity`).
 */

import { areEqual } from '../../bytes/bytes.ts'
import { CODE_TOO_LARGE } from '../../engine/trace/failures.ts'
import { isCreation } from '../../engine/trace/opcodes.ts'
import type { CompiledContract, FindCode } from '../artifacts/compilation.ts'
import { adjusted } from './adjustments.ts'
import { agreedOn } from './ambiguous.ts'
import { failureBeforeCall, failureBeforeCreation } from './before.ts'
import { byAbi, fromFunction, placed } from './beginnings.ts'
import { failsRightAfter, isHandedOn, isOfProxy, refusedCall } from './calls.ts'
import { Decoded } from './decoded.ts'
import { type Entries, entry, failure, unknown } from './entry.ts'
import { halted, kindOfHalt } from './halts.ts'
import { callEntry, internalCalls } from './internalCalls.ts'
import type { RecordedMessage } from './recorder.ts'
import { withoutRedundant } from './redundant.ts'
import { atLastInstruction, emptyAccount, kindOfRevert, unmapped } from './reverts.ts'

/** Infers the failures of one run. */
export class Inference {
  readonly #find: FindCode
  /** What was inferred already: a message is asked for once for each contract that its caller may be. */
  readonly #known = new Map<RecordedMessage, Entries>()

  constructor(find: FindCode) {
    this.#find = find
  }

  /** Returns the entries of a message that failed; none for one that succeeded. */
  entriesOf(message: RecordedMessage): Entries {
    let entries = this.#known.get(message)
    if (entries === undefined) {
      entries = this.#infer(message)
      this.#known.set(message, entries)
    }
    return entries
  }

  #infer(message: RecordedMessage): Entries {
    const { frame, exit, code } = message
    if (exit.failure === undefined) return []
    if (exit.isPrecompile) return [unknown('precompile', message)]
    const isNew = isCreation(frame.kind)
    const match = code.length === 0 ? undefined : this.#find(code, isNew)
    if (match === undefined) return this.#ofUnknown(message, isNew)
    if (match.kind === 'contract') return this.#ofContract(message, match.contract)
    return agreedOn(match.contracts.map((contract) => this.#ofContract(message, contract)))
  }

  #ofUnknown(message: RecordedMessage, isNew: boolean): Entries {
    const { exit, last } = message
    // Most contracts hand on what their calls failed with.
    if (last?.message.exit.failure && areEqual(last.message.exit.output, exit.output)) {
      return [unknown('unrecognized', message), ...this.entriesOf(last.message)]
    }
    if (exit.failure?.error === CODE_TOO_LARGE) return [unknown('contractTooLarge', message)]
    return [unknown(isNew ? 'unrecognizedCreation' : 'unrecognizedContract', message)]
  }

  #ofContract(message: RecordedMessage, contract: CompiledContract): Entries {
    const decoded = new Decoded(message, contract)
    const before = decoded.isCreation ? failureBeforeCreation(decoded) : failureBeforeCall(decoded)
    if (before !== undefined) return [before]
    if (decoded.instructions.map.length === 0) return this.#withoutMap(decoded)
    const calls = internalCalls(decoded)
    const entries = this.#inLastMessage(decoded, calls.entries) ??
      refusedCall(decoded, calls.entries) ??
      halted(decoded, calls) ??
      atLastInstruction(decoded, calls) ??
      emptyAccount(decoded, calls.entries) ??
      unmapped(decoded, calls.entries) ?? [
        ...calls.entries,
        failure('otherExecutionError', decoded, placed(decoded, undefined, calls)),
      ]
    return adjusted(decoded, withoutRedundant(entries))
  }

  /** What is known without a source map: which function was called, by the ABI, and what it handed on. */
  #withoutMap(decoded: Decoded): Entries {
    const { last } = decoded.message
    const where = byAbi(decoded)
    if (last?.message.exit.failure && areEqual(last.message.exit.output, decoded.output)) {
      return [entry('call', decoded, where), ...this.entriesOf(last.message)]
    }
    return [failure(kindOfHalt(decoded.message) ?? kindOfRevert(decoded), decoded, where)]
  }

  /** The failure of the last call or creation that the code made, or one right after it. */
  #inLastMessage(decoded: Decoded, entries: Entries): Entries | undefined {
    const { last } = decoded.message
    const call = last && decoded.step(last.at - 1)
    if (last === undefined || call === undefined) return undefined
    const here = callEntry(decoded, call)
    if (last.message.exit.failure === undefined) {
      if (!failsRightAfter(decoded, last.at, call)) return undefined
      const where = { place: here.place, function: here.frame.function, functionKind: here.functionKind }
      return fromFunction(decoded, [...entries, failure('returnDataSize', decoded, where)])
    }
    if (
      !isHandedOn(decoded, last.message, last.at, call) &&
      !isOfProxy(decoded, last.message, call, this.#find)
    ) {
      return undefined
    }
    return fromFunction(decoded, [...entries, here, ...this.entriesOf(last.message)])
  }
}
