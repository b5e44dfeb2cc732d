/** What a reader may look for: a hash of a transaction or a block, a number, a tag, an address, the name of a contract. */
import { contractsNamed, listContracts } from './accounts/contracts.ts'
import { isAddress, isHash } from './format/hex.ts'
import type { Route } from './routes.ts'
import type { Source } from './source/source.ts'

const TAGS = new Set(['pending', 'latest', 'earliest', 'safe', 'finalized'])

/**
 * Resolves with the place of what `text` names; `undefined` if there is nothing. Where several contracts are named so, it is the list of
 * all contracts.
 */
export async function found(text: string, source: Pick<Source, 'request'>): Promise<Route | undefined> {
  const wanted = text.trim()
  if (isAddress(wanted)) return { view: 'account', address: wanted.toLowerCase() }
  if (TAGS.has(wanted)) return { view: 'block', id: wanted }
  if (/^\d{1,15}$/.test(wanted))
    return (await block(`0x${BigInt(wanted).toString(16)}`, source))
      ? { view: 'block', id: wanted }
      : undefined
  if (!isHash(wanted)) return named(wanted, source)
  const hash = wanted.toLowerCase()
  if ((await source.request('eth_getTransactionByHash', [hash])) !== null)
    return { view: 'transaction', hash }
  return (await source.request('eth_getBlockByHash', [hash, false])) === null
    ? undefined
    : { view: 'block', id: hash }
}

async function named(name: string, source: Pick<Source, 'request'>): Promise<Route | undefined> {
  if (name === '') return undefined
  const { contracts } = await listContracts((method, params) => source.request(method, params))
  const [contract, ...others] = contractsNamed(contracts, name)
  if (contract === undefined) return undefined
  return others.length === 0 ? { view: 'account', address: contract.address } : { view: 'contracts' }
}

async function block(number: string, source: Pick<Source, 'request'>): Promise<boolean> {
  return (await source.request('eth_getBlockByNumber', [number, false])) !== null
}
