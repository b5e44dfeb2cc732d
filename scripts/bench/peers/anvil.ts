/** anvil as a peer: with the accounts, chain id and hardfork of a devnet, and mining when told to. */
import { developmentAccounts, TEST_MNEMONIC } from '../../../src/model/account/developmentAccounts.ts'
import { type AnvilProcess, spawnAnvil } from '../../anvil.ts'
import { ask } from '../../ask.ts'
import { type Absent, beside, type Peer } from '../row.ts'
import type { Chain } from '../scenario.ts'

/** A running anvil; `request` asks it over HTTP, for what is not measured. */
export interface Anvil extends Chain, AnvilProcess {}

export const ANVIL_IS_ABSENT: Absent = { name: 'anvil', absent: 'not installed, or not for this platform' }

/** A devnet's defaults. The mnemonic is the same for both. */
const SAME_CHAIN = ['--chain-id', '31337', '--hardfork', 'osaka', '--accounts', '10', '--balance', '10000']

/** Starts anvil with `options` besides; `undefined` where it is not installed or does not run. */
export async function startAnvil(options: readonly string[] = ['--no-mining']): Promise<Anvil | undefined> {
  const anvil = await spawnAnvil([...SAME_CHAIN, ...options])
  if (anvil === undefined) return undefined
  return { ...anvil, ...(await chainAt(anvil.url)) }
}

/** The chain at `url`, whose accounts are those of a devnet. */
export async function chainAt(url: string): Promise<Chain> {
  const accounts = await developmentAccounts(TEST_MNEMONIC, 10)
  const request: Chain['request'] = ({ method, params }) => ask(url, method, params)
  return { accounts, request, mine: async () => void (await ask(url, 'evm_mine')) }
}

/** anvil's rounds as a peer; `undefined` or none where it is absent. */
export function besideAnvil(
  own: readonly number[],
  theirs: readonly number[] | undefined,
  name = 'anvil',
): Peer | Absent {
  return theirs === undefined || theirs.length === 0 ? ANVIL_IS_ABSENT : beside(name, own, theirs)
}
