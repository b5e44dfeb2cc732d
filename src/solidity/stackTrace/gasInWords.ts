/** Where gas went that was not enough, in words. */
import { isSameRange } from '../source/ast.ts'
import type { Instruction } from '../source/instructions.ts'
import type { Decoded } from './decoded.ts'
import type { RecordedMessage } from './recorder.ts'

/** The part of the steps, in percent, from which on a line is named. */
const MUCH = 50

/** Returns how much gas a message had, and what used most of it. */
export function gasInWords(message: RecordedMessage, decoded: Decoded | undefined): string {
  const { gas } = message.frame
  const parts = [`out of gas: ${number(gas)} gas was not enough`]
  const inCalls = [...message.called].sort(([, a], [, b]) => Number(b.gas - a.gas))[0]
  if (inCalls !== undefined && 2n * inCalls[1].gas >= gas) {
    const [address, { gas: used, count }] = inCalls
    parts.push(
      `${number(used)} went to ${count === 1 ? 'a call' : `${number(BigInt(count))} calls`} of ${address}`,
    )
  } else {
    const line = decoded && busiestLine(decoded)
    if (line !== undefined) parts.push(line)
  }
  return parts.join('; ')
}

/** The line in which most of the steps were that are known: what the compiler added counts for the line before it. */
function busiestLine(decoded: Decoded): string | undefined {
  const counts = new Map<string, number>()
  const lines = new Map<number, string | undefined>()
  const { trail } = decoded.message
  let line: string | undefined
  for (let i = trail.first; i < decoded.length; i++) {
    const step = decoded.step(i)
    if (step === undefined) continue
    if (!lines.has(step.index)) lines.set(step.index, lineOf(decoded, step))
    line = lines.get(step.index) ?? line
    if (line !== undefined) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const known = decoded.length - trail.first
  const [busiest] = [...counts].sort(([, a], [, b]) => b - a)
  const share = busiest === undefined ? 0 : Math.round((100 * busiest[1]) / known)
  return share < MUCH
    ? undefined
    : `${share} % of the last ${number(BigInt(known))} steps were in ${busiest![0]}`
}

function lineOf(decoded: Decoded, step: Instruction): string | undefined {
  const one = decoded.functionOf(step)
  const range = decoded.rangeOf(step)
  // The whole function says nothing.
  if (one === undefined || range === undefined || isSameRange(range, one.range)) return undefined
  const line = one.file.lines?.lineAt(range.start)
  return line === undefined ? undefined : `${one.file.path}:${line}`
}

function number(value: bigint): string {
  return value.toLocaleString('en')
}
