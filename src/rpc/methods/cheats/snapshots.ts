/** Cheats that restore a snapshot, or the genesis. */
import { amountUpTo } from '../../../wire/amount.ts'
import { encodeQuantity } from '../../../wire/hex.ts'
import { optional, type Parser, recordOf, text } from '../../../wire/parser.ts'
import { method, params } from '../../method.ts'
import { Problem } from '../../problem.ts'

export const snapshot = method(params(), async ({ sequencer }) =>
  encodeQuantity(await sequencer.marks.snapshot()),
)

/** Uses the snapshot up, and all that came after it. `false` where there is none with this id. */
export const revert = method(params(amountUpTo(2n ** 256n - 1n)), ({ sequencer }, id) =>
  sequencer.marks.revert(id),
)

/** Parses the URL of the network to fork, if there is one: `{forking: {jsonRpcUrl, blockNumber}}`. */
const parseForkUrl: Parser<string | undefined> = (value, path) => {
  const { forking } = recordOf(value, path, 'an object {forking}')
  if (forking === undefined || forking === null) return undefined
  const { jsonRpcUrl } = recordOf(forking, `${path}.forking`, 'an object {jsonRpcUrl, blockNumber}')
  return optional(text)(jsonRpcUrl, `${path}.forking.jsonRpcUrl`)
}

function noOtherNetwork(): Problem {
  const detail =
    'a devnet stays on the network that it began on; create another one with the option fork (--fork-url)'
  return new Problem({ kind: 'unsupported', detail })
}

/** Returns to the first block (on a network: the fork block), with an empty pool and without cheats. */
export const reset = method(params(optional(parseForkUrl)), async ({ sequencer }, url): Promise<void> => {
  if (url !== undefined) throw noOtherNetwork()
  const missing = await sequencer.marks.reset()
  if (missing !== undefined) throw new Problem(missing)
})

export const setRpcUrl = method(params(text), (_, __): void => {
  throw noOtherNetwork()
})
