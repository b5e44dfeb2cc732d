/** Whether the devnet still answers, and whether a new connection leads to the same chain. */
import { signal } from '@preact/signals'
import type { RpcBlock } from '../../wire/encode.ts'
import type { Requester } from '../source/source.ts'

/** Seconds without a message before we ping. */
const QUIET = 5
/** Seconds without a response before the devnet counts as silent. */
const PATIENCE = 3

/** `look` has to be called every second. Calls are counted, not time: a suspended page has not waited. */
export class Silence {
  readonly isSilent = signal(false)
  readonly #ping: () => Promise<unknown>
  #looks = 0
  #isAsked = false

  /** `ping` requests something of the devnet; rejects if that fails. */
  constructor(ping: () => Promise<unknown>) {
    this.#ping = ping
  }

  hear(): void {
    this.#looks = 0
    this.isSilent.value = false
  }

  look(): void {
    this.#looks++
    if (this.#isAsked) {
      if (this.#looks >= PATIENCE) this.isSilent.value = true
    } else if (this.#looks >= QUIET) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#looks = 0
    this.#isAsked = true
    try {
      await this.#ping()
      this.hear()
    } catch {
      this.#looks = 0
      this.isSilent.value = true
    }
    this.#isAsked = false
  }
}

export class SameChain {
  /** Identifies the chain of the last connection. */
  #identity: string | undefined

  /**
   * Resolves with a text if the chain is another one than before; `undefined` if it continues. `head` is the newest block before. Has to be
   * called with each connection.
   */
  async difference(
    from: Requester,
    head: Pick<RpcBlock, 'hash' | 'number'> | undefined,
  ): Promise<string | undefined> {
    const [identity, block] = await Promise.all([
      identityOf(from),
      // A failed request counts as found: the next connection checks again.
      head?.hash ? from.request('eth_getBlockByHash', [head.hash, false]).catch(() => head) : head,
    ])
    const before = this.#identity
    this.#identity = identity
    if (before !== undefined && identity !== before) return 'The devnet has another chain now.'
    if (block !== null) return undefined
    return `The chain was restarted, reverted or reorganised: block ${Number(head!.number)} is no longer part of it.`
  }
}

/** Resolves with the chain id and, if known, the instance id of the devnet. */
async function identityOf(from: Requester): Promise<string> {
  const [chainId, metadata] = await Promise.all([
    from.request<string>('eth_chainId').catch(() => ''),
    from.request<{ instanceId: string }>('anvil_metadata').catch(() => undefined),
  ])
  return `${chainId} ${metadata?.instanceId ?? ''}`
}
