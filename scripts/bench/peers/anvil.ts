/** anvil as a peer: with the accounts, chain id and hardfork of a devnet, and mining when told to. */
import { developmentAccounts, TEST_MNEMONIC } from '../../../src/model/developmentAccounts.ts'
import { type AnvilProcess, spawnAnvil } from '../../anvil.ts'
import type { Absent } from '../row.ts'
import type { Chain } from '../scenario.ts'
import { ask } from './ask.ts'

/** A running anvil; `request` asks it over HTTP, for what is not measured. */
export interface Anvil extends Chain, AnvilProcess {}

/** What a row says where anvil is not. */
export const ANVIL_IS_ABSENT: Absent = { name: 'anvil', absent: 'not installed, or not for this platform' }

/** What a devnet has by default. The mnemonic is the same for both. */
const SAME_CHAIN = ['--chain-id', '31337', '--hardfork', 'osaka', '--accounts', '10', '--balance', '10000']

/** Starts anvil with `options` besides; `undefined` where there is none that runs. */
export async function startAnvil(options: readonly string[] = ['--no-mining']): Promise<Anvil | undefined> {
  const anvil = await spawnAnvil([...SAME_CHAIN, ...options])
  if (anvil === undefined) return undefined
  const accounts = await developmentAccounts(TEST_MNEMONIC, 10)
  const request: Anvil['request'] = (question) => ask(anvil.url, question)
  const mine = async () => void (await request({ method: 'evm_mine' }))
  return { ...anvil, accounts, request, mine }
}
