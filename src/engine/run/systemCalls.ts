/**
 * Operations of the protocol at the start and end of a block:
 * - before the first transaction: calls of system contracts with the parent's hash (EIP-2935) and the parent's beacon
 *   block root (EIP-4788); in the first block of the DAO fork, transfers of ether (EIP-779)
 * - after the last transaction: the requests to the beacon chain (EIP-7685), which are deposits from the block's logs
 *   (EIP-6110) and requests that contracts have queued (EIP-7002, EIP-7251)
 *
 * A devnet has the system contracts only with `systemContracts: true`; calls to an address without code do nothing.
 * A contract with the code of its EIP does not run, because the effects of its call are known.
 * Results that make a block invalid for other nodes are returned as `failures`.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { areEqual } from '../../bytes/bytes.ts'
import { type Address, EMPTY_BYTES, fromHex, type Hash, toHex, toQuantity } from '../../bytes/hex.ts'
import { withType } from '../../bytes/rlp.ts'
import { EMPTY_REQUESTS_HASH, type Header } from '../../model/block/header.ts'
import {
  BEACON_ROOTS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  HISTORY_STORAGE_ADDRESS,
  type Predeploy,
  SYSTEM_CONTRACTS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from '../../model/bytecode/predeploys.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
import { DAO_ACCOUNTS, DAO_REFUND_CONTRACT, type Rules } from '../../model/hardfork/hardfork.ts'
import type { Receipt } from '../../model/receipt/receipt.ts'
import type { State } from '../../state/state.ts'
import { whenFetched } from '../../state/whenFetched.ts'
import { andThen, type MaybePromise, runSteps, type Steps, waitFor } from '../../work/maybePromise.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Evm } from '../evm.ts'
import { systemMessage } from './message.ts'

/** Runs the system calls at the start of a block. Returns a promise only if a run paused or values were fetched. */
export function beginBlock(
  evm: Evm,
  state: State,
  context: BlockContext,
  header: Header,
): MaybePromise<State> {
  return runSteps(begin(evm, state, context, header))
}

function* begin(evm: Evm, state: State, context: BlockContext, header: Header): Steps<State> {
  let next = yield* waitFor(withDaoFork(evm, state, context.number))
  if (next.remote !== undefined) {
    const contracts = SYSTEM_CONTRACTS.map(({ address }) => address)
    yield* waitFor(whenFetched(() => next.requireAccounts(contracts), evm.work))
  }
  // Nodes do not check whether these two calls succeed.
  if (evm.rules.has(4788) && header.parentBeaconBlockRoot !== undefined) {
    const root = fromHex(header.parentBeaconBlockRoot)
    next =
      withRoot(next, context, root) ??
      (yield* waitFor(call(evm, next, context, BEACON_ROOTS_ADDRESS, root))).state
  }
  if (evm.rules.has(2935)) {
    const hash = fromHex(header.parentHash)
    next =
      withHash(next, context, hash) ??
      (yield* waitFor(call(evm, next, context, HISTORY_STORAGE_ADDRESS, hash))).state
  }
  return next
}

/** Number of slots in each ring buffer of the EIP-2935 and EIP-4788 contracts. */
const RING = 8_191n

/** Returns the state after the EIP-4788 call; `undefined` if the contract must run. */
function withRoot(state: State, { timestamp }: BlockContext, root: Uint8Array): State | undefined {
  const place = timestamp % RING
  return overwritten(state, BEACON_ROOTS_ADDRESS, [
    [place, timestamp],
    [place + RING, toQuantity(root)],
  ])
}

/** Returns the state after the EIP-2935 call; `undefined` if the contract must run. */
function withHash(state: State, { number }: BlockContext, parentHash: Uint8Array): State | undefined {
  return overwritten(state, HISTORY_STORAGE_ADDRESS, [[(number - 1n) % RING, toQuantity(parentHash)]])
}

/** Overwrites slots of a contract. Returns `undefined` if its code is not that of its EIP. */
function overwritten(
  state: State,
  address: Address,
  storage: readonly (readonly [slot: bigint, value: bigint])[],
): State | undefined {
  return hasSpecifiedCode(state, address) ? state.with([{ address, storage }]) : undefined
}

const codeOf = oncePer(({ code }: Predeploy) => fromHex(code))

function hasSpecifiedCode(state: State, address: Address): boolean {
  const specified = SYSTEM_CONTRACTS.find((contract) => contract.address === address)!
  return areEqual(state.code(address), codeOf(specified))
}

/** Returns `state`; in the DAO fork's block, returns the state after the transfers of the fork (EIP-779). */
function withDaoFork(evm: Evm, state: State, number: bigint): MaybePromise<State> {
  const { dao } = evm.rules
  if (dao === undefined || !dao.isSupported || dao.block !== number) return state
  return daoForked(evm, state)
}

async function daoForked(evm: Evm, state: State): Promise<State> {
  await whenFetched(() => state.requireAccounts([...DAO_ACCOUNTS, DAO_REFUND_CONTRACT]), evm.work)
  const balanceOf = (address: Address) => state.account(address)?.balance ?? 0n
  const sum = DAO_ACCOUNTS.reduce((all, address) => all + balanceOf(address), balanceOf(DAO_REFUND_CONTRACT))
  return state.with([
    ...DAO_ACCOUNTS.map((address) => ({ address, balance: 0n })),
    { address: DAO_REFUND_CONTRACT, balance: sum },
  ])
}

export type RequestFailure =
  | { readonly kind: 'systemContractMissing'; readonly address: Address; readonly eip: number }
  | { readonly kind: 'systemCallFailed'; readonly address: Address; readonly eip: number }
  | { readonly kind: 'depositLayout'; readonly transactionIndex: number; readonly reason: string }

export interface BlockEnd {
  readonly state: State
  /** The requests to the beacon chain: for each type, the type byte and a list (EIP-7685); absent before Prague. */
  readonly requests: readonly Uint8Array[] | undefined
  readonly requestsHash: Hash | undefined
  /** The failures, in order. A block that preseal itself builds is sealed anyway, without the failed requests. */
  readonly failures: readonly RequestFailure[]
}

export async function endBlock(
  evm: Evm,
  state: State,
  context: BlockContext,
  receipts: readonly Receipt[],
): Promise<BlockEnd> {
  if (!evm.rules.has(7685)) return { state, requests: undefined, requestsHash: undefined, failures: [] }
  const failures: RequestFailure[] = []
  const lists = [{ type: DEPOSIT_REQUEST_TYPE, data: depositRequests(evm.rules, receipts, failures) }]
  let after = state
  for (const { type, address, eip } of REQUEST_CONTRACTS) {
    // No request has been queued since genesis: the call would return nothing and change nothing.
    if (after.remote === undefined && !after.hasStorage(address) && hasSpecifiedCode(after, address)) continue
    const called = await call(evm, after, context, address, EMPTY_BYTES)
    if (called.kind !== 'returned') failures.push({ kind: called.kind, address, eip })
    after = called.state
    lists.push({ type, data: called.returnData })
  }
  const requests = lists.filter(({ data }) => data.length > 0).map(({ type, data }) => withType(type, data))
  return { state: after, requests, requestsHash: requestsHash(requests), failures }
}

const DEPOSIT_REQUEST_TYPE = 0
/** The contracts that queue requests, by ascending request type. */
const REQUEST_CONTRACTS = [
  { type: 1, address: WITHDRAWAL_REQUESTS_ADDRESS, eip: 7002 },
  { type: 2, address: CONSOLIDATION_REQUESTS_ADDRESS, eip: 7251 },
] as const

/** Returns the SHA-256 of the SHA-256 hashes of the request lists (EIP-7685). */
function requestsHash(requests: readonly Uint8Array[]): Hash {
  if (requests.length === 0) return EMPTY_REQUESTS_HASH
  const hash = sha256.create()
  for (const request of requests) hash.update(sha256(request))
  return toHex(hash.digest())
}

/** The topic of `DepositEvent(bytes,bytes,bytes,bytes,bytes)`. */
const DEPOSIT_TOPIC: Hash = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'
/**
 * The layout of the event's data (EIP-6110). `offsetAt`: the position of the field's offset. `at`: the value of that
 * offset, where the length is stored. `length`: the length in bytes.
 */
const DEPOSIT_FIELDS = [
  { name: 'pubkey', offsetAt: 0, at: 160, length: 48 },
  { name: 'withdrawal_credentials', offsetAt: 32, at: 256, length: 32 },
  { name: 'amount', offsetAt: 64, at: 320, length: 8 },
  { name: 'signature', offsetAt: 96, at: 384, length: 96 },
  { name: 'index', offsetAt: 128, at: 512, length: 8 },
] as const
const DEPOSIT_DATA_LENGTH = 576

/** Returns the block's deposits, encoded as in EIP-6110. Adds logs with an invalid layout to `failures`. */
function depositRequests(
  { depositContract }: Rules,
  receipts: readonly Receipt[],
  failures: RequestFailure[],
): Uint8Array {
  if (depositContract === undefined) return EMPTY_BYTES
  const fields: Uint8Array[] = []
  for (const [transactionIndex, { logs }] of receipts.entries()) {
    for (const { address, topics, data } of logs) {
      if (address !== depositContract || topics[0] !== DEPOSIT_TOPIC) continue
      const reason = flawInDeposit(data)
      if (reason === undefined) {
        for (const { at, length } of DEPOSIT_FIELDS) fields.push(data.subarray(at + 32, at + 32 + length))
      } else failures.push({ kind: 'depositLayout', transactionIndex, reason })
    }
  }
  return concatBytes(...fields)
}

/** Returns the first deviation of `data` from EIP-6110's layout; `undefined` if there is none. */
function flawInDeposit(data: Uint8Array): string | undefined {
  if (data.length !== DEPOSIT_DATA_LENGTH) {
    return `its data has ${data.length} bytes instead of ${DEPOSIT_DATA_LENGTH}`
  }
  for (const { name, offsetAt, at, length } of DEPOSIT_FIELDS) {
    const offset = wordAt(data, offsetAt)
    if (offset !== BigInt(at)) return `the offset of ${name} is ${offset} instead of ${at}`
    const stated = wordAt(data, at)
    if (stated !== BigInt(length)) return `the length of ${name} is ${stated} instead of ${length}`
  }
  return undefined
}

function wordAt(data: Uint8Array, at: number): bigint {
  return toQuantity(data.subarray(at, at + 32))
}

interface Called {
  readonly kind: 'returned' | 'systemContractMissing' | 'systemCallFailed'
  readonly state: State
  readonly returnData: Uint8Array
}

function call(
  evm: Evm,
  state: State,
  context: BlockContext,
  to: Address,
  data: Uint8Array,
): MaybePromise<Called> {
  return andThen(
    whenFetched(() => state.code(to), evm.work),
    (code) => {
      if (code.length === 0) return { kind: 'systemContractMissing', state, returnData: EMPTY_BYTES }
      // The console calls in `outcome` are dropped.
      return andThen(evm.run(state, context, systemMessage(to, data)), ({ outcome, changes }) =>
        outcome.kind === 'success'
          ? { kind: 'returned', state: state.with(changes), returnData: outcome.returnData }
          : { kind: 'systemCallFailed', state, returnData: EMPTY_BYTES },
      )
    },
  )
}
