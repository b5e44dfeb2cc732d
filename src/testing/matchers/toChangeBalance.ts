/** Matchers of balance changes, in wei or tokens, by one transaction, without other transactions of the block. */
import { ZERO_HASH } from '../../bytes/hex.ts'
import type { Devnet } from '../../index.ts'
import { checksummed } from '../../model/account/account.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import {
  attend,
  type Given,
  hashIn,
  outcomeOf,
  type RpcReceipt,
  receiptOf,
  type Settled,
  settled,
} from './outcome.ts'
import { unexpectedFailure } from './revert.ts'
import { isSame, shown } from './sameValue.ts'
import type { Verdict } from './verdict.ts'

export interface BalanceOptions {
  /** Whether the change includes the fee, if the account is the sender of the transaction. By default false. */
  readonly includeFee?: boolean | undefined
}

const BALANCE_OPTIONS = namesOf<BalanceOptions>({ includeFee: true })

/** An address, or an object that has one, such as an account of a devnet, of viem or of ethers. */
export type Owner = string | { readonly address: string }

export async function toChangeBalance(
  given: Given,
  devnet: Devnet,
  account: Owner,
  wei: bigint,
  options: BalanceOptions = {},
): Promise<Verdict> {
  attend(given)
  requireOptions('toChangeBalance', options, BALANCE_OPTIONS)
  const { includeFee = false } = options
  const owner = addressOf(account)
  const held = async () =>
    BigInt((await devnet.faultlessRequest('eth_getBalance', [owner, 'pending'])) as string)
  const change = await changeOf(given, devnet, held, async (receipt) => {
    const { before, after } = await balanceChange(devnet, receipt, owner)
    const fee = !includeFee && receipt.from.toLowerCase() === owner ? feeOf(receipt) : 0n
    return { before, after: after + fee, note: fee === 0n ? '' : `, its fee of ${fee} not counted` }
  })
  return verdict(`the balance of ${checksummed(owner)}`, 'wei', change, wei)
}

export async function toChangeTokenBalance(
  given: Given,
  devnet: Devnet,
  token: Owner,
  account: Owner,
  amount: bigint,
): Promise<Verdict> {
  attend(given)
  const [contract, owner] = [addressOf(token), addressOf(account)]
  const held = () => tokenBalance(devnet, contract, owner)
  const change = await changeOf(given, devnet, held, (receipt) =>
    tokenChange(devnet, receipt, contract, owner),
  )
  const what = `the balance of ${checksummed(owner)} in the token ${checksummed(contract)}`
  return verdict(what, '', change, amount)
}

type Noted = Change & { readonly note?: string }

/** Returns the change by a transaction, or by a function that returns no transaction. Throws if either fails. */
async function changeOf(
  given: Given,
  devnet: Devnet,
  held: () => Promise<bigint>,
  byTransaction: (receipt: RpcReceipt & { transactionHash: string }) => Promise<Noted>,
): Promise<Noted> {
  const before = typeof given === 'function' ? await held() : undefined
  const value = await succeeded(await settled(given), devnet)
  const hash = hashIn(value)
  if (hash !== undefined) {
    return byTransaction({ ...(await receiptOf(devnet, hash)), transactionHash: hash })
  }
  if (before === undefined) {
    throw new TypeError(
      `expected a transaction, a promise of one or a function, got ${shown(value)}: the balance before is unknown`,
    )
  }
  return { before, after: await held() }
}

/** Returns the value of a result. Throws if the value is a transaction that failed. */
async function succeeded(result: Settled, devnet: Devnet): Promise<unknown> {
  const given = 'error' in result ? Promise.reject(result.error) : result.value
  const outcome = await outcomeOf(given, { devnet })
  if (outcome.kind !== 'failed') return (result as { value: unknown }).value
  throw await unexpectedFailure(outcome.failure, 'a transaction that changes a balance', devnet)
}

function verdict(what: string, unit: string, { before, after, note = '' }: Noted, wanted: bigint): Verdict {
  const amount = (value: bigint) => `${value}${unit && ` ${unit}`}`
  const difference = after - before
  const happened = `it changed by ${amount(difference)}, from ${before} to ${after}${note}`
  const pass = isSame(wanted, difference)
  const not = pass ? 'not ' : ''
  const by = typeof wanted === 'bigint' ? amount(wanted) : shown(wanted)
  return { pass, message: () => `expected ${what} ${not}to change by ${by}, but ${happened}` }
}

function addressOf(owner: Owner): `0x${string}` {
  const address =
    typeof owner === 'string' ? owner : (owner as { address?: unknown; target?: unknown })?.address
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new TypeError(`expected an address (0x and 40 hex digits) or { address }, got ${shown(owner)}`)
  }
  return address.toLowerCase() as `0x${string}`
}

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

/** The result of the prestate tracer in diff mode: the changed members of the changed accounts. */
interface Difference {
  readonly pre: Accounts
  readonly post: Accounts
}

export async function balanceChange(
  devnet: Devnet,
  { transactionHash, blockNumber }: BalancePlace,
  account: string,
): Promise<Change> {
  const { pre, post } = await differenceOf(devnet, transactionHash)
  const [before, after] = [pre[account]?.balance, post[account]?.balance]
  if (after !== undefined) return { before: BigInt(before ?? 0), after: BigInt(after) }
  if (before !== undefined) {
    // An account that was deleted is in `pre` only.
    return { before: BigInt(before), after: post[account] === undefined ? 0n : BigInt(before) }
  }
  const params = [account, await blockOf(devnet, blockNumber)]
  const same = BigInt((await devnet.faultlessRequest('eth_getBalance', params)) as string)
  return { before: same, after: same }
}

/** Returns a token balance before and after a transaction: `balanceOf` with old and with new storage as overrides. */
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

/** Returns the result of `balanceOf(account)` of a token. Throws a `TypeError` if there is no contract. */
export async function tokenBalance(
  devnet: Devnet,
  token: string,
  account: string,
  block = 'pending',
  stateOverrides: object = {},
): Promise<bigint> {
  const call = { to: token, data: `0x70a08231${account.slice(2).padStart(64, '0')}` }
  const answer = (await devnet.faultlessRequest('eth_call', [call, block, stateOverrides])) as string
  // If the token has code now, it had none in the state of the call, so the balance was 0.
  if (answer === '0x' && (await devnet.faultlessRequest('eth_getCode', [token, 'pending'])) === '0x') {
    throw new TypeError(
      `expected a token at ${checksummed(token.toLowerCase() as `0x${string}`)}, which has no code`,
    )
  }
  return answer === '0x' ? 0n : BigInt(answer.slice(0, 66))
}

/** Returns the fee that the sender paid, in wei, including the L1 fee on an L2. */
export function feeOf({ gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice, l1Fee }: RpcReceipt): bigint {
  return (
    BigInt(gasUsed) * BigInt(effectiveGasPrice) +
    BigInt(blobGasUsed ?? 0) * BigInt(blobGasPrice ?? 0) +
    BigInt(l1Fee ?? 0)
  )
}

type BalancePlace = Pick<RpcReceipt, 'transactionHash' | 'blockNumber'>

async function differenceOf(devnet: Devnet, hash: string): Promise<Difference> {
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  return (await devnet.faultlessRequest('debug_traceTransaction', [hash, options])) as Difference
}

function overrides(difference: Difference, end: keyof Difference): object {
  const { pre, post } = difference
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])]
  return Object.fromEntries(
    addresses.map((address) => {
      const slots = Object.keys({ ...pre[address]?.storage, ...post[address]?.storage })
      const values = difference[end][address]?.storage
      const stateDiff = Object.fromEntries(slots.map((slot) => [slot, values?.[slot] ?? ZERO_HASH]))
      const isNew = post[address]?.code !== undefined
      return [address, { stateDiff, ...(isNew && { code: difference[end][address]?.code ?? '0x' }) }]
    }),
  )
}

/** Returns the block number, or `pending` for the block under construction, which requests cannot select by number. */
async function blockOf(devnet: Devnet, number: string): Promise<string> {
  const latest = (await devnet.faultlessRequest('eth_blockNumber')) as string
  return BigInt(number) > BigInt(latest) ? 'pending' : number
}
