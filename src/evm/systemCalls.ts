/**
 * What a block does before its first and after its last transaction: it tells the system contracts about its parent
 * (EIP-2935, EIP-4788) and collects requests to the beacon chain (EIP-7685): deposits from the logs of its transactions
 * (EIP-6110), and what contracts have queued (EIP-7002, EIP-7251).
 *
 * A devnet has these contracts only with `systemContracts: true`; where there is no code nothing happens.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { EMPTY_REQUESTS_HASH, type Header } from '../model/block/header.ts'
import {
  BEACON_ROOTS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  HISTORY_STORAGE_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from '../model/bytecode/predeploys.ts'
import { type Address, EMPTY_BYTES, fromHex, type Hash, toHex } from '../model/bytes/hex.ts'
import { withType } from '../model/bytes/rlp.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Receipt } from '../model/receipt/receipt.ts'
import { Draft } from '../state/draft.ts'
import type { State } from '../state/state.ts'
import type { BlockContext } from './blockContext.ts'
import type { Evm } from './evm.ts'

/** The state in which a block's first transaction runs. */
export async function beginBlock(
  evm: Evm,
  state: State,
  context: BlockContext,
  header: Header,
): Promise<State> {
  let next = state
  if (evm.rules.has(4788) && header.parentBeaconBlockRoot !== undefined) {
    const root = fromHex(header.parentBeaconBlockRoot)
    next = (await call(evm, next, context, BEACON_ROOTS_ADDRESS, root)).state
  }
  if (evm.rules.has(2935)) {
    next = (await call(evm, next, context, HISTORY_STORAGE_ADDRESS, fromHex(header.parentHash))).state
  }
  return next
}

/** How a block ended. */
export interface Ended {
  readonly state: State
  /** What it asks of the beacon chain, each list after the byte of its type (EIP-7685); `undefined` before Prague. */
  readonly requests: readonly Uint8Array[] | undefined
  readonly requestsHash: Hash | undefined
}

/** Returns the state after a block's last transaction, and the requests it made. */
export async function endBlock(
  evm: Evm,
  state: State,
  context: BlockContext,
  receipts: readonly Receipt[],
): Promise<Ended> {
  if (!evm.rules.has(7685)) return { state, requests: undefined, requestsHash: undefined }
  const deposits = depositRequests(evm.rules, receipts)
  const withdrawals = await call(evm, state, context, WITHDRAWAL_REQUESTS_ADDRESS, EMPTY_BYTES)
  const consolidations = await call(
    evm,
    withdrawals.state,
    context,
    CONSOLIDATION_REQUESTS_ADDRESS,
    EMPTY_BYTES,
  )
  const requests = [
    [DEPOSIT_REQUEST_TYPE, deposits] as const,
    [WITHDRAWAL_REQUEST_TYPE, withdrawals.returnData] as const,
    [CONSOLIDATION_REQUEST_TYPE, consolidations.returnData] as const,
  ]
    .filter(([, data]) => data.length > 0)
    .map(([type, data]) => withType(type, data))
  return { state: consolidations.state, requests, requestsHash: requestsHash(requests) }
}

const DEPOSIT_REQUEST_TYPE = 0
const WITHDRAWAL_REQUEST_TYPE = 1
const CONSOLIDATION_REQUEST_TYPE = 2

/** EIP-7685: sha256 over the sha256 of each request list that is not empty. */
function requestsHash(requests: readonly Uint8Array[]): Hash {
  if (requests.length === 0) return EMPTY_REQUESTS_HASH
  const hash = sha256.create()
  for (const request of requests) hash.update(sha256(request))
  return toHex(hash.digest())
}

/** DepositEvent(bytes,bytes,bytes,bytes,bytes) */
const DEPOSIT_TOPIC: Hash = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'
/**
 * The event's five fields as they stand in its data: where each begins, and its length. The contract of EIP-6110 never
 * lays them out differently.
 */
const DEPOSIT_FIELDS = [
  { at: 192, length: 48 }, // public key
  { at: 288, length: 32 }, // withdrawal credentials
  { at: 352, length: 8 }, // amount
  { at: 416, length: 96 }, // signature
  { at: 544, length: 8 }, // index
] as const
const DEPOSIT_DATA_LENGTH = 576

/** EIP-6110: the deposits that the block's transactions made, as the beacon chain reads them. */
function depositRequests({ depositContract }: Rules, receipts: readonly Receipt[]): Uint8Array {
  if (depositContract === undefined) return EMPTY_BYTES
  const deposits = receipts
    .flatMap(({ logs }) => logs)
    .filter(
      ({ address, topics, data }) =>
        address === depositContract && topics[0] === DEPOSIT_TOPIC && data.length === DEPOSIT_DATA_LENGTH,
    )
  const fields = deposits.flatMap(({ data }) =>
    DEPOSIT_FIELDS.map(({ at, length }) => data.subarray(at, at + length)),
  )
  return concatBytes(...fields)
}

async function call(
  evm: Evm,
  state: State,
  context: BlockContext,
  to: Address,
  data: Uint8Array,
): Promise<{ state: State; returnData: Uint8Array }> {
  if (state.code(to).length === 0) return { state, returnData: EMPTY_BYTES }
  const draft = new Draft(state)
  const returnData = await evm.runSystemCall(draft, context, to, data)
  return { state: draft.finish(), returnData }
}
