/** Counts the instructions that EthereumJS's EVM runs. */
import type { InterpreterStep, Message } from '@ethereumjs/evm'
import { countInstruction, type HitCollector, type HitCounts } from '../hits.ts'

/** A frame whose code may run: its counts are asked for when it does. */
interface CountedFrame {
  readonly message: Message
  /** Its message gets the new address later. */
  readonly isCreation: boolean
  code: Uint8Array | undefined
  counts: HitCounts | undefined
}

/** Returns listeners to the events of an EVM, which report how often code runs to `hits`. */
export function countHits(hits: HitCollector) {
  const frames: CountedFrame[] = []
  return {
    beforeMessage(message: Message): void {
      frames.push({ message, isCreation: message.to === undefined, code: undefined, counts: undefined })
    },

    step({ pc }: InterpreterStep): void {
      const frame = frames.at(-1)!
      if (frame.code === undefined) {
        frame.code = frame.message.code as Uint8Array
        frame.counts = hits.countsOf(frame.code, frame.isCreation)
      }
      if (frame.counts !== undefined) countInstruction(frame.code, frame.counts, pc)
    },

    afterMessage(): void {
      frames.pop()
    },
  }
}
