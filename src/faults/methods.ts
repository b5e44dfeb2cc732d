/** JSON-RPC methods that control faults, the same as those of `devnet.faults`, for tests in any language. */

import { tooDeepText } from '../chain/moment.ts'
import { Problem } from '../rpc/errors/problem.ts'
import { params, steer } from '../rpc/method.ts'
import { amountUpTo, encodeQuantity } from '../wire/hex.ts'
import { faultsOf } from './devnetFaults.ts'
import { parseCut, parseFault, parseReorg } from './faultJson.ts'

/** Parameters: `[{kind, …, when?}]`. Plans a fault and returns its id. */
export const preseal_addFault = steer(params(parseForm), async (context, form) => {
  const { planner } = faultsOf(context)
  return encodeQuantity(await planner.plan(planner.parser(form, 'params[0]')))
})

/** Checks a fault, and returns it unparsed: it is parsed later, when its id, the default seed, is known. */
function parseForm(value: unknown, path: string): unknown {
  parseFault(0)(value, path)
  return value
}

/** Parameters: `[id]`. Removes a fault. Returns whether a fault was removed or hidden data became visible. */
export const preseal_removeFault = steer(params(amountUpTo(BigInt(Number.MAX_SAFE_INTEGER))), (context, id) =>
  faultsOf(context).planner.remove(Number(id)),
)

export const preseal_clearFaults = steer(params(), async (context) => {
  await faultsOf(context).planner.clear()
  return true
})

export const preseal_listFaults = steer(params(), (context) =>
  faultsOf(context)
    .planner.list()
    .map((fault) => ({ ...fault, id: encodeQuantity(fault.id) })),
)

/** Parameters: `[{depth, transactions, blocks?}]`. Removes blocks now, and returns their hashes, oldest first. */
export const preseal_reorg = steer(params(parseReorg), async ({ sequencer }, request) => {
  const outcome = await sequencer.blocks.reorg(request)
  if (outcome.kind === 'reorged') return outcome.removed.map(({ block }) => block.hash)
  const detail = `params[0].${tooDeepText(request.depth, outcome.room)}`
  throw new Problem({ kind: 'invalidParams', argument: 0, detail })
})

/** Parameters: `[{code?}]`. Closes all WebSocket connections now. Returns the number of closed connections. */
export const preseal_cutWebSockets = steer(params(parseCut), (context, code) =>
  encodeQuantity(faultsOf(context).planner.cut(code)),
)
