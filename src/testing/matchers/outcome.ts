/** What became of that which a test gave to `expect`: a transaction, a failure, or something else. */
import type { Devnet } from '../../index.ts'
import { type Failure, failureIn, hashesOf, isHash } from './failure.ts'
import { inUse } from './inUse.ts'
import { Foreign } from './traced.ts'

/** Which devnet a transaction was sent to. */
export interface OnDevnet {
  /** By default the one of the test (`preseal/vitest`), or whatever the transaction was sent through if that says it. */
  readonly devnet?: Devnet | undefined
}

/** A log as all of viem, ethers, web3.js and JSON-RPC have it. */
export interface Log {
  readonly address: string
  readonly topics: readonly `0x${string}`[]
  readonly data: `0x${string}`
}

export type Outcome =
  | { readonly kind: 'included'; readonly hash: `0x${string}` | undefined; readonly logs: readonly Log[] }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It answered, and what it answered is no transaction. */
  | { readonly kind: 'answered'; readonly value: unknown }

/** What a test gave: a value, a promise of it, or a function that makes it. */
export type Given = unknown

/** What came of it: a value, or an error. */
export type Settled = { readonly value: unknown } | { readonly error: unknown }

/** Before anything can throw: a promise that fails while the other arguments are read would be nobody's. */
export function attend(given: Given): void {
  if (given instanceof Promise) given.catch(() => {})
}

/** Runs what was given, if it is a function, and waits for it. */
export async function settled(given: Given): Promise<Settled> {
  try {
    return { value: await (typeof given === 'function' ? given() : given) }
  } catch (error) {
    return { error }
  }
}

/**
 * What became of what was given. A transaction that waits is made to run by `devnet.mine()`, whatever the rhythm: no test waits
 * for time. Throws where that cannot be told, and what was thrown, if it was no failure of a transaction or call.
 */
export async function outcomeOf(given: Given, { devnet }: OnDevnet): Promise<Outcome> {
  const result = await settled(given)
  if ('error' in result) return thrown(result.error, devnet)
  const { value } = result
  const receipt = receiptIn(value)
  const hash = hashIn(value)
  if (receipt !== undefined && !hasFailed(receipt)) return { kind: 'included', hash, logs: receipt.logs }
  const asked = devnet ?? (hash && (await knowing(hash)))
  if (receipt !== undefined) return { kind: 'failed', failure: await failureOf(hash, asked) }
  if (hash === undefined) return { kind: 'answered', value }
  return asked === undefined ? awaited(value, hash) : outcomeOn(asked, hash)
}

/** The receipt of a transaction that was sent to `devnet`, which has to run first if it waits. Throws where it cannot. */
export async function receiptOf(devnet: Devnet, hash: string): Promise<RpcReceipt> {
  const before = await explained(devnet, hash)
  if (before.status === 'waiting') await devnet.mine()
  const sealed = (await devnet.calmRequest('eth_getTransactionReceipt', [hash])) as RpcReceipt | null
  if (sealed !== null) return sealed
  // Of a pre-confirmed transaction the pending block has it, whatever the option `receipts` says.
  const pending = (await devnet.calmRequest('eth_getBlockReceipts', ['pending'])) as RpcReceipt[]
  const preconfirmed = pending.find(({ transactionHash }) => transactionHash === hash)
  if (preconfirmed !== undefined) return preconfirmed
  const { reason } = await explained(devnet, hash)
  throw new Error(`the transaction ${hash} was not run: ${reason}`)
}

/** Where a transaction is, and why. */
export function explained(devnet: Devnet, hash: string): Promise<Explanation> {
  return devnet.calmRequest('preseal_explain', [hash]) as Promise<Explanation>
}

export interface Explanation {
  readonly status: 'preconfirmed' | 'sealed' | 'waiting' | 'dropped' | 'unknown'
  readonly reason: string
}

/** A receipt as JSON-RPC has it, as far as matchers read it. */
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

/** The hash of the transaction in `value`: itself, or that of an answer or receipt of any library. */
export function hashIn(value: unknown): `0x${string}` | undefined {
  return [value, ...hashesOf(value)].find(isHash)
}

/** The devnet of a running test that knows the transaction. Throws where several do: they may disagree about it. */
export async function knowing(hash: string): Promise<Devnet | undefined> {
  const devnets = [...inUse]
  if (devnets.length === 1) return devnets[0]
  const statuses = await Promise.all(devnets.map((each) => explained(each, hash)))
  const known = devnets.filter((_, index) => statuses[index]!.status !== 'unknown')
  if (known.length < 2) return known[0]
  throw new Error(
    `${known.length} devnets of tests that run now have the transaction ${hash}; say which is meant: { devnet }`,
  )
}

/** As much of a receipt as all libraries have. */
interface Receipt {
  readonly status: unknown
  readonly logs: readonly Log[]
}

/** `value` if it is a receipt, or the one that `devnet.write` and `devnet.send` answer with the hash. */
function receiptIn(value: unknown): Receipt | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { status, logs, receipt } = value as Record<string, unknown>
  if (status !== undefined && Array.isArray(logs)) return value as Receipt
  return receipt === undefined ? undefined : receiptIn(receipt)
}

/** viem, ethers, web3.js and JSON-RPC all say it in their own way. */
function hasFailed({ status }: Receipt): boolean {
  return status === 'reverted' || status === '0x0' || status === 0 || status === 0n || status === false
}

async function outcomeOn(devnet: Devnet, hash: `0x${string}`): Promise<Outcome> {
  const { status } = await explained(devnet, hash)
  // 32 bytes that a contract answered look like a hash.
  if (status === 'unknown') return { kind: 'answered', value: hash }
  const receipt = await receiptOf(devnet, hash)
  return hasFailed(receipt)
    ? { kind: 'failed', failure: await failureOf(hash, devnet) }
    : { kind: 'included', hash, logs: receipt.logs }
}

/** ethers' answers can be waited for without a devnet. Of a hash alone nothing is known. */
async function awaited(value: unknown, hash: string): Promise<Outcome> {
  const { wait } = value as { wait?: () => Promise<unknown> }
  if (typeof wait === 'function') return outcomeOf(wait.call(value), {})
  throw new Error(
    `what became of the transaction ${hash} cannot be told without its devnet: give { devnet }, or use the test of preseal/vitest`,
  )
}

async function thrown(error: unknown, devnet: Devnet | undefined): Promise<Outcome> {
  const failure = failureIn(error)
  if (failure === undefined) throw new Foreign(error)
  if (failure.data !== undefined || failure.hash === undefined) return { kind: 'failed', failure }
  const asked = devnet ?? (await knowing(failure.hash))
  return { kind: 'failed', failure: asked ? await failureOf(failure.hash, asked) : failure }
}

/** Why a transaction failed: receipts do not say it, so it is run again. */
async function failureOf(hash: string | undefined, devnet: Devnet | undefined): Promise<Failure> {
  if (hash === undefined || devnet === undefined) return { data: undefined, words: '', hash }
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  const trace = await devnet.calmRequest('debug_traceTransaction', [hash, tracer])
  const { error, output } = trace as { error?: string; output?: `0x${string}` }
  return { data: output, words: error ?? '', hash }
}
