/** Plays a file: its requests in turn, until a response differs from the expected one. */
import { compare, type Difference } from './compare.ts'
import { type IoFile, parseJson } from './ioFile.ts'
import type { Specification } from './specification.ts'

/** Sends a body and returns the response's. */
export type Ask = (body: string) => Promise<string>

export type Outcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly line: number; readonly differences: readonly Difference[] }
  | { readonly kind: 'unanswered'; readonly line: number; readonly reason: string }

/** Plays the file and stops at the first different response, as hive does. */
export async function play(
  { exchanges, isSpecOnly }: IoFile,
  ask: Ask,
  specification?: Specification,
): Promise<Outcome> {
  for (const { line, request, response } of exchanges) {
    let got: unknown
    try {
      const body = await ask(request)
      if (response === undefined) continue
      got = JSON.parse(body)
    } catch (cause) {
      return { kind: 'unanswered', line, reason: cause instanceof Error ? cause.message : String(cause) }
    }
    const { method } = (parseJson(request) ?? {}) as { method?: string }
    const differences = compare(response, got, isSpecOnly, (result) => specification?.check(method, result))
    if (differences.length > 0) return { kind: 'different', line, differences }
  }
  return { kind: 'same' }
}
