/** Whether the devnet still answers, and whether a new connection leads to the same chain. */
import type { RpcBlock } from '../../wire/encode.ts'
import type { Requester } from '../source/source.ts'

/** So many looks without a message, and it is asked. */
const QUIET = 5
/** So many looks without an answer, and it is silent. */
const PATIENCE = 3

interface SilenceOptions {
  /** Requester the devnet for anything. Rejects where it cannot be asked. */
  readonly ask: () => Promise<unknown>
  readonly tell: (isSilent: boolean) => void
}

/** To be looked at every second. Looks are counted, not time: a page that was asleep has not waited. */
export class Silence {
  readonly #options: SilenceOptions
  #looks = 0
  #isAsked = false
  #isSilent = false

  constructor(options: SilenceOptions) {
    this.#options = options
  }

  /** Takes in that something came from the devnet. */
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
  /** What identifies the chain that was seen last. */
  #identity: string | undefined

  /**
   * Resolves with how the chain differs from the one before, in words; `undefined` if it goes on. `head` is the newest block that was seen
   * before. To be called with each connection.
   */
  async difference(
    from: Requester,
    head: Pick<RpcBlock, 'hash' | 'number'> | undefined,
  ): Promise<string | undefined> {
    const [identity, block] = await Promise.all([
      identityOf(from),
      // Without an answer it is taken for there: the next connection asks again.
      head?.hash ? from.request('eth_getBlockByHash', [head.hash, false]).catch(() => head) : head,
    ])
    const before = this.#identity
    this.#identity = identity
    if (before !== undefined && identity !== before) return 'The devnet now has another chain.'
    if (block !== null) return undefined
    return `The chain was started anew, went back or was reorganised meanwhile: block ${Number(head!.number)} of before is not on it.`
  }
}

/** Resolves with the id of the chain and, where it is told, the hash of its first block. */
async function identityOf(from: Requester): Promise<string> {
  const [chainId, metadata] = await Promise.all([
    from.request<string>('eth_chainId').catch(() => ''),
    from.request<{ instanceId: string }>('anvil_metadata').catch(() => undefined),
  ])
  return `${chainId} ${metadata?.instanceId ?? ''}`
}
