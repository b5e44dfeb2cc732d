/** Matchers of the change of an account's balance by a transaction, in wei or tokens. */

import type { Devnet } from '../../index.ts'
import { checksummed } from '../../model/account.ts'
import { namesOf, requireOptions } from '../../model/arguments.ts'
import { balanceChange, type Change, feeOf, tokenBalance, tokenChange } from './changes.ts'
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
import { revertOf } from './revert.ts'
import { isSame, shown } from './sameValue.ts'
import type { Verdict } from './verdict.ts'
import { atFailure } from './whereFailed.ts'

export interface BalanceOptions {
  /** Whether the fee that the sender pays counts. By default it does not. */
  readonly includeFee?: boolean | undefined
}

const BALANCE_OPTIONS = namesOf<BalanceOptions>({ includeFee: true })

/** An address, or an object with one, such as an account of a devnet, viem or ethers. */
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
  const held = async () => BigInt((await devnet.calmRequest('eth_getBalance', [owner, 'pending'])) as string)
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
  return verdict(
    `the balance of ${checksummed(owner)} in the token ${checksummed(contract)}`,
    '',
    change,
    amount,
  )
}

type Noted = Change & { readonly note?: string }

/**
 * Returns the change by a transaction alone; for a function whose result is not a transaction, the change by all that
 * it does. Throws the error of the function, or an error if the transaction failed.
 */
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
      `expected a transaction, a promise of one or a function, got ${shown(value)}: the balance before is not known`,
    )
  }
  return { before, after: await held() }
}

/** Returns the value. Throws if it is a transaction that failed. */
async function succeeded(result: Settled, devnet: Devnet): Promise<unknown> {
  const given = 'error' in result ? Promise.reject(result.error) : result.value
  const outcome = await outcomeOf(given, { devnet })
  if (outcome.kind !== 'failed') return (result as { value: unknown }).value
  const { failure } = outcome
  const { text } = await revertOf(failure, undefined, devnet)
  const error = new Error(`expected a transaction that changes a balance, but ${text}`)
  throw await atFailure(failure, devnet, error)
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
