/** Faults over JSON-RPC, for tests in any language: `devnet.faults` has the same methods. */

import { tooDeepText } from '../chain/moment.ts'
import { Problem } from '../rpc/errors/problem.ts'
import { params, steer } from '../rpc/method.ts'
import { amountUpTo, encodeQuantity } from '../wire/hex.ts'
import { faultsOf } from './devnetFaults.ts'
import { parseCut, parseFault, parseReorg } from './faultJson.ts'

/** `[{kind, …, when?}]`: plans a fault and returns its id. */
export const preseal_addFault = steer(params(parseForm), async (context, form) => {
  const { planner } = faultsOf(context)
  return encodeQuantity(await planner.plan(planner.parser(form, 'params[0]')))
})

/** Checks a fault. The fault is parsed again with its id, from which the seed of its chance is derived. */
function parseForm(value: unknown, path: string): unknown {
  parseFault(0)(value, path)
  return value
}

/** `[id]`: removes a fault. Returns whether there was anything to remove. */
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

/** `[{depth, transactions, blocks?}]`: removes blocks now. Returns their hashes, the oldest first. */
export const preseal_reorg = steer(params(parseReorg), async ({ sequencer }, request) => {
  const outcome = await sequencer.blocks.reorg(request)
  if (outcome.kind === 'reorged') return outcome.removed.map(({ block }) => block.hash)
  const detail = `params[0].${tooDeepText(request.depth, outcome.room)}`
  throw new Problem({ kind: 'invalidParams', argument: 0, detail })
})

/** `[{code?}]`: closes all WebSocket connections now. Returns their number. */
export const preseal_cutWebSockets = steer(params(parseCut), (context, code) =>
  encodeQuantity(faultsOf(context).planner.cut(code)),
)
