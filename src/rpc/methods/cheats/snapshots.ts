/** Cheats that restore a snapshot, or the genesis. */
import { amountUpTo } from '../../../wire/amount.ts'
import { encodeQuantity, parseUint64 } from '../../../wire/hex.ts'
import { InvalidValue, optional, type Parser, recordOf, text } from '../../../wire/parser.ts'
import type { ForkTarget, RpcContext } from '../../context.ts'
import { longMethod, method, params } from '../../method.ts'
import { Problem } from '../../problem.ts'

export const snapshot = method(params(), async ({ sequencer }) =>
  encodeQuantity(await sequencer.marks.snapshot()),
)

/** Uses the snapshot up, and all that came after it. `false` where there is none with this id. */
export const revert = method(params(amountUpTo(2n ** 256n - 1n)), ({ sequencer }, id) =>
  sequencer.marks.revert(id),
)

/** Parses the network to begin on, if there is one: `{forking: {jsonRpcUrl, blockNumber}}`. */
const parseForking: Parser<ForkTarget | undefined> = (value, path) => {
  const { forking } = recordOf(value, path, 'an object {forking}')
  if (forking === undefined || forking === null) return undefined
  const at = `${path}.forking`
  const { jsonRpcUrl, blockNumber } = recordOf(forking, at, 'an object {jsonRpcUrl, blockNumber}')
  const url = optional(parseUrl)(jsonRpcUrl, `${at}.jsonRpcUrl`)
  const block = optional(parseBlock)(blockNumber, `${at}.blockNumber`)
  return url === undefined && block === undefined ? undefined : { url, block }
}

/** Errors do not show the text, which may hold a key. */
const parseUrl: Parser<string> = (value, path) => {
  const url = text(value, path)
  if (!/^(https?|wss?):\/\/[^/]/i.test(url))
    throw new InvalidValue(path, 'a URL of http, https, ws or wss', {})
  return url
}

/** Hardhat sends a number, anvil a number or a quantity. */
const parseBlock: Parser<bigint> = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : parseUint64(value, path)

function noNetwork(): Problem {
  const detail =
    'this devnet is on no network; name one (jsonRpcUrl), or create a devnet with the option fork (--fork-url)'
  return new Problem({ kind: 'unsupported', detail })
}

/**
 * Returns to the first block (on a network: the fork block), with an empty pool and without cheats; or begins on another
 * block, or by another URL, of a network with the same chain id.
 */
export const reset = longMethod(params(optional(parseForking)), async (context, target): Promise<void> => {
  if (target !== undefined) return begin(context, target)
  const missing = await context.sequencer.marks.reset()
  if (missing !== undefined) throw new Problem(missing)
})

async function begin(context: RpcContext, target: ForkTarget): Promise<void> {
  const { forkAt } = context.options
  if (forkAt === undefined || (target.url === undefined && context.network === undefined)) throw noNetwork()
  if (context.observer !== undefined)
    throw new Problem({ kind: 'unsupported', detail: 'reset: a recording cannot begin on a network' })
  const { first, network } = await forkAt(target)
  const ours = context.evms.schedule.chainId
  if (network.chainId !== ours) {
    const detail = `reset: ${network.name} has the chain id ${network.chainId}, this devnet ${ours}; create a devnet with the option fork (--fork-url)`
    throw new Problem({ kind: 'unsupported', detail })
  }
  await context.sequencer.marks.reset(first, () => {
    context.origin.network = network
  })
}

export const setRpcUrl = method(params(text), (_, __): void => {
  const detail =
    'the node of a network stays the same; use anvil_reset with forking, or create a devnet with the option fork (--fork-url)'
  throw new Problem({ kind: 'unsupported', detail })
})
