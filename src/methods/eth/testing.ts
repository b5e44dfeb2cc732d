/** Methods for testing clients (execution-apis `src/testing`). */
import { byHash } from '../../model/block/selector.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import { buildPayload } from '../../sequencer/block/buildPayload.ts'
import {
  encodeBlobsBundle,
  encodePayload,
  parseExtraData,
  parsePayloadAttributes,
} from '../../wire/header.ts'
import { encodeBytes, encodeQuantity, parseHash } from '../../wire/hex.ts'
import { parseRawTransaction } from '../../wire/includedTransaction.ts'
import { arrayOf, optional } from '../../wire/parser.ts'

/** Builds a block without adding it to the chain. Parameter `null` selects the pool's executable transactions. */
export const testing_buildBlockV1 = read.long(
  params(
    parseHash,
    parsePayloadAttributes,
    optional(arrayOf(parseRawTransaction, 'an array of signed transactions')),
    optional(parseExtraData),
  ),
  async (context, parentHash, attributes, sent, extraData = new Uint8Array()) => {
    const parent = context.at(byHash(parentHash))
    const { evms, chain, pool, work } = context
    if (context.rules.l2 !== undefined) {
      const detail = 'testing_buildBlockV1 builds blocks of L1: those of an L2 begin with a deposit'
      throw new Problem({ kind: 'unsupported', detail })
    }
    const { history } = chain.state
    const base = { evms, work, parent, blockHash: chain.blockHash, logIndex: history.logIndex }
    const transactions = sent?.map(({ transaction }) => transaction) ?? pool.contents
    const built = await buildPayload(base, { ...attributes, extraData }, transactions)
    if ('kind' in built) throw new Problem({ kind: 'payload', flaw: built })
    const { block, value, requests } = built
    return {
      executionPayload: encodePayload(block),
      blockValue: encodeQuantity(value),
      blobsBundle: encodeBlobsBundle((sent ?? []).flatMap(({ sidecar }) => sidecar ?? [])),
      shouldOverrideBuilder: false,
      ...(requests === undefined ? {} : { executionRequests: requests.map(encodeBytes) }),
    }
  },
)
