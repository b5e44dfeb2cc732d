/**
 * Searches for a hash or its first digits, a block number or tag, an address, or a name. Pasted text may contain
 * quotes, spaces and line breaks, may lack `0x`, or may be a link to a block explorer.
 */
import type { Hex } from '../bytes/hex.ts'
import { distance } from '../model/api/text.ts'
import type { RpcBlock } from '../wire/encode.ts'
import { contractsNamed, type ListedContract, listContracts, sendingAccounts } from './accounts/names.ts'
import { isHash, quantity, shortened } from './format.ts'
import { isTag } from './moment.ts'
import { type Route, routeOf } from './routes.ts'
import type { Requester } from './source/source.ts'

interface Choice {
  readonly to: Route
  readonly what: string
}

export interface Found {
  readonly to?: Route
  readonly text?: string
  readonly choices?: readonly Choice[]
}

const MOST_CHOICES = 8

export async function found(text: string, source: Requester): Promise<Found> {
  const wanted = cleaned(text)
  if (wanted === '') return {}
  const lower = wanted.toLowerCase()
  if (isTag(lower)) return { to: { view: 'block', id: lower } }
  const hex = /^(0x)?([0-9a-f]{40}|[0-9a-f]{64})$/.exec(lower)
  if (hex !== null) {
    const whole = `0x${hex[2]}`
    return isHash(whole) ? hashed(whole, source) : addressed(wanted.slice(-40))
  }
  const number = /^(?:block\s*)?#?(\d+(?:[\s,._'’]\d{3})*)$/.exec(lower)?.[1]?.replace(/\D/g, '')
  if (number !== undefined && number.length < 16) return numbered(Number(number), source)
  const [, start, end = ''] = /^(0x[0-9a-f]*)(?:(?:…|\.{2,})([0-9a-f]*))?$/.exec(lower) ?? []
  if (start !== undefined) return searchByPrefix(start, end, source)
  return searchByName(wanted, source)
}

function cleaned(text: string): string {
  const plain = text.replace(/\p{Cf}/gu, '').replace(/^[\s"'`<([{]+|[\s"'`>)\]},;:.]+$/g, '')
  const path = /^\w+:\/\/[^/]+\/(.*)$/.exec(plain)?.[1] ?? (plain.startsWith('/') ? plain : undefined)
  const meant =
    path
      ?.replace(/[?#].*$/, '')
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? plain
  // Hex copied from a page may contain line breaks and spaces.
  const joined = meant.replace(/\s+/g, '')
  return /^(0x)?[0-9a-f]{40,}$/i.test(joined) ? joined : meant
}

async function addressed(digits: string): Promise<Found> {
  const to: Route = { view: 'account', address: `0x${digits.toLowerCase()}` }
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return { to }
  // The codec is imported here, because it belongs to a chunk that is loaded later than this module.
  const { hasRightChecksum } = await import('../solidity/abi/codec.ts')
  if (hasRightChecksum(`0x${digits}`)) return { to }
  return { to, text: 'The checksum of this address is wrong (EIP-55): check its digits.' }
}

async function hashed(hash: string, source: Requester): Promise<Found> {
  if ((await source.request('eth_getTransactionByHash', [hash])) !== null)
    return { to: { view: 'transaction', hash } }
  if ((await source.request('eth_getBlockByHash', [hash, false])) !== null)
    return { to: { view: 'block', id: hash } }
  return { text: 'Nothing found: no transaction or block of this chain has this hash.' }
}

async function numbered(number: number, source: Requester): Promise<Found> {
  if ((await blockOf(number, source)) !== null) return { to: { view: 'block', id: String(number) } }
  const newest = Number(await source.request<Hex>('eth_blockNumber'))
  return {
    text: `There is no block ${number}${number > newest ? ` yet: the newest is ${newest}` : ': it is no longer kept'}.`,
  }
}

function blockOf(number: number, source: Requester): Promise<RpcBlock | null> {
  return source.request('eth_getBlockByNumber', [quantity(number), false])
}

/** Searches for a block number in hex, or for a hash or an address that begins with `start` and ends with `end`. */
async function searchByPrefix(start: string, end: string, source: Requester): Promise<Found> {
  const digits = start.length - 2 + end.length
  if (digits > 64) return { text: `A hash has 64 hex digits, an address 40; this has ${digits}.` }
  const isNumber = end === '' && digits > 0 && digits <= 12
  if (isNumber && (await blockOf(Number(start), source)) !== null)
    return { to: { view: 'block', id: String(Number(start)) } }
  if (start.length < 5)
    return { text: `There is no block ${start}. Enter at least 3 digits of a hash or an address.` }
  const fit = await choicesFor(start, end, source)
  if (fit.length === 0) {
    return {
      text: `Nothing found: no hash or address of this chain begins with ${shortened(start)}. A hash has 64 hex digits, an address 40; this has ${digits}.`,
    }
  }
  if (fit.length === 1) return { to: fit[0]!.to }
  const isCut = fit.length > MOST_CHOICES
  return {
    text: isCut
      ? `More than ${MOST_CHOICES} begin with ${shortened(start)}; some are:`
      : `${fit.length} begin with ${shortened(start)}:`,
    choices: fit.slice(0, MOST_CHOICES),
  }
}

/** The result of `preseal_findByPrefix`. */
interface FoundByPrefix {
  readonly transactions: readonly string[]
  readonly blocks: readonly { readonly hash: string; readonly number: Hex }[]
  readonly addresses: readonly string[]
}

async function choicesFor(start: string, end: string, source: Requester): Promise<readonly Choice[]> {
  const [{ transactions, blocks, addresses }, accounts, contracts] = await Promise.all([
    source.request<FoundByPrefix>('preseal_findByPrefix', [start, end]),
    sendingAccounts(source.request.bind(source)).catch(() => []),
    contractsOf(source),
  ])
  const names = new Map([
    ...contracts.map(({ address, name }) => [address, name ?? 'contract'] as const),
    ...accounts.map(({ address, name }) => [address.toLowerCase(), name] as const),
  ])
  const known = [...names.keys()].filter((address) => address.startsWith(start) && address.endsWith(end))
  return [
    ...[...new Set([...known, ...addresses])].map((address) => ({
      to: { view: 'account', address } as const,
      what: `${names.get(address) ?? 'account'} ${shortened(address)}`,
    })),
    ...blocks.map(({ hash, number }) => ({
      to: { view: 'block', id: hash } as const,
      what: `block ${Number(number)} ${shortened(hash)}`,
    })),
    ...transactions.map((hash) => ({
      to: { view: 'transaction', hash } as const,
      what: `transaction ${shortened(hash)}`,
    })),
  ]
}

/** Loads all contracts. Resolves to an empty list if the request fails. */
function contractsOf(source: Requester): Promise<readonly ListedContract[]> {
  return listContracts(source.request.bind(source)).then(
    ({ contracts }) => contracts,
    () => [],
  )
}

/** Searches for a name. If several contracts have the name, the result is the view that lists all contracts. */
async function searchByName(name: string, source: Requester): Promise<Found> {
  const lower = name.toLowerCase()
  const contracts = await contractsOf(source)
  const [contract, ...others] = contractsNamed(contracts, name)
  if (contract !== undefined)
    return {
      to: others.length === 0 ? { view: 'account', address: contract.address } : { view: 'contracts' },
    }
  const to = routeOf(lower === 'now' ? '/' : `/${lower}`)
  if (to.view !== 'unknown') return { to }
  const [, kind, index] = /^(account|impersonated)\s*(\d{1,3})$/.exec(lower) ?? []
  const accounts = kind === undefined ? [] : await sendingAccounts(source.request.bind(source))
  const account = accounts.find((one) => one.name === `${kind} ${Number(index)}`)?.address
  if (account !== undefined) return { to: { view: 'account', address: account.toLowerCase() } }
  // Some tools show the first digits of a hash without 0x.
  if (/^[0-9a-f]{6,}$/.test(lower)) return searchByPrefix(`0x${lower}`, '', source)
  const close = similarContracts(contracts, lower)
  if (close.length > 0) {
    return {
      text: 'Nothing found: no contract has this name. Did you mean:',
      choices: close.map(({ address, name }) => ({
        to: { view: 'account', address },
        what: `${name} ${shortened(address)}`,
      })),
    }
  }
  const hint = /^[^\s.]+(\.[^\s.]+)+$/.test(name)
    ? 'ENS names are not supported; an address has 0x and 40 hex digits.'
    : 'search for a hash or its prefix, a block (12, 0xc, latest, pending), an address or the name of a contract.'
  return { text: `Nothing found: ${hint}` }
}

/** Returns the contracts whose name differs from `name` in a few letters, most similar first. */
function similarContracts(contracts: readonly ListedContract[], name: string): readonly ListedContract[] {
  const most = Math.max(1, Math.floor(name.length / 3))
  return contracts
    .filter((contract) => contract.name !== null && contract.name.length < 100 && name.length < 100)
    .map((contract) => ({ contract, by: distance(contract.name!.toLowerCase(), name) }))
    .filter(({ by }) => by <= most)
    .sort((one, other) => one.by - other.by)
    .slice(0, MOST_CHOICES)
    .map(({ contract }) => contract)
}
