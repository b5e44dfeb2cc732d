/** geth's 4byteTracer: the selectors that were called, with the number of bytes of arguments. */
import { toHex } from '../../bytes/hex.ts'
import type { Frame } from '../engine.ts'
import type { Tracer } from './tracer.ts'

export function fourByteTracer(): Tracer {
  const counts = new Map<string, number>()
  const open: Frame[] = []
  return {
    enter(frame) {
      open.push(frame)
    },

    // Not in `enter`: only here is it known whether a precompile ran, whose input has no selector.
    exit({ isPrecompile }) {
      const { kind, input } = open.pop()!
      const isCall = kind !== 'CREATE' && kind !== 'CREATE2' && kind !== 'SELFDESTRUCT'
      if (!isCall || isPrecompile || input.length < 4) return
      const key = `${toHex(input.subarray(0, 4))}-${input.length - 4}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },

    finish: () => ({ kind: 'fourByte', counts }),
  }
}
