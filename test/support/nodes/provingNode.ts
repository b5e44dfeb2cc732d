/** Another node that has a state, and proves it. */
import type { Address, Hex } from '../../../src/bytes/hex.ts'
import { prove } from '../../../src/state/accountReads.ts'
import type { RemoteState } from '../../../src/state/remoteState.ts'
import { State } from '../../../src/state/state.ts'
import { remoteStateOf } from '../../../src/upstream/fetchedState.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../../../src/upstream/upstream.ts'
import { encodeBytes } from '../../../src/wire/hex.ts'
import { encodeProof, parseStorageKeys } from '../../../src/wire/storageKey.ts'

export const BLOCK = { chainId: 1n, number: 0x10n, hash: `0x${'10'.repeat(32)}` as const }

export interface ProvingNode extends Upstream {
  /** What was asked, in the order of the batches. */
  readonly batches: UpstreamRequest[][]
}

type Change = (answer: UpstreamAnswer, request: UpstreamRequest) => UpstreamAnswer

/** Returns a node that has `state` at `BLOCK`, and whose answers are as `change` makes them. */
export function provingNode(state: State, change: Change = (answer) => answer): ProvingNode {
  const batches: UpstreamRequest[][] = []
  return {
    name: 'node.example',
    batches,
    async send(requests) {
      batches.push([...requests])
      await Promise.resolve()
      return requests.map((request) => change(answerOf(state, request), request))
    },
    close() {},
  }
}

function answerOf(state: State, { method, params }: UpstreamRequest): UpstreamAnswer {
  const [address, keys] = params as [Address, readonly Hex[]]
  if (method === 'eth_getCode') return { result: encodeBytes(state.code(address)) }
  if (method !== 'eth_getProof')
    return { error: { code: -32601, message: `the method ${method} does not exist` } }
  const slots = keys.map((key) => BigInt(key))
  return { result: encodeProof(prove(state, address, slots), parseStorageKeys(keys, 'keys')) }
}

/** Returns a state that stands on what `node`, which has `state`, has proven. */
export function standingOn(
  state: State,
  node: Upstream = provingNode(state),
): { readonly remote: RemoteState; readonly state: State } {
  const root = state.root()
  const remote = remoteStateOf(node, BLOCK, { provenBy: root })
  return { remote, state: State.on(remote, root) }
}
