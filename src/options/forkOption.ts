/** The option `fork`: the network on which a devnet begins, and the access to its node. */
import * as v from 'valibot'
import { FORK_TAGS } from '../upstream/forkedNetwork.ts'
import type { UpstreamProvider } from '../upstream/providerTransport.ts'
import { hash, whole } from './values.ts'

const URLS = 'a URL that begins with http://, https://, ws:// or wss://'
const BLOCK = 'a block number, a block hash, a transaction hash, or one of latest, safe, finalized, earliest'
/** The largest delay that timers take. */
const LONGEST = 2 ** 31 - 1

/** Accepts `fork`. Either `url` or `provider` names the node. */
export const forkOption = v.strictObject(
  {
    url: v.optional(v.pipe(v.string(URLS), v.regex(/^(https?|wss?):\/\/[^/]/i, URLS))),
    provider: v.optional(
      v.custom<UpstreamProvider>(isProvider, 'an object with a method request (EIP-1193)'),
    ),
    block: v.optional(
      v.union(
        [
          v.picklist(FORK_TAGS),
          v.pipe(
            v.number(),
            v.safeInteger(),
            v.minValue(0),
            v.transform((number) => BigInt(number)),
          ),
          v.pipe(v.bigint(), v.minValue(0n)),
          hash,
        ],
        BLOCK,
      ),
    ),
    headers: v.optional(v.record(v.string(), v.string('the value of a header'), 'an object of HTTP headers')),
    timeoutMs: v.optional(whole('milliseconds', 1, LONGEST)),
    retries: v.optional(whole('a number of retries', 0, LONGEST)),
    requestsPerSecond: v.optional(
      v.pipe(v.number('requests per second (a number above 0)'), v.gtValue(0, 'a number above 0')),
    ),
    cache: v.optional(
      v.union(
        [v.pipe(v.string(), v.nonEmpty()), v.literal(false)],
        'a folder, a file that ends in .jsonl, or false for no cache',
      ),
    ),
    offline: v.optional(v.boolean('true or false')),
    proofs: v.optional(v.boolean('true or false')),
  },
  'an object such as { url: "https://…", block: 22000000 }',
)

function isProvider(value: unknown): boolean {
  return typeof (value as UpstreamProvider | undefined)?.request === 'function'
}

export type ForkSettings = v.InferOutput<typeof forkOption>
