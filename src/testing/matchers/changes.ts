/**
 * The changes of one transaction: accounts and storage before and after it, without those of other transactions of
 * the block.
 */

import type { Devnet } from '../../index.ts'
import { checksummed } from '../../model/account.ts'
import type { RpcReceipt } from './outcome.ts'

/** A number before and after a transaction or function. */
export interface Change {
  readonly before: bigint
  readonly after: bigint
}

interface Account {
  readonly balance?: string
  readonly code?: string
  readonly storage?: Readonly<Record<string, string>>
}
type Accounts = Readonly<Record<string, Account>>

/** The result of the prestate tracer in diff mode: the accounts that changed, with the members that changed. */
interface Difference {
  readonly pre: Accounts
  readonly post: Accounts
}

const ZERO = `0x${'00'.repeat(32)}`

/** Returns the balance of `account` in wei before and after a transaction. */
export async function balanceChange(
  devnet: Devnet,
  { transactionHash, blockNumber }: BalancePlace,
  account: string,
): Promise<Change> {
  const { pre, post } = await differenceOf(devnet, transactionHash)
  const [before, after] = [pre[account]?.balance, post[account]?.balance]
  if (after !== undefined) return { before: BigInt(before ?? 0), after: BigInt(after) }
  if (before !== undefined) {
    // A deleted account is in `pre` only.
    return { before: BigInt(before), after: post[account] === undefined ? 0n : BigInt(before) }
  }
  const params = [account, await blockOf(devnet, blockNumber)]
  const same = BigInt((await devnet.calmRequest('eth_getBalance', params)) as string)
  return { before: same, after: same }
}

/**
 * Returns the token balance of `account` before and after a transaction: the result of `balanceOf` with the storage
 * that the transaction changed overridden by its old and its new values.
 */
export async function tokenChange(
  devnet: Devnet,
  { transactionHash, blockNumber }: BalancePlace,
  token: string,
  account: string,
): Promise<Change> {
  const [difference, block] = await Promise.all([
    differenceOf(devnet, transactionHash),
    blockOf(devnet, blockNumber),
  ])
  const [before, after] = await Promise.all([
    tokenBalance(devnet, token, account, block, overrides(difference, 'pre')),
    tokenBalance(devnet, token, account, block, overrides(difference, 'post')),
  ])
  return { before, after }
}

/** Returns the result of `balanceOf(account)` of a token. Throws if it is not a number. */
export async function tokenBalance(
  devnet: Devnet,
  token: string,
  account: string,
  block = 'pending',
  stateOverrides: object = {},
): Promise<bigint> {
  const call = { to: token, data: `0x70a08231${account.slice(2).padStart(64, '0')}` }
  const answer = (await devnet.calmRequest('eth_call', [call, block, stateOverrides])) as string
  // An address without code, before the deployment or after a self-destruct, has no tokens.
  if (answer === '0x' && !(await hasCode(devnet, token))) {
    throw new TypeError(
      `expected a token at ${checksummed(token.toLowerCase() as `0x${string}`)}, and there is no contract`,
    )
  }
  return answer === '0x' ? 0n : BigInt(answer.slice(0, 66))
}

/** Returns the wei that the sender paid for gas, including the L1 fee on an L2. */
export function feeOf({ gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice, l1Fee }: RpcReceipt): bigint {
  return (
    BigInt(gasUsed) * BigInt(effectiveGasPrice) +
    BigInt(blobGasUsed ?? 0) * BigInt(blobGasPrice ?? 0) +
    BigInt(l1Fee ?? 0)
  )
}

/** The place of a transaction: its block and its index there. */
interface BalancePlace {
  readonly transactionHash: string
  readonly blockNumber: string
}

async function differenceOf(devnet: Devnet, hash: string): Promise<Difference> {
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  return (await devnet.calmRequest('debug_traceTransaction', [hash, options])) as Difference
}

/**
 * Returns state overrides from one side of the difference: storage, and code of created contracts. Storage that is
 * zero on one side is missing there.
 */
function overrides(difference: Difference, end: keyof Difference): object {
  const { pre, post } = difference
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])]
  return Object.fromEntries(
    addresses.map((address) => {
      const slots = Object.keys({ ...pre[address]?.storage, ...post[address]?.storage })
      const values = difference[end][address]?.storage
      const stateDiff = Object.fromEntries(slots.map((slot) => [slot, values?.[slot] ?? ZERO]))
      const isNew = post[address]?.code !== undefined
      return [address, { stateDiff, ...(isNew && { code: difference[end][address]?.code ?? '0x' }) }]
    }),
  )
}

/**
 * Returns the block number, or `pending` for the block under construction, which cannot be requested by its number.
 */
async function blockOf(devnet: Devnet, number: string): Promise<string> {
  const latest = (await devnet.calmRequest('eth_blockNumber')) as string
  return BigInt(number) > BigInt(latest) ? 'pending' : number
}

async function hasCode(devnet: Devnet, address: string): Promise<boolean> {
  return (await devnet.calmRequest('eth_getCode', [address, 'pending'])) !== '0x'
}
