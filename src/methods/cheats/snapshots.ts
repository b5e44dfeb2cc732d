import type { Moment } from '../../chain/moment.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, steer } from '../../rpc/method.ts'
import type { ForkTarget, Networks } from '../../upstream/forkedNetwork.ts'
import { amountUpTo, encodeQuantity, parseUint64OrNumber } from '../../wire/hex.ts'
import { InvalidValue, optional, type Parser, recordOf, text } from '../../wire/parser.ts'

export const snapshot = steer(params(), async ({ sequencer }) =>
  encodeQuantity(await sequencer.marks.snapshot()),
)

/** Restores a snapshot. Deletes this and all later snapshots. Returns false if the snapshot does not exist. */
export const revert = steer(params(amountUpTo(2n ** 256n - 1n)), ({ sequencer }, id) =>
  sequencer.marks.revert(id),
)

/** Parses `{forking: {jsonRpcUrl, blockNumber}}`. Returns `undefined` if the request names no network. */
const parseForking: Parser<ForkTarget | undefined> = (value, path) => {
  const { forking } = recordOf(value, path, 'an object {forking}')
  if (forking === undefined || forking === null) return undefined
  const at = `${path}.forking`
  const { jsonRpcUrl, blockNumber } = recordOf(forking, at, 'an object {jsonRpcUrl, blockNumber}')
  const url = optional(parseUrl)(jsonRpcUrl, `${at}.jsonRpcUrl`)
  const block = optional(parseUint64OrNumber)(blockNumber, `${at}.blockNumber`)
  return url === undefined && block === undefined ? undefined : { url, block }
}

/** Parses a URL. Errors do not show it, because it may contain an API key. */
const parseUrl: Parser<string> = (value, path) => {
  const url = text(value, path)
  if (!/^(https?|wss?):\/\/[^/]/i.test(url))
    throw new InvalidValue(path, 'a URL of http, https, ws or wss', {})
  return url
}

/**
 * Resets the chain to the first block (on a fork, the fork block), with an empty pool and without cheats. With a
 * target, instead forks from another block or node of a network with the same chain id.
 */
export const reset = steer.long(params(optional(parseForking)), async (context, target): Promise<void> => {
  const { marks } = context.sequencer
  const missing = await marks.reset(target && (await beginningOf(context, target)))
  if (missing !== undefined) throw new Problem(missing)
})

async function beginningOf(context: RpcContext, target: ForkTarget): Promise<Moment> {
  if (context.pair !== undefined)
    throw unsupported('reset: an L2 with its L1 cannot be reset to another block')
  const networks = networksOf(context, 'reset')
  if (target.url === undefined && !networks.hasNode) throw noNetwork('name one (jsonRpcUrl)')
  // Compares with the chain id of the forked network, because the option `chainId` may give the devnet another id.
  const ours = context.network?.chainId ?? context.evms.schedule.chainId
  return networks.begin(target, (name, chainId) => {
    if (chainId === ours) return
    const whose = context.network === undefined ? 'this devnet' : 'the network of this devnet'
    throw unsupported(
      `reset: ${name} has the chain id ${chainId}, ${whose} ${ours}; create a devnet with the option fork (--fork-url)`,
    )
  })
}

/** Replaces the node of the forked network by another node of the same network. The fetched values stay. */
export const setRpcUrl = steer.long(params(parseUrl), async (context, url): Promise<void> => {
  const { network } = context
  if (network === undefined) throw noNetwork('use anvil_reset with forking')
  await networksOf(context, 'setRpcUrl').turnTo(network, url)
})

function noNetwork(instead: string): Problem {
  return unsupported(
    `this devnet is on no network; ${instead}, or create a devnet with the option fork (--fork-url)`,
  )
}

/** Throws a `Problem` if methods may not connect to networks, and during a recording, as a replay cannot connect. */
function networksOf({ networks, sequencer }: RpcContext, action: string): Networks {
  if (sequencer.queue.isWatched)
    throw unsupported(`${action}: no network can be named while a recording is made`)
  if (networks === undefined) throw unsupported(`${action}: networks are not asked here`)
  return networks
}

function unsupported(detail: string): Problem {
  return new Problem({ kind: 'unsupported', detail })
}
