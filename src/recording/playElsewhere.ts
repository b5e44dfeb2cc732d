/**
 * Plays the requests of a recording against another node, one after the other. The node has its own blocks and time,
 * so that results which depend on them differ.
 */
import { Comparison } from './comparison.ts'
import type { Played } from './player.ts'
import type { RecordedLine } from './readRecording.ts'
import type { RecordedAnswer, RecordedRequest } from './recordedEvent.ts'

/** Sends a request to the other node. Rejects if the node is not reachable. */
export type AskElsewhere = (method: string, params: readonly unknown[]) => Promise<RecordedAnswer>

/** Plays the requests before line `until`, up to the first difference. */
export async function playElsewhere(
  ask: AskElsewhere,
  events: AsyncIterable<RecordedLine>,
  until: number,
): Promise<Played> {
  const comparison = new Comparison(false)
  const counts = { requests: 0, notAsked: 0, subscriptions: 0 }
  const play = async (line: number, request: RecordedRequest) => {
    const { method, params, answer, number } = request
    if (method === 'eth_subscribe') counts.subscriptions++
    // Subscriptions need a lasting connection, and a request that was never answered would not end.
    if (params === undefined || method === 'eth_subscribe' || answer?.kind === 'never') {
      counts.notAsked++
      return
    }
    counts.requests++
    comparison.ask({ request, line, block: undefined, slice: undefined, time: undefined })
    comparison.answer(number, await ask(method, comparison.ids.translated(method, params)))
  }
  let lastLine = 0
  const playAll = async (): Promise<Played['ending']> => {
    for await (const { line, event } of events) {
      lastLine = line
      if (line >= until) return 'stopped'
      if (event.kind === 'end') return 'end'
      if (event.kind === 'request') await play(line, event)
      if (event.kind === 'answer') comparison.expect(event.request, event.answer)
      if (comparison.difference !== undefined) return 'stopped'
    }
    return 'cut'
  }
  const ending = await playAll()
  return { ...counts, ticks: 0, difference: comparison.difference, ending, lastLine }
}
