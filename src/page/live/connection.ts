import { signal } from '@preact/signals'
import type { RpcBlock } from '../../wire/encode.ts'
import type { Requester } from '../source/source.ts'

/** Seconds without a message after which a ping is sent. */
const QUIET = 5
/** Seconds without a response after which the devnet counts as silent. */
const PATIENCE = 3

/** Detects that the devnet stopped responding. `look` must be called every second, because it counts the seconds. */
export class Silence {
  readonly isSilent = signal(false)
  readonly #ping: () => Promise<unknown>
  #looks = 0
  #isAsked = false

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
  #identity: string | undefined

  /**
   * Compares the chain with the chain before the connection was lost. Resolves to an explanation of the difference,
   * or to `undefined` if the chain continues. `head` is the newest known block. Must be called after each connect.
   */
  async difference(
    from: Requester,
    head: Pick<RpcBlock, 'hash' | 'number'> | undefined,
  ): Promise<string | undefined> {
    const [identity, block] = await Promise.all([
      identityOf(from),
      // If the request fails, the block is assumed to exist.
      head?.hash ? from.request('eth_getBlockByHash', [head.hash, false]).catch(() => head) : head,
    ])
    const before = this.#identity
    this.#identity = identity
    if (before !== undefined && identity !== before) return 'The devnet has another chain now.'
    if (block !== null) return undefined
    return `The chain was restarted, reverted or reorganised: block ${Number(head!.number)} is no longer part of it.`
  }
}

/** Resolves to a string with the devnet's chain id and instance id; empty in place of an id whose request fails. */
async function identityOf(from: Requester): Promise<string> {
  const [chainId, metadata] = await Promise.all([
    from.request<string>('eth_chainId').catch(() => ''),
    from.request<{ instanceId: string }>('anvil_metadata').catch(() => undefined),
  ])
  return `${chainId} ${metadata?.instanceId ?? ''}`
}
