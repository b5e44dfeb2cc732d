import type { Devnet, SolidityStackTrace } from '../../index.ts'
import { type Failure, failureIn, hashesOf, isHash } from './failure.ts'
import { Foreign, inUse } from './verdict.ts'

/** Selects the devnet of a transaction. */
export interface OnDevnet {
  /** The transaction's devnet. By default, the devnet of a running test that has the transaction. */
  readonly devnet?: Devnet | undefined
}

/** A log with the members that viem, ethers, web3.js and JSON-RPC have in common. */
export interface Log {
  readonly address: string
  readonly topics: readonly `0x${string}`[]
  readonly data: `0x${string}`
}

export type Outcome =
  | {
      readonly kind: 'included'
      readonly hash: `0x${string}` | undefined
      readonly logs: readonly Log[]
      /** The gas used, in the type of the library; `undefined` if the receipt lacks it. */
      readonly gasUsed: bigint | number | string | undefined
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The value, such as the result of a call, is not a transaction. */
  | { readonly kind: 'answered'; readonly value: unknown }

/** The value given to `expect`: a value, a promise, or a function that returns either. */
export type Given = unknown

export type Settled = { readonly value: unknown } | { readonly error: unknown }

/** Marks a promise as handled, because Node.js reports a promise that rejects before it is awaited. */
export function attend(given: Given): void {
  if (given instanceof Promise) given.catch(() => {})
}

export async function settled(given: Given): Promise<Settled> {
  try {
    return { value: await (typeof given === 'function' ? given() : given) }
  } catch (error) {
    return { error }
  }
}

/**
 * Returns the outcome of a value. Mines a waiting transaction. Throws if the outcome cannot be found. Throws errors
 * of the test's own code as `Foreign`.
 */
export async function outcomeOf(given: Given, { devnet }: OnDevnet): Promise<Outcome> {
  const result = await settled(given)
  if ('error' in result) return thrown(result.error, devnet)
  const { value } = result
  const receipt = receiptIn(value)
  const hash = hashIn(value)
  if (receipt !== undefined && !hasFailed(receipt)) return included(hash, receipt)
  const asked = devnet ?? (hash && (await knowing(hash)))
  if (receipt !== undefined) return { kind: 'failed', failure: await failureOf(hash, asked) }
  if (hash === undefined) return { kind: 'answered', value }
  return asked === undefined ? awaited(value, hash) : outcomeOn(asked, hash)
}

/** Returns the receipt of a transaction. Mines a waiting transaction. Throws if there is still no receipt. */
export async function receiptOf(devnet: Devnet, hash: string): Promise<RpcReceipt> {
  const before = await explained(devnet, hash)
  if (before.status === 'waiting') await devnet.mine()
  const sealed = (await devnet.faultlessRequest('eth_getTransactionReceipt', [hash])) as RpcReceipt | null
  if (sealed !== null) return sealed
  // The receipts of `pending` include pre-confirmed transactions under any value of the option `receipts`.
  const pending = (await devnet.faultlessRequest('eth_getBlockReceipts', ['pending'])) as RpcReceipt[]
  const preconfirmed = pending.find(({ transactionHash }) => transactionHash === hash)
  if (preconfirmed !== undefined) return preconfirmed
  const { reason } = await explained(devnet, hash)
  throw new Error(`the transaction ${hash} was not run: ${reason}`)
}

/** Returns a transaction's state and its reason. If `isLocated`, repeats a failed transaction to locate the failure. */
export async function explained(devnet: Devnet, hash: string, isLocated = false): Promise<Explanation> {
  return (await devnet.faultlessRequest('preseal_explain', [hash, isLocated])) as Explanation
}

export interface Explanation {
  readonly status: 'preconfirmed' | 'sealed' | 'waiting' | 'dropped' | 'unknown'
  readonly reason: string
  /** The Solidity stack trace of a failed transaction, if there are artifacts. */
  readonly stackTrace?: SolidityStackTrace
}

export interface RpcReceipt extends Receipt {
  readonly transactionHash: string
  readonly from: string
  readonly blockNumber: string
  readonly gasUsed: string
  readonly effectiveGasPrice: string
  readonly blobGasUsed?: string
  readonly blobGasPrice?: string
  readonly l1Fee?: string
}

/** Returns the hash of the transaction in `value`: a hash, or a response or receipt of any library. */
export function hashIn(value: unknown): `0x${string}` | undefined {
  return [value, ...hashesOf(value)].find(isHash)
}

/** Returns the devnet, among those of running tests, that has the transaction. Throws if several have it. */
export async function knowing(hash: string): Promise<Devnet | undefined> {
  const devnets = [...inUse]
  if (devnets.length === 1) return devnets[0]
  const statuses = await Promise.all(devnets.map((each) => explained(each, hash)))
  const known = devnets.filter((_, index) => statuses[index]!.status !== 'unknown')
  if (known.length < 2) return known[0]
  throw new Error(
    `${known.length} devnets of running tests have the transaction ${hash}; choose one: { devnet }`,
  )
}

interface Receipt {
  readonly status: unknown
  readonly logs: readonly Log[]
  readonly gasUsed?: bigint | number | string
}

function receiptIn(value: unknown): Receipt | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { status, logs, receipt } = value as Record<string, unknown>
  if (status !== undefined && Array.isArray(logs)) return value as Receipt
  return receipt === undefined ? undefined : receiptIn(receipt)
}

/** Returns whether the transaction failed. Libraries differ in the value of this status. */
function hasFailed({ status }: Receipt): boolean {
  return status === 'reverted' || status === '0x0' || status === 0 || status === 0n || status === false
}

async function outcomeOn(devnet: Devnet, hash: `0x${string}`): Promise<Outcome> {
  const { status } = await explained(devnet, hash)
  // If no transaction has this hash, the value may be 32 bytes that a contract returned.
  if (status === 'unknown') return { kind: 'answered', value: hash }
  const receipt = await receiptOf(devnet, hash)
  return hasFailed(receipt)
    ? { kind: 'failed', failure: await failureOf(hash, devnet) }
    : included(hash, receipt)
}

function included(hash: `0x${string}` | undefined, { logs, gasUsed }: Receipt): Outcome {
  return { kind: 'included', hash, logs, gasUsed }
}

/** Gets the receipt through an ethers response, for which no devnet is needed. Throws if the value is only a hash. */
async function awaited(value: unknown, hash: string): Promise<Outcome> {
  const { wait } = value as { wait?: () => Promise<unknown> }
  if (typeof wait === 'function') return outcomeOf(wait.call(value), {})
  throw new Error(
    `the outcome of the transaction ${hash} is unknown without its devnet: give { devnet }, or use the test of preseal/vitest`,
  )
}

async function thrown(error: unknown, devnet: Devnet | undefined): Promise<Outcome> {
  const failure = failureIn(error)
  if (failure === undefined) throw new Foreign(error)
  if (failure.data !== undefined || failure.hash === undefined) return { kind: 'failed', failure }
  const asked = devnet ?? (await knowing(failure.hash))
  return { kind: 'failed', failure: asked ? await failureOf(failure.hash, asked) : failure }
}

/** Returns the failure of a transaction. Runs the transaction again, because receipts lack the reason. */
async function failureOf(hash: string | undefined, devnet: Devnet | undefined): Promise<Failure> {
  if (hash === undefined || devnet === undefined) return { data: undefined, words: '', hash }
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  const trace = await devnet.faultlessRequest('debug_traceTransaction', [hash, tracer])
  const { error, output } = trace as { error?: string; output?: `0x${string}` }
  return { data: output, words: error ?? '', hash }
}
