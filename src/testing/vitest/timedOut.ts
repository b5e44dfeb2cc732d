/** What a test is told that ran out of time: whoever waits for a receipt under the rhythm `manual` waits for himself. */
import type { Devnet } from '../../index.ts'
import { explained } from '../matchers/outcome.ts'

/** What vitest says, from 3 on. */
const TIMED_OUT = /^Test timed out/

/** The part of vitest's task that says how it went. */
export interface Ended {
  readonly result?: { readonly errors?: readonly { message: string }[] | undefined } | undefined
}

/** Adds to the message of a test that ran out of time which transaction of `devnet` is in no block, and why. */
export async function explainTimeout({ result }: Ended, devnet: Devnet): Promise<void> {
  const error = result?.errors?.find(({ message }) => TIMED_OUT.test(message))
  if (error === undefined) return
  // A test may have closed its devnet, which then answers nothing.
  const reason = await whatWaits(devnet).catch(() => undefined)
  if (reason !== undefined) error.message += `\n${reason}`
}

async function whatWaits(devnet: Devnet): Promise<string | undefined> {
  const [waiting] = (await devnet.calmRequest('eth_pendingTransactions')) as readonly { hash: string }[]
  const open = (await devnet.calmRequest('eth_getBlockByNumber', ['pending', false])) as {
    readonly transactions: readonly string[]
  }
  const hash = waiting?.hash ?? open.transactions[0]
  if (hash === undefined) return undefined
  const { status, reason } = await explained(devnet, hash)
  if (status === 'waiting') return `The transaction ${hash} is in no block: ${reason}`
  return status === 'preconfirmed' && devnet.settings.rhythm === 'manual'
    ? `The transaction ${hash} is in no sealed block: ${reason}, when somebody asks: devnet.tick(), devnet.mine(), evm_mine`
    : undefined
}
