/** Reorgs in anvil's form, which drop the transactions of removed blocks. `preseal_reorg` has more options. */

import type { Address } from '../../bytes/hex.ts'
import { isMoment } from '../../chain/chain.ts'
import { tooDeepText } from '../../chain/moment.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, steer } from '../../rpc/method.ts'
import type { ReorgRequest } from '../../sequencer/reorg.ts'
import { toCall } from '../../wire/call.ts'
import { smallAmount } from '../../wire/hex.ts'
import { parseRawTransaction, type Sent } from '../../wire/includedTransaction.ts'
import { arrayOf, InvalidValue, optional, type Parser, recordOf } from '../../wire/parser.ts'
import { estimate } from '../eth/calls.ts'
import { senderOf, signatory } from '../eth/send.ts'
import { fill, parseTransactionRequest, type TransactionRequest } from '../eth/transactionRequest.ts'

const MAX_DEPTH = 10_000
const parseDepth = smallAmount(MAX_DEPTH)

/** Parameters: `[depth?]`. Removes the newest `depth` blocks, by default 1, without replacing them. */
export const rollback = steer(params(optional(parseDepth)), async (context, depth = 1) => {
  await performReorg(context, { depth, transactions: 'drop', blocks: 0 })
})

/** A transaction, signed or unsigned, and the index of its block among the new blocks. */
interface Replacement {
  readonly wanted: Sent | TransactionRequest
  readonly index: number
}

/**
 * Parameters: `[depth, [[transaction, index of the block], …]]` or `{depth, tx_block_pairs}`. Replaces the newest
 * `depth` blocks by as many new blocks, which contain only the given transactions.
 */
export const reorg = steer.long(
  params(parseOptions, optional(parseReplacements)),
  async (context, { depth, replacements }, beside = []) => {
    requireRoom(context, depth)
    const blocks: Transaction[][] = Array.from({ length: depth }, () => [])
    const nonces = new Map<Address, bigint>()
    for (const { wanted, index } of [...replacements, ...beside]) {
      if (index >= depth) throw invalid(1, `expected the index of a new block, below ${depth}, got ${index}`)
      blocks[index]!.push(await signed(context, wanted, depth, nonces))
    }
    await performReorg(context, { depth, transactions: blocks, rest: 'drop' })
  },
)

async function performReorg({ sequencer }: RpcContext, request: ReorgRequest): Promise<void> {
  const outcome = await sequencer.blocks.reorg(request)
  if (outcome.kind === 'tooDeep') throw invalid(0, tooDeepText(request.depth, outcome.room))
}

function requireRoom({ chain }: RpcContext, depth: number): void {
  if (depth > chain.removable) throw invalid(0, tooDeepText(depth, chain))
}

function invalid(argument: number, what: string): Problem {
  return new Problem({ kind: 'invalidParams', argument, detail: `params[${argument}]: ${what}` })
}

/** Returns the signed transaction. `nonces` maps each sender to the nonce after its last transaction in the request. */
async function signed(
  context: RpcContext,
  wanted: Replacement['wanted'],
  depth: number,
  nonces: Map<Address, bigint>,
): Promise<Transaction> {
  if ('transaction' in wanted) return wanted.transaction
  const { fields } = wanted
  const from = senderOf(context, wanted)
  const sign = signatory(context, from)
  if (sign === undefined) throw invalid(1, `expected a sender whose key is known here, got ${from}`)
  const number = context.chain.latest.block.header.number - BigInt(depth)
  const selector = { kind: 'number', number } as const
  const gasLimit = fields.gas ?? (await estimate(context, { ...toCall(fields), from }, selector))
  const stays = context.chain.at(selector)
  const next = (isMoment(stays) ? stays.state.account(from)?.nonce : undefined) ?? 0n
  const nonce = fields.nonce ?? nonces.get(from) ?? next
  nonces.set(from, nonce + 1n)
  return sign({ ...fill(context, wanted, gasLimit), nonce }, from)
}

interface Options {
  readonly depth: number
  readonly replacements: readonly Replacement[]
}

function parseOptions(value: unknown, path: string): Options {
  if (typeof value !== 'object' || value === null) return { depth: parseDepth(value, path), replacements: [] }
  const { depth, tx_block_pairs } = recordOf(value, path, 'a number of blocks, or {depth, tx_block_pairs}')
  return {
    depth: parseDepth(depth, `${path}.depth`),
    replacements: optional(parseReplacements)(tx_block_pairs, `${path}.tx_block_pairs`) ?? [],
  }
}

function parseReplacements(value: unknown, path: string): readonly Replacement[] {
  return arrayOf(parseReplacement, 'pairs of a transaction and the index of its block')(value, path)
}

const parseReplacement: Parser<Replacement> = (value, path) => {
  if (!Array.isArray(value) || value.length !== 2) {
    throw new InvalidValue(path, 'a pair [transaction, index of the block]', value)
  }
  const [transaction, index] = value
  const parse = typeof transaction === 'string' ? parseRawTransaction : parseTransactionRequest
  return { wanted: parse(transaction, `${path}[0]`), index: parseDepth(index, `${path}[1]`) }
}
