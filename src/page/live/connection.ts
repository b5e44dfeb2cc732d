/** Whether the devnet still answers, and whether a new connection leads to the same chain. */
import type { RpcBlock } from '../../wire/encode.ts'
import type { Requester } from '../source/source.ts'

/** Seconds without a message before we ping. */
const QUIET = 5
/** Seconds without a response before the devnet counts as silent. */
const PATIENCE = 3

interface SilenceOptions {
  /** Pings the devnet. Rejects if that fails. */
  readonly ask: () => Promise<unknown>
  readonly tell: (isSilent: boolean) => void
}

/** `look` has to be called every second. Calls are counted, not time: a suspended page has not waited. */
export class Silence {
  readonly #options: SilenceOptions
  #looks = 0
  #isAsked = false
  #isSilent = false

  constructor(options: SilenceOptions) {
    this.#options = options
  }

  /** Notes a message of the devnet. */
  hear(): void {
    this.#looks = 0
    this.#set(false)
  }

  look(): void {
    this.#looks++
    if (this.#isAsked) {
      if (this.#looks >= PATIENCE) this.#set(true)
    } else if (this.#looks >= QUIET) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#looks = 0
    this.#isAsked = true
    try {
      await this.#options.ask()
      this.hear()
    } catch {
      this.#looks = 0
      this.#set(true)
    }
    this.#isAsked = false
  }

  #set(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return
    this.#isSilent = isSilent
    this.#options.tell(isSilent)
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
