/** Builds a JSON fixture: first the accounts, then the transactions, block by block. */

import type { Devnet } from '../index.ts'
import { checksummed } from '../model/account.ts'
import {
  blocksOf,
  hexOf,
  InvalidFixture,
  type JsonAccount,
  type JsonForm,
  type JsonTransaction,
  type Party,
} from './jsonFixtureForm.ts'

type Hex = `0x${string}`

/** Builds `form` on `devnet`. Returns the named values. */
export async function buildFromJson<N extends string>(
  devnet: Devnet,
  form: JsonForm,
): Promise<Readonly<Record<N, Hex>>> {
  const values = new Map<string, Hex>()
  for (const { transactions } of blocksOf(form)) {
    for (const transaction of transactions) requireNumbers(devnet, transaction)
  }
  await requireNetwork(devnet, form)
  devnet.abis.add(form.abis)
  for (const account of form.accounts) {
    await setAccount(devnet, account)
    if (account.name !== undefined) values.set(account.name, withChecksum(account.address))
  }
  for (const step of form.steps) {
    if (step.kind === 'block') await makeBlock(devnet, step.transactions, values)
    else
      await ask(
        devnet,
        'anvil_mine',
        hexOf(step.blocks),
        step.seconds === undefined ? null : hexOf(step.seconds),
      )
  }
  return Object.fromEntries(values) as Record<N, Hex>
}

/** Throws `InvalidFixture` for a devnet that does not begin where the fixture does. */
async function requireNetwork(devnet: Devnet, { fork }: JsonForm): Promise<void> {
  if (fork === undefined) return
  const { forkedNetwork } = await ask<{ forkedNetwork: object | null }>(devnet, 'hardhat_metadata')
  if (forkedNetwork !== null) return
  throw new InvalidFixture('fork', 'a devnet on a network (option fork, --fork-url)', 'one without a network')
}

function withChecksum(address: Hex): Hex {
  return checksummed(address.toLowerCase() as Hex)
}

async function ask<T>(devnet: Devnet, method: string, ...params: unknown[]): Promise<T> {
  return (await devnet.request({ method, params })) as T
}

function requireNumbers({ accounts }: Devnet, transaction: JsonTransaction): void {
  if (transaction.kind === 'signed') return
  for (const member of ['from', 'to'] as const) {
    const party = transaction[member]
    if (typeof party !== 'number' || party < accounts.length) continue
    const expected = `the number of a development account, of which there are ${accounts.length}`
    throw new InvalidFixture(`${transaction.path}.${member}`, expected, party)
  }
}

async function setAccount(devnet: Devnet, account: JsonAccount): Promise<void> {
  const { address, balance, nonce, code, storage } = account
  if (balance !== undefined) await ask(devnet, 'anvil_setBalance', address, hexOf(balance))
  if (nonce !== undefined) await ask(devnet, 'anvil_setNonce', address, hexOf(nonce))
  if (code !== undefined) await ask(devnet, 'anvil_setCode', address, code)
  for (const [slot, value] of storage) {
    await ask(devnet, 'anvil_setStorageAt', address, hexOf(slot), `0x${value.toString(16).padStart(64, '0')}`)
  }
}

interface ReceiptJson {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly contractAddress: Hex | null
}

/**
 * Sends the transactions and mines them; adds their results to `values` under their names. Throws if one of them
 * fails.
 */
async function makeBlock(
  devnet: Devnet,
  transactions: readonly JsonTransaction[],
  values: Map<string, Hex>,
): Promise<void> {
  const sent: { transaction: JsonTransaction; hash: Hex }[] = []
  for (const transaction of transactions) {
    sent.push({ transaction, hash: await send(devnet, transaction, values) })
  }
  const hashes = sent.map(({ hash }) => hash)
  if (!(await areSealed(devnet, hashes))) await devnet.mine()
  for (const { transaction, hash } of sent) {
    const receipt = await ask<ReceiptJson | null>(devnet, 'eth_getTransactionReceipt', hash)
    if (receipt === null)
      throw new Error(`${transaction.path}: it is in no block; ${await whyNot(devnet, hash)}`)
    if (receipt.status !== '0x1') throw new Error(`${transaction.path}: ${await failure(devnet, hash)}`)
    if (transaction.name !== undefined) {
      const { contractAddress } = receipt
      values.set(transaction.name, contractAddress ? withChecksum(contractAddress) : hash)
    }
  }
}

async function send(
  devnet: Devnet,
  transaction: JsonTransaction,
  values: ReadonlyMap<string, Hex>,
): Promise<Hex> {
  try {
    if (transaction.kind === 'signed') return await ask(devnet, 'eth_sendRawTransaction', transaction.raw)
    const addressOf = (party: Party): Hex =>
      typeof party === 'number' ? devnet.accounts[party]!.address : (values.get(party) ?? (party as Hex))
    const from = addressOf(transaction.from)
    const to = transaction.to === undefined ? {} : { to: addressOf(transaction.to) }
    return await sendAs(devnet, from, { ...transaction.request, ...to, from })
  } catch (error) {
    throw new Error(`${transaction.path}: ${(error as Error).message}`, { cause: error })
  }
}

/** Sends a transaction from any account. An account without a known key is impersonated meanwhile. */
async function sendAs(devnet: Devnet, from: Hex, request: object): Promise<Hex> {
  const unlocked = await ask<string[]>(devnet, 'eth_accounts')
  if (unlocked.includes(from.toLowerCase())) return ask(devnet, 'eth_sendTransaction', request)
  await ask(devnet, 'anvil_impersonateAccount', from)
  try {
    return await ask(devnet, 'eth_sendTransaction', request)
  } finally {
    await ask(devnet, 'anvil_stopImpersonatingAccount', from)
  }
}

/** Returns whether all are sealed already: under the rhythm `instant` each has a block of its own. */
async function areSealed(devnet: Devnet, hashes: readonly Hex[]): Promise<boolean> {
  const latest = BigInt(await ask<Hex>(devnet, 'eth_blockNumber'))
  const receipts = await Promise.all(
    hashes.map((hash) => ask<ReceiptJson | null>(devnet, 'eth_getTransactionReceipt', hash)),
  )
  return receipts.every((receipt) => receipt !== null && BigInt(receipt.blockNumber) <= latest)
}

/** Returns the reason why a mined transaction failed. */
async function failure(devnet: Devnet, hash: Hex): Promise<string> {
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  const call = await ask<{ error?: string; revertReason?: string; output?: Hex }>(
    devnet,
    'debug_traceTransaction',
    hash,
    tracer,
  )
  const decoded = call.output === undefined ? undefined : await devnet.abis.decodeError(call.output)
  const reason = call.revertReason ?? decoded?.text
  return `${call.error ?? 'failed'}${reason === undefined ? '' : `: ${reason}`}`
}

/** Returns the reason why an accepted transaction is in no block. */
async function whyNot(devnet: Devnet, hash: Hex): Promise<string> {
  const { status, reason } = await ask<{ status: string; reason?: string }>(devnet, 'preseal_explain', hash)
  return reason ?? status
}
