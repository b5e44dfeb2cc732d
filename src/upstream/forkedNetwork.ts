import type { Hash } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import type { RemoteState } from '../state/remoteState.ts'
import { parseUint64 } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import type { ForkNode } from './forkNode.ts'
import { type AnswerError, UpstreamFailed, type UpstreamRequest } from './upstream.ts'

/** Thrown for a JSON-RPC error of the network's node. The devnet's response contains the error unchanged. */
export class NetworkRefused extends Error {
  readonly error: AnswerError

  constructor(error: AnswerError) {
    super(error.message)
    this.error = error
  }
}

export class ForkedNetwork {
  readonly node: ForkNode
  readonly chainId: bigint
  readonly block: { readonly number: bigint; readonly hash: Hash }
  readonly state: RemoteState
  #first: Promise<bigint> | undefined

  constructor({ node, chainId, block, state }: Pick<ForkedNetwork, 'node' | 'chainId' | 'block' | 'state'>) {
    this.node = node
    this.chainId = chainId
    this.block = block
    this.state = state
    networks.set(state, this)
  }

  get hasProofs(): boolean {
    return this.state.proofs !== undefined
  }

  get name(): string {
    return this.node.name
  }

  /** Returns the number of the first block, which is not 0 on some chains. Sends the request only once. */
  firstNumber(): Promise<bigint> {
    this.#first ??= firstNumberOf(this).catch((error) => {
      this.#first = undefined
      throw error
    })
    return this.#first
  }

  /** Returns the node's result. Rejects as `Upstream.send` does, or with `NetworkRefused` for an error of the node. */
  async ask(request: UpstreamRequest): Promise<unknown> {
    const [answer] = await this.node.send([{ ...request, isImmutable: true }])
    if ('error' in answer!) throw new NetworkRefused(answer.error)
    return answer!.result
  }
}

/** Returns the number of the network's first block; 0 if neither the node nor the cache has this block. */
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

/** Forked networks, keyed by remote state, because a chain refers to its remote state, but not to its network. */
const networks = new WeakMap<RemoteState, ForkedNetwork>()

export function networkAt(remote: RemoteState): ForkedNetwork | undefined {
  return networks.get(remote)
}

export interface ForkTarget {
  readonly url: string | undefined
  readonly block: bigint | undefined
}

/** Opens forks and changes their nodes while a devnet runs. Methods reject with `UpstreamFailed` or `WrongCache`. */
export interface Networks {
  readonly hasNode: boolean
  /** Calls `accept`, which may throw, with the node's host and chain id. Returns the first moment of the fork. */
  begin(target: ForkTarget, accept: (name: string, chainId: bigint) => void): Promise<Moment>
  open(block: Hash): Promise<ForkedNetwork | undefined>
  /** Replaces the node of `network` with the node at `url`. Rejects if the new node does not have the fork block. */
  turnTo(network: ForkedNetwork, url: string): Promise<void>
}

export const FORK_TAGS = ['latest', 'safe', 'finalized', 'earliest'] as const
export type ForkTag = (typeof FORK_TAGS)[number]

/** Returns whether a fork block is given by a hash, which may be the hash of a block or of a transaction. */
export function isHash(block: bigint | number | string | undefined): block is Hash {
  return typeof block === 'string' && block.startsWith('0x')
}

/** Returns whether a fork block is the same in each run. Tags and the default block are not. */
export function isFixed(block: bigint | number | string | undefined): boolean {
  return typeof block === 'bigint' || typeof block === 'number' || isHash(block)
}
