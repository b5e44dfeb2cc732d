/** The network of a loaded fork: responses from the state file, and a node for other requests. */
import type { Hash } from '../bytes/hex.ts'
import { hashHeader } from '../model/block/header.ts'
import type { RpcContext } from '../rpc/context.ts'
import type { MissingValue } from '../state/remoteState.ts'
import { type CachedExchange, memoryStore } from '../upstream/cacheFile.ts'
import { remoteStateOf } from '../upstream/fetchedState.ts'
import { ForkedNetwork } from '../upstream/forkedNetwork.ts'
import { ForkNode } from '../upstream/forkNode.ts'
import { offlineUpstream } from '../upstream/offlineNodes.ts'
import { type Upstream, UpstreamFailed } from '../upstream/upstream.ts'
import { parseHeader } from '../wire/header.ts'
import { encodeQuantity, parseAddress, parseWord } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import { LoadFailed } from './format/loadFailed.ts'
import type { SavedFork } from './format/records.ts'

/** A node that rejects all requests, for networks whose node is unknown. */
const NO_NODE: Upstream = offlineUpstream('the network of the state file', memoryStore(), {
  came: 'the file does not have it, and no network is asked',
  right:
    'load the file in a devnet with the option fork (--fork-url), or name a node with anvil_setRpcUrl, and create the file again',
})

/** The devnet that loads a state file. */
export type Home = Pick<RpcContext, 'sequencer' | 'chain' | 'network' | 'networks' | 'nodeOfFiles' | 'l1'>

/** Returns the devnet's network if its fork block and proofs are as in the file, otherwise a network for the file. */
export async function networkOfFile(
  { network: ours, networks, nodeOfFiles }: Home,
  fork: SavedFork,
  exchanges: readonly CachedExchange[],
  line: number,
): Promise<ForkedNetwork> {
  let network: ForkedNetwork | undefined
  if (nodeOfFiles === undefined) {
    network = ours?.block.hash === fork.hash ? ours : await networks?.open(fork.hash)
  }
  try {
    if (network !== undefined && network.hasProofs === fork.hasProofs) network.node.use(exchanges)
    else network = savedNetwork(fork, exchanges, nodeOfFiles ?? network?.node)
    await fetchKnown(network, exchanges)
  } catch (error) {
    if (!(error instanceof InvalidValue || error instanceof UpstreamFailed)) throw error
    throw new LoadFailed(line, 'all answers about each account in the lines above', error.message)
  }
  return network
}

/** Returns a network with the responses in `exchanges`. `node` answers other requests. */
function savedNetwork(
  { chainId, number, hash, hasProofs }: SavedFork,
  exchanges: readonly CachedExchange[],
  node: Upstream = NO_NODE,
): ForkedNetwork {
  const forkNode = new ForkNode(node)
  forkNode.use(exchanges)
  const provenBy = hasProofs ? stateRootIn(exchanges, hash) : undefined
  const state = remoteStateOf(forkNode, { number, hash }, { provenBy })
  return new ForkedNetwork({ node: forkNode, chainId, block: { number, hash }, state })
}

/** Returns the state root of the fork block. Throws `InvalidValue` if the block's header is missing. */
function stateRootIn(exchanges: readonly CachedExchange[], hash: Hash): Hash {
  const found = exchanges.find(({ result }) => (result as { hash?: unknown } | null)?.hash === hash)
  const header = found && parseHeader(found.result, 'result')
  if (header !== undefined && hashHeader(header) === hash) return header.stateRoot
  throw new InvalidValue('fetched', `the header of the fork block (${hash})`, found?.result)
}

/** Makes the values in `exchanges` readable. Sends no requests, because all responses are known. */
async function fetchKnown(
  { state, block }: ForkedNetwork,
  exchanges: readonly CachedExchange[],
): Promise<void> {
  const at = encodeQuantity(block.number)
  await state.fetch(exchanges.flatMap((exchange) => valuesIn(exchange, at)))
}

/** Returns the accounts and slots that a request at block `at` fetched; empty for other requests. */
function valuesIn({ method, params }: CachedExchange, at: string): MissingValue[] {
  if (params.at(-1) !== at) return []
  const slots = (keys: readonly unknown[]): MissingValue[] => {
    const address = parseAddress(params[0], 'params[0]')
    return keys.map((key) => ({ kind: 'slot', address, slot: parseWord(key, 'params[1]') }))
  }
  switch (method) {
    case 'eth_getCode':
      return [{ kind: 'account', address: parseAddress(params[0], 'params[0]') }]
    case 'eth_getStorageAt':
      return slots([params[1]])
    case 'eth_getProof':
      return slots(params[1] as readonly unknown[])
    default:
      return []
  }
}
