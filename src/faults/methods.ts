/** JSON-RPC methods that control the same faults as `devnet.faults`, for tests in any language. */

import { params, parseParams, steer } from '../rpc/method.ts'
import { amountUpTo, encodeQuantity } from '../wire/hex.ts'
import { faultsOf } from './devnetFaults.ts'
import { parseCut, parseFault } from './faultJson.ts'

/** Parameters: `[{kind, …, when?}]`. Plans a fault and returns its id. */
export const preseal_addFault = steer(params(parseForm), async (context, form) => {
  const { planner } = faultsOf(context)
  const [requested] = parseParams([planner.parser] as const, [form])
  return encodeQuantity(await planner.plan(requested))
})

/** Checks a fault, and returns the unparsed value, which is parsed when the fault's id, its default seed, is known. */
function parseForm(value: unknown, path: string): unknown {
  parseFault(0)(value, path)
  return value
}

/** Parameters: `[id]`. Removes a fault. Returns whether a fault was removed or slices were revealed. */
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

/** Parameters: `[{code?}]`. Closes all WebSocket connections now. Returns the number of closed connections. */
export const preseal_cutWebSockets = steer(params(parseCut), (context, code) =>
  encodeQuantity(faultsOf(context).planner.cut(code)),
)
