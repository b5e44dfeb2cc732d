/** Builds a JSON fixture: first the accounts, then the transactions, block by block. */
import type { Hex } from '../bytes/hex.ts'
import type { Devnet, RpcReceipt } from '../index.ts'
import { checksummed } from '../model/account/account.ts'
import {
  InvalidFixture,
  type JsonAccount,
  type JsonCall,
  type JsonFixture,
  type JsonStep,
  type JsonTransaction,
  type Party,
} from './fixtureSchema.ts'

/** The transactions of one block, each with its path in the JSON for error messages. */
export type Block = readonly Located[]
type Located = { readonly path: string; readonly name?: string | undefined } & (
  | { readonly kind: 'signed'; readonly raw: Hex }
  | { readonly kind: 'call'; readonly call: JsonCall }
)

export function blocksOf({ transactions = [] }: JsonFixture): Block[] {
  return transactions.flatMap((step, index) =>
    isMine(step) ? [] : [blockOf(step, `transactions[${index}]`)],
  )
}

function isMine(step: JsonStep): step is Extract<JsonStep, { mine: number }> {
  return typeof step === 'object' && 'mine' in step
}

function blockOf(step: JsonTransaction | JsonTransaction[], path: string): Block {
  if (!Array.isArray(step)) return [located(step, path)]
  return step.map((transaction, index) => located(transaction, `${path}[${index}]`))
}

function located(transaction: JsonTransaction, path: string): Located {
  if (typeof transaction === 'string') return { kind: 'signed', path, raw: transaction }
  if ('raw' in transaction) return { kind: 'signed', path, ...transaction }
  const { name, ...call } = transaction
  return { kind: 'call', path, name, call }
}

export async function buildFromJson<N extends string>(
  devnet: Devnet,
  form: JsonFixture,
): Promise<Readonly<Record<N, Hex>>> {
  const values = new Map<string, Hex>()
  requireNumbers(devnet, form)
  await requireNetwork(devnet, form)
  devnet.abis.add(form.abis ?? {})
  for (const [address, account] of Object.entries(form.accounts ?? {}) as [Hex, JsonAccount][]) {
    await setAccount(devnet, address, account)
    if (account.name !== undefined) values.set(account.name, withChecksum(address))
  }
  for (const [index, step] of (form.transactions ?? []).entries()) {
    if (isMine(step)) {
      const seconds = step.seconds === undefined ? null : quantity(step.seconds)
      await ask(devnet, 'anvil_mine', quantity(step.mine), seconds)
    } else await makeBlock(devnet, blockOf(step, `transactions[${index}]`), values)
  }
  return Object.fromEntries(values) as Record<N, Hex>
}

function quantity(amount: number | string): Hex {
  return `0x${BigInt(amount).toString(16)}`
}

/** Throws `InvalidFixture` if the fixture names a development account that the devnet does not have. */
function requireNumbers({ accounts }: Devnet, form: JsonFixture): void {
  for (const transaction of blocksOf(form).flat()) {
    if (transaction.kind === 'signed') continue
    for (const member of ['from', 'to'] as const) {
      const party = transaction.call[member]
      if (typeof party !== 'number' || party < accounts.length) continue
      const expected = `the number of a development account, of which there are ${accounts.length}`
      throw new InvalidFixture(`${transaction.path}.${member}`, expected, party)
    }
  }
}

/** Throws `InvalidFixture` if the fixture needs a forked network and the devnet has none. */
async function requireNetwork(devnet: Devnet, { fork }: JsonFixture): Promise<void> {
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

async function setAccount(devnet: Devnet, address: Hex, account: JsonAccount): Promise<void> {
  const { balance, nonce, code, storage = {} } = account
  if (balance !== undefined) await ask(devnet, 'anvil_setBalance', address, quantity(balance))
  if (nonce !== undefined) await ask(devnet, 'anvil_setNonce', address, quantity(nonce))
  if (code !== undefined) await ask(devnet, 'anvil_setCode', address, code)
  for (const [slot, value] of Object.entries(storage)) {
    const word = `0x${BigInt(value).toString(16).padStart(64, '0')}`
    await ask(devnet, 'anvil_setStorageAt', address, quantity(slot), word)
  }
}

/** Sends and mines `transactions`, and adds named addresses and hashes to `values`. Throws if a transaction fails. */
async function makeBlock(devnet: Devnet, transactions: Block, values: Map<string, Hex>): Promise<void> {
  const sent: { transaction: Located; hash: Hex }[] = []
  for (const transaction of transactions) {
    sent.push({ transaction, hash: await send(devnet, transaction, values) })
  }
  const hashes = sent.map(({ hash }) => hash)
  if (!(await areSealed(devnet, hashes))) await devnet.mine()
  for (const { transaction, hash } of sent) {
    const receipt = await ask<RpcReceipt | null>(devnet, 'eth_getTransactionReceipt', hash)
    if (receipt === null)
      throw new Error(`${transaction.path}: it is in no block; ${await whyNot(devnet, hash)}`)
    if (receipt.status !== '0x1') throw new Error(`${transaction.path}: ${await failure(devnet, hash)}`)
    if (transaction.name !== undefined) {
      const { contractAddress } = receipt
      values.set(transaction.name, contractAddress ? withChecksum(contractAddress) : hash)
    }
  }
}

async function send(devnet: Devnet, transaction: Located, values: ReadonlyMap<string, Hex>): Promise<Hex> {
  try {
    if (transaction.kind === 'signed') return await ask(devnet, 'eth_sendRawTransaction', transaction.raw)
    const addressOf = (party: Party): Hex =>
      typeof party === 'number' ? devnet.accounts[party]!.address : (values.get(party) ?? (party as Hex))
    const { from: sender = 0, to: recipient, data, ...amounts } = transaction.call
    const from = addressOf(sender)
    const to = recipient === undefined ? {} : { to: addressOf(recipient) }
    const input = data === undefined ? {} : { data }
    return await sendAs(devnet, from, { ...to, ...input, ...inHex(amounts), from })
  } catch (error) {
    throw new Error(`${transaction.path}: ${(error as Error).message}`, { cause: error })
  }
}

function inHex(amounts: Readonly<Record<string, number | string | undefined>>): Record<string, Hex> {
  const given = Object.entries(amounts)
  return Object.fromEntries(
    given.flatMap(([name, amount]) => (amount === undefined ? [] : [[name, quantity(amount)]])),
  )
}

/** Sends a transaction from any account. Impersonates an account if the devnet lacks its key. */
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

/** Returns whether all transactions are sealed already, as under `instant`, which seals each in its own block. */
async function areSealed(devnet: Devnet, hashes: readonly Hex[]): Promise<boolean> {
  const latest = BigInt(await ask<Hex>(devnet, 'eth_blockNumber'))
  const receipts = await Promise.all(
    hashes.map((hash) => ask<RpcReceipt | null>(devnet, 'eth_getTransactionReceipt', hash)),
  )
  return receipts.every((receipt) => receipt !== null && BigInt(receipt.blockNumber) <= latest)
}

async function failure(devnet: Devnet, hash: Hex): Promise<string> {
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  type Failed = { error?: string; revertReason?: string; output?: Hex }
  const call = await ask<Failed>(devnet, 'debug_traceTransaction', hash, tracer)
  const decoded = call.output === undefined ? undefined : await devnet.abis.decodeError(call.output)
  const reason = call.revertReason ?? decoded?.text
  return `${call.error ?? 'failed'}${reason === undefined ? '' : `: ${reason}`}`
}

async function whyNot(devnet: Devnet, hash: Hex): Promise<string> {
  const { status, reason } = await ask<{ status: string; reason?: string }>(devnet, 'preseal_explain', hash)
  return reason ?? status
}
