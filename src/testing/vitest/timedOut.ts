/** Explains the timeout of a test: under the rhythm `manual` a wait for a receipt lasts until the test mines. */
import type { Devnet } from '../../index.ts'
import { explained } from '../matchers/outcome.ts'

/** The start of vitest's timeout message, since vitest 3. */
const TIMED_OUT = /^Test timed out/

/** The part of a vitest task that has its result. */
export interface Ended {
  readonly result?: { readonly errors?: readonly { message: string }[] | undefined } | undefined
}

/** Adds to the message of a test that timed out which transaction of `devnet` is in no block, and why. */
export async function explainTimeout({ result }: Ended, devnet: Devnet): Promise<void> {
  const error = result?.errors?.find(({ message }) => TIMED_OUT.test(message))
  if (error === undefined) return
  // A devnet that the test has closed refuses requests.
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
