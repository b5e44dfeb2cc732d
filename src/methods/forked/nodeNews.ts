/** JSON of what came from the node of a forked network, as recordings have it. */
import type { NodeNews } from '../../upstream/forkNode.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../../upstream/upstream.ts'
import { UpstreamFailed, type UpstreamFailure } from '../../upstream/upstreamFailed.ts'
import { arrayOf, type JsonObject, type Parser, recordOf, text } from '../../wire/parser.ts'

export type { NodeNews }

/** Returns the JSON members: the requests with their results or errors, or why they have none. */
export function encodeNews(news: NodeNews): JsonObject {
  if (news.kind === 'failed') return { network: news.requests.map(asked), failed: news.error.failure }
  return { network: news.answered.map(({ request, answer }) => ({ ...asked(request), ...answer })) }
}

function asked({ method, params }: UpstreamRequest): JsonObject {
  return { method, params }
}

/** Parses the members that `encodeNews` returns. */
export function parseNews({ network, failed }: JsonObject): NodeNews {
  if (failed !== undefined) {
    const error = new UpstreamFailed(recordOf(failed, 'failed', 'a failure') as unknown as UpstreamFailure)
    return { kind: 'failed', requests: arrayOf(parseRequest)(network, 'network'), error }
  }
  const answered = arrayOf((value, path) => {
    const { result = null, error } = recordOf(value, path, 'a request with its answer')
    const answer = (error === undefined ? { result } : { error }) as UpstreamAnswer
    return { request: parseRequest(value, path), answer }
  })(network, 'network')
  return { kind: 'answered', answered }
}

const parseRequest: Parser<UpstreamRequest> = (value, path) => {
  const { method, params } = recordOf(value, path, 'an object {method, params}')
  return {
    method: text(method, `${path}.method`),
    params: arrayOf((param) => param)(params, `${path}.params`),
  }
}
