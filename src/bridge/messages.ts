/**
 * The messages of the bridge, newest first. Each begins with an event: of the portal on L1, or of L2ToL1MessagePasser on L2. The log
 * indexes of both chains find these events and those of the later steps.
 */
import { type Address, type Hash, toHex } from '../bytes/hex.ts'
import type { Chain } from '../chain/chain.ts'
import { asRemoved, newestLogs } from '../chain/logs.ts'
import { hasState } from '../chain/moment.ts'
import { keccakHash } from '../crypto/keccak.ts'
import {
  briefOf,
  logsOf,
  type PlacedLog,
  receiptAt,
  transactionAt,
  transactionHashAt,
} from '../model/block/block.ts'
import type { BridgeMessage, BridgeStep, WithdrawalStatus } from '../model/l2/bridgeMessage.ts'
import { PROPOSER } from '../model/l2/l1Addresses.ts'
import { L2_CROSS_DOMAIN_MESSENGER, L2_TO_L1_MESSAGE_PASSER } from '../model/l2/l2.ts'
import { type LogCriteria, matches } from '../model/receipt/log.ts'
import type { Receipt } from '../model/receipt/receipt.ts'
import type { Pair, ReadContext } from '../rpc/readContext.ts'
import { l1Of } from './l1.ts'
import { bytesAt, contentOf, wordAt } from './messageContent.ts'
import { claimOf, outputOf } from './proposal.ts'
import { addressIn, depositOf, depositsOf } from './userDeposits.ts'

/** `MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)` */
const MESSAGE_PASSED = '0x02a52367d10742d8032712c1bb8e0144ff1ec5ffda1ed7d70bb05a2744955054'
/** `DisputeGameCreated(address indexed disputeProxy, uint32 indexed gameType, bytes32 indexed rootClaim)` */
const GAME_CREATED = '0x5b565efe82411da98814f356d0e7bcb8f0219b8d970307c5afb4a6903a8b2e35'
/** `WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)` */
const WITHDRAWAL_PROVEN = '0x67a6208cfcc0801d50f6cbe764733f4fddf66ac0b04442061a8a8c0cb6b63f62'
/** `WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)` */
const WITHDRAWAL_FINALIZED = '0xdb5c7652857aa163daadd670e116628fb42e869d8ac4251ef8971d9e5727df1b'
/** `FailedRelayedMessage(bytes32 indexed msgHash)` of the messengers. */
const FAILED_RELAYED_MESSAGE = '0x99d0e048484baa1b1540b1367cb128acd7ab2946d1ed91ec10e3c85e4bf51b8f'

/**
 * Seconds after its proof until a withdrawal can be finalized (the immutable PROOF_MATURITY_DELAY_SECONDS of the portal). The time
 * that its game needs is over before.
 */
export const PROOF_MATURITY_SECONDS = 604_800n

const WITHDRAWALS = criteriaOf(L2_TO_L1_MESSAGE_PASSER, MESSAGE_PASSED)

/** Returns the number of all messages, and functions that read them, newest first. */
export function bridgeMessages(pair: Pair): {
  readonly total: number
  readonly messages: Iterable<() => BridgeMessage>
} {
  const { l1, l2 } = pair
  const ofDeposits = depositsOf(l1Of(pair).bridge.optimismPortal2)
  const sources = [
    { of: deposit, ...newestLogs(l1.chain, ofDeposits) },
    { of: withdrawal, ...newestLogs(l2.chain, WITHDRAWALS) },
    { of: deposit, ...removedLogs(l1.chain, ofDeposits) },
    { of: withdrawal, ...removedLogs(l2.chain, WITHDRAWALS) },
  ]
  function* messages() {
    const lists = sources.map(({ of, logs }) => ({ of, rest: logs[Symbol.iterator]() }))
    const heads = lists.map(({ rest }) => rest.next())
    for (;;) {
      let newest = -1
      for (const [i, { done, value }] of heads.entries()) {
        if (!done && (newest === -1 || timeOf(value) > timeOf(heads[newest]!.value))) newest = i
      }
      if (newest === -1) return
      const { of, rest } = lists[newest]!
      const placed: PlacedLog = heads[newest]!.value
      yield () => of(pair, placed)
      heads[newest] = rest.next()
    }
  }
  return { total: sources.reduce((sum, { count }) => sum + count, 0), messages: messages() }
}

function timeOf({ block }: Pick<PlacedLog, 'block'>): bigint {
  return briefOf(block).timestamp
}

/** Returns the matching logs of transactions that a reorg removed for good, newest first. */
function removedLogs(chain: Chain, criteria: LogCriteria) {
  const found = new Map<string, PlacedLog>()
  for (const [, { block }] of chain.state.removed.entries()) {
    if (!chain.isRemoved(block.hash)) continue
    for (const placed of logsOf(block)) {
      const { log, transactionIndex, logIndex } = placed
      const transaction = transactionHashAt(block, transactionIndex)
      if (!matches(log, criteria) || chain.find(transaction) !== undefined) continue
      // Several reorgs may have removed the same transaction.
      found.set(`${transaction} ${logIndex - receiptAt(block, transactionIndex).firstLogIndex}`, placed)
    }
  }
  const logs = [...found.values()].map(asRemoved)
  logs.sort((a, b) => Number(timeOf(b) - timeOf(a)))
  return { count: logs.length, logs }
}

function deposit(pair: Pair, placed: PlacedLog): BridgeMessage {
  const { l1, l2 } = pair
  const transaction = depositOf(placed)
  const { hash: id, data } = transaction
  const isRemoved = placed.isRemoved === true
  const included = isRemoved ? undefined : l2.chain.find(id)
  const steps = [stepOf('deposited', l1, placed)]
  const message = {
    kind: 'deposit',
    id,
    content: contentOf('deposit', transaction),
    mint: transaction.deposit!.mint,
    nextStepAt: undefined,
    steps,
  } as const
  if (isRemoved) return { ...message, status: 'removed' }
  if (included === undefined) return { ...message, status: 'waiting-for-l2' }
  const { block, index } = included
  const receipt = receiptAt(block, index)
  const hasFailed = receipt.status === 'failure' || hasFailedRelay(receipt, L2_CROSS_DOMAIN_MESSENGER, data)
  steps.push(stepOf('derived', l2, { block, transactionIndex: index }, hasFailed))
  return { ...message, status: hasFailed ? 'failed' : 'success' }
}

function withdrawal(pair: Pair, placed: PlacedLog): BridgeMessage {
  const { l1, l2 } = pair
  const { optimismPortal2: portal } = l1Of(pair).bridge
  const { topics, data: args } = placed.log
  const id = toHex(args.subarray(96, 128))
  const [from, to] = [addressIn(topics[2]!), addressIn(topics[3]!)]
  const call = { from, to, value: wordAt(args, 0), data: bytesAt(args, 2) }
  const steps = [stepOf('initiated', l2, placed)]
  const message = {
    kind: 'withdrawal',
    id,
    content: contentOf('withdrawal', call),
    mint: undefined,
    nextStepAt: undefined,
    steps,
  } as const
  if (placed.isRemoved) return { ...message, status: 'removed' }

  const game = gameOf(pair, placed)
  const [proof] = newestLogs(l1.chain, criteriaOf(portal, WITHDRAWAL_PROVEN, id)).logs
  const [end] = newestLogs(l1.chain, criteriaOf(portal, WITHDRAWAL_FINALIZED, id)).logs
  if (game !== undefined) steps.push(stepOf('proposed', l1, game))
  if (proof !== undefined) steps.push(stepOf('proven', l1, proof))
  if (end !== undefined) {
    const receipt = receiptAt(end.block, end.transactionIndex)
    const hasFailed = wordAt(end.log.data, 0) === 0n || hasFailedRelay(receipt, to, call.data)
    steps.push(stepOf('finalized', l1, end, hasFailed))
    return { ...message, status: 'finalized' }
  }
  return { ...message, ...progressOf(l1, game, proof) }
}

function progressOf(
  l1: ReadContext,
  game: PlacedLog | undefined,
  proof: PlacedLog | undefined,
): { readonly status: WithdrawalStatus; readonly nextStepAt?: bigint } {
  if (game === undefined) {
    const status = 'waiting-to-prove'
    if (l1.pool.of(PROPOSER).length === 0) return { status }
    return { status, nextStepAt: BigInt(Math.ceil(l1.clock.nextTickMs / 1_000)) }
  }
  if (proof === undefined) return { status: 'ready-to-prove' }
  const maturesAt = timeOf(proof) + PROOF_MATURITY_SECONDS + 1n
  return timeOf(l1.chain.latest) >= maturesAt
    ? { status: 'ready-to-finalize' }
    : { status: 'waiting-to-finalize', nextStepAt: maturesAt }
}

/** Returns the creation of a game in which the withdrawal can be proven: of its own block, or of a later one. */
function gameOf(pair: Pair, { block }: PlacedLog): PlacedLog | undefined {
  const { l1, l2 } = pair
  const { disputeGameFactory: factory } = l1Of(pair).bridge
  const number = Number(briefOf(block).number)
  const sealed = l2.chain.state.history.keptBlock(number)
  if (sealed !== undefined && hasState(sealed)) {
    const [own] = newestLogs(
      l1.chain,
      criteriaOf(factory, GAME_CREATED, '', '', outputOf(sealed).outputRoot),
    ).logs
    if (own !== undefined) return own
  }
  const [newest] = newestLogs(l1.chain, criteriaOf(factory, GAME_CREATED)).logs
  return newest !== undefined && blockOfGame(newest) >= number ? newest : undefined
}

/** Returns the number of the L2 block in the claim of a game that preseal has proposed; otherwise 0. */
function blockOfGame({ block, transactionIndex }: PlacedLog): bigint {
  const transaction = transactionAt(block, transactionIndex)
  return transaction.from === PROPOSER ? claimOf(transaction).number : 0n
}

/** Returns whether a messenger has emitted that the call `data`, which relays a message, failed. Its hash is that of the message. */
function hasFailedRelay({ logs }: Receipt, messenger: Address, data: Uint8Array): boolean {
  return logs.some(
    ({ address, topics: [event, hash] }) =>
      address === messenger && event === FAILED_RELAYED_MESSAGE && hash === keccakHash(data),
  )
}

function stepOf(
  name: BridgeStep['name'],
  { chain }: ReadContext,
  { block, transactionIndex, isRemoved }: Pick<PlacedLog, 'block' | 'transactionIndex' | 'isRemoved'>,
  hasFailed = false,
): BridgeStep {
  const { number, timestamp } = briefOf(block)
  const isSealed = number < chain.state.history.end
  return {
    name,
    chain: name === 'initiated' || name === 'derived' ? 'l2' : 'l1',
    transactionHash: transactionHashAt(block, transactionIndex),
    blockNumber: number,
    timestamp,
    state: isRemoved ? 'removed' : isSealed ? 'sealed' : 'preconfirmed',
    hasFailed,
  }
}

/** Returns the criteria of events of a contract. An empty string matches any topic. */
function criteriaOf(address: Address, ...topics: readonly (Hash | '')[]): LogCriteria {
  return {
    addresses: [address],
    topics: topics.map((topic) => (topic === '' ? [] : [topic])),
    minimumTopics: topics.length,
  }
}
