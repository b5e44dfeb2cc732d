/** The network that a chain was forked from: its block there, and the answers of its node. */
import type { Hash } from '../bytes/hex.ts'
import type { RemoteState } from '../state/remoteState.ts'
import { parseUint64 } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import type { AnswerError } from './answerErrors.ts'
import type { ForkNode } from './forkNode.ts'
import type { UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

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

/** What a forked network consists of. */
export interface NetworkParts {
  readonly node: ForkNode
  readonly chainId: bigint
  readonly block: NetworkBlock
  /** The state after the block. */
  readonly state: RemoteState
}

/** The network that a chain was forked from. */
export class ForkedNetwork {
  readonly node: ForkNode
  readonly chainId: bigint
  readonly block: NetworkBlock
  readonly state: RemoteState
  #first: Promise<bigint> | undefined

  constructor({ node, chainId, block, state }: NetworkParts) {
    this.node = node
    this.chainId = chainId
    this.block = block
    this.state = state
    networks.set(state, this)
  }

  /** Whether the state after the block is fetched with proofs. */
  get hasProofs(): boolean {
    return this.state.proofs !== undefined
  }

  /** The node as messages name it: its host. */
  get name(): string {
    return this.node.name
  }

  /** Returns the number of the first block, which is asked for once: not each chain begins with block 0. */
  firstNumber(): Promise<bigint> {
    this.#first ??= firstNumberOf(this).catch((error) => {
      this.#first = undefined
      throw error
    })
    return this.#first
  }

  /**
   * Returns the node's result for a question about blocks up to the fork block, which no later block changes. Rejects
   * with `NetworkRefused` for an error that the node answered, and as `Upstream` does.
   */
  async ask(request: UpstreamRequest): Promise<unknown> {
    const [answer] = await this.node.send([{ ...request, isImmutable: true }])
    if ('error' in answer!) throw new NetworkRefused(answer.error)
    return answer!.result
  }
}

/** Offline, and with state files, nobody may know. */
async function firstNumberOf(network: ForkedNetwork): Promise<bigint> {
  try {
    const block = await network.ask({ method: 'eth_getBlockByNumber', params: ['earliest', false] })
    return parseUint64((block as { number?: unknown } | null)?.number, 'number')
  } catch (error) {
    const isUnknown =
      error instanceof NetworkRefused ||
      error instanceof InvalidValue ||
      (error instanceof UpstreamFailed && error.kind === 'offline')
    if (isUnknown) return 0n
    throw error
  }
}

/** The networks by their states: a chain is on the network of the state that its own states stand on. */
const networks = new WeakMap<RemoteState, ForkedNetwork>()

/** Returns the network whose state `remote` is. */
export function networkAt(remote: RemoteState): ForkedNetwork | undefined {
  return networks.get(remote)
}
