/** Fetches values of the state of another node in one batch. */
import { lacksMethod, resultOf } from './answerErrors.ts'
import type { Plan } from './fetchPlan.ts'
import { sendChecked } from './sendChecked.ts'
import type { Fetched } from './sharedValues.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/** What a batch fetched: for each plan a value. */
export interface FetchedBatch {
  readonly fetched: readonly Fetched[]
  /** The guesses; `undefined` for those that the node did not answer as it should. */
  readonly likely: readonly (Fetched | undefined)[]
  /** The answer to the request that went with them. */
  readonly more: UpstreamAnswer | undefined
}

/**
 * Sends the requests of `plans` and of `guesses` together, with `more`. All answers are read before any is kept, here or in a cache: a
 * wrong one leaves nothing. Rejects with `UpstreamFailed`, but not because of a guess.
 */
export function fetchBatch(
  upstream: Upstream,
  plans: readonly Plan[],
  guesses: readonly Plan[],
  more: UpstreamRequest | undefined,
): Promise<FetchedBatch> {
  const requests = plans.flatMap((plan) => plan.requests)
  const optional = guesses.flatMap((plan) => plan.requests.map((one) => ({ ...one, isOptional: true })))
  const all = [...requests, ...optional, ...(more === undefined ? [] : [more])]
  return sendChecked(upstream, all, (answers) => {
    let at = 0
    const next = ({ requests }: Plan) => {
      at += requests.length
      return answers.slice(at - requests.length, at)
    }
    const fetched = plans.map((plan) => {
      const results = next(plan).map((answer, index) => resultIn(upstream, plan.requests[index]!, answer))
      return fetchedBy(plan, results)
    })
    const likely = guesses.map((plan) => fetchedIfSound(plan, next(plan)))
    return { fetched, likely, more: more && answers.at(-1) }
  })
}

function resultIn({ name }: Upstream, request: UpstreamRequest, answer: UpstreamAnswer): unknown {
  requireProofs(name, request, answer)
  return resultOf(name, request, answer)
}

/** Returns what a plan fetched by these results. */
function fetchedBy({ requests, read }: Plan, results: readonly unknown[]): Fetched {
  const exchanges = requests.map(({ method, params }, index) => ({ method, params, result: results[index] }))
  return { keep: read(results), exchanges }
}

/** The same for a value that may be needed: an answer that is an error, or of a wrong form, is as good as none. */
function fetchedIfSound(plan: Plan, answers: readonly UpstreamAnswer[]): Fetched | undefined {
  const results = answers.flatMap((answer) => ('result' in answer ? [answer.result] : []))
  if (results.length < answers.length) return undefined
  try {
    return fetchedBy(plan, results)
  } catch (error) {
    if (!(error instanceof UpstreamFailed) || error.kind === 'wrongProof') throw error
    return undefined
  }
}

/** Throws `UpstreamFailed` if a node says that it has no proofs. */
function requireProofs(upstream: string, { method }: UpstreamRequest, answer: UpstreamAnswer): void {
  if (method !== 'eth_getProof' || 'result' in answer || !lacksMethod(answer.error)) return
  const { code, message } = answer.error
  throw new UpstreamFailed({
    kind: 'refused',
    upstream,
    wrong: 'no proofs',
    came: `the error ${code} "${message}"`,
    right: 'a node with eth_getProof is needed, or do without proofs',
    error: answer.error,
  })
}
