/** What a client sees of a devnet, in a form that fits into one line of a test. */
import type { Hex } from 'viem'
import type { Devnet } from '../../../src/index.ts'
import { ask, STRANGER } from '../clients/clients.ts'

interface BlockJson {
  readonly number: Hex
  readonly hash: Hex
  readonly transactions: readonly Hex[]
}

/** Sends one wei to the stranger from the devnet's account at `sender`; answers the hash. */
export function pay(devnet: Devnet, sender = 0, fields: Record<string, unknown> = {}): Promise<Hex> {
  const from = devnet.accounts[sender]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', gas: '0x5208', ...fields })
}

/** What the stranger was paid, seen from `at`. */
export async function received(devnet: Devnet, at: string): Promise<number> {
  return Number(await ask(devnet, 'eth_getBalance', STRANGER, at))
}

/**
 * `latest 3 pending 4:2` where block 4 is under construction and has two transactions; `latest 3 pending -` where there is
 * no such block to see.
 */
export async function seen(devnet: Devnet): Promise<string> {
  const blockAt = (tag: string) => ask<BlockJson>(devnet, 'eth_getBlockByNumber', tag, false)
  const [latest, pending] = [await blockAt('latest'), await blockAt('pending')]
  const shown =
    pending.hash === latest.hash ? '-' : `${Number(pending.number)}:${pending.transactions.length}`
  return `latest ${Number(latest.number)} pending ${shown}`
}

/** What happens from now on, one line for each event; take them with `splice`. */
export function heard(devnet: Devnet): string[] {
  const lines: string[] = []
  devnet.on('preconfirmed', ({ block, slices }, added) =>
    lines.push(`slice ${block.header.number}.${slices} +${added.length}`),
  )
  devnet.on('sealed', ({ block }) => lines.push(`sealed ${block.header.number}`))
  devnet.on('dropped', (_, reason) =>
    lines.push(`dropped ${reason.kind}${reason.kind === 'fault' ? ` ${reason.lands}` : ''}`),
  )
  devnet.on('reorged', (removed) => lines.push(`removed ${removed.map(({ block }) => block.header.number)}`))
  devnet.on('fault', ({ kind }, block, slice) =>
    lines.push(`fault ${kind} ${block}${slice === undefined ? '' : `.${slice}`}`),
  )
  devnet.on('requestFault', ({ kind }, method) => lines.push(`requestFault ${kind} ${method}`))
  return lines
}

/** The results of a subscription that is made now, as they come. */
export async function subscribed(devnet: Devnet, ...params: unknown[]): Promise<unknown[]> {
  const results: unknown[] = []
  let id: unknown
  devnet.on('message', ({ data }) => {
    if (data.subscription === id) results.push(data.result)
  })
  id = await ask(devnet, 'eth_subscribe', ...params)
  return results
}
