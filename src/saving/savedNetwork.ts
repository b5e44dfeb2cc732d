/** The network of a chain that was loaded from a file: what the file has of it, and a node for the rest. */

import type { Hash } from '../bytes/hex.ts'
import type { SavedFork } from '../chain/savedChain.ts'
import { hashHeader } from '../model/block/header.ts'
import type { MissingValue } from '../state/remoteState.ts'
import { type CachedExchange, memoryStore } from '../upstream/cacheFile.ts'
import { remoteStateOf } from '../upstream/fetchedState.ts'
import { ForkedNetwork } from '../upstream/forkedNetwork.ts'
import { ForkNode } from '../upstream/forkNode.ts'
import { offlineUpstream } from '../upstream/offlineNodes.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { parseHeader } from '../wire/header.ts'
import { encodeQuantity, parseAddress, parseWord } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'

/** The node of a network from which a file was made, where no other is known: it answers nothing. */
const NO_NODE: Upstream = offlineUpstream('the network of the state file', memoryStore(), {
  came: 'the file does not have it, and no network is asked',
  right:
    'load the file in a devnet with the option fork (--fork-url), or name a node with anvil_setRpcUrl, and make the file anew',
})

/** Returns the network of which `exchanges` are known, and whose rest `node` answers; by default nobody does. */
export function savedNetwork(
  { chainId, number, hash, hasProofs }: SavedFork,
  exchanges: readonly CachedExchange[],
  node: Upstream = NO_NODE,
): ForkedNetwork {
  const forkNode = new ForkNode(node)
  forkNode.use(exchanges)
  const provenBy = hasProofs ? stateRootIn(exchanges, hash) : undefined
  const state = remoteStateOf(forkNode, { chainId, number, hash }, { provenBy })
  return new ForkedNetwork({ node: forkNode, chainId, block: { number, hash }, state })
}

/** Returns the state root of the fork block. Throws `InvalidValue` if its header is not among what is known. */
function stateRootIn(exchanges: readonly CachedExchange[], hash: Hash): Hash {
  const found = exchanges.find(({ result }) => (result as { hash?: unknown } | null)?.hash === hash)
  const header = found && parseHeader(found.result, 'result')
  if (header !== undefined && hashHeader(header) === hash) return header.stateRoot
  throw new InvalidValue('fetched', `the header of the fork block (${hash})`, found?.result)
}

/**
 * Fetches the values of the fork block's state that `exchanges` are about: they are known, so that no node is asked, and
 * reads return them from now on.
 */
export async function fetchKnown(
  { state, block }: ForkedNetwork,
  exchanges: readonly CachedExchange[],
): Promise<void> {
  const at = encodeQuantity(block.number)
  await state.fetch(exchanges.flatMap((exchange) => valuesIn(exchange, at)))
}

/** Returns the values that the result of a request about the block `at` holds. */
function valuesIn({ method, params }: CachedExchange, at: string): MissingValue[] {
  if (method === 'eth_getCode' && params[1] === at) {
    return [{ kind: 'account', address: parseAddress(params[0], 'params[0]') }]
  }
  if (method === 'eth_getStorageAt' && params[2] === at) {
    const [address, slot] = params
    return [
      {
        kind: 'slot',
        address: parseAddress(address, 'params[0]'),
        slot: parseWord(slot, 'params[1]'),
      },
    ]
  }
  if (method === 'eth_getProof' && params[2] === at) {
    const address = parseAddress(params[0], 'params[0]')
    return (params[1] as readonly unknown[]).map((slot) => ({
      kind: 'slot',
      address,
      slot: parseWord(slot, 'params[1]'),
    }))
  }
  return []
}
