/** The network that a chain was forked from: its block there, and the answers of its node. */
import type { Hash } from '../model/bytes/hex.ts'
import type { AnswerError } from './answerErrors.ts'
import type { Upstream, UpstreamRequest } from './upstream.ts'

/** The block of a network after which a chain goes on by itself. */
export interface NetworkBlock {
  readonly number: bigint
  readonly hash: Hash
}

/** An error of JSON-RPC that the network's node answered. It is passed on as it is. */
export class NetworkRefused extends Error {
  readonly error: AnswerError

  constructor(error: AnswerError) {
    super(error.message)
    this.error = error
  }
}

/** The network that a chain was forked from. */
export class ForkedNetwork {
  readonly chainId: bigint
  readonly block: NetworkBlock
  readonly #upstream: Upstream

  constructor(upstream: Upstream, chainId: bigint, block: NetworkBlock) {
    this.#upstream = upstream
    this.chainId = chainId
    this.block = block
  }

  /** The node as messages name it: its host. */
  get name(): string {
    return this.#upstream.name
  }

  /**
   * Returns the node's result for a question about blocks up to the fork block, which no later block changes. Rejects
   * with `NetworkRefused` for an error that the node answered, and as `Upstream` does.
   */
  async ask(request: UpstreamRequest): Promise<unknown> {
    const [answer] = await this.#upstream.send([{ ...request, isImmutable: true }])
    if ('error' in answer!) throw new NetworkRefused(answer.error)
    return answer!.result
  }
}
