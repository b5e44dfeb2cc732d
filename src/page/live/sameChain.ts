/** Whether the chain behind a connection that was lost and is there again is the one from before. */
import type { RpcBlock } from '../../wire/encode.ts'
import type { Source } from '../source/source.ts'

type Asks = Pick<Source, 'request'>

export class SameChain {
  /** What identifies the chain that was seen last. */
  #identity: string | undefined

  /**
   * Resolves with how the chain differs from the one before, in words; `undefined` if it goes on. `head` is the newest block that was seen
   * before. To be called with each connection.
   */
  async difference(
    from: Asks,
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
async function identityOf(from: Asks): Promise<string> {
  const [chainId, metadata] = await Promise.all([
    from.request<string>('eth_chainId').catch(() => ''),
    from.request<{ instanceId: string }>('anvil_metadata').catch(() => undefined),
  ])
  return `${chainId} ${metadata?.instanceId ?? ''}`
}
