/** Faults over JSON-RPC, for tests in any language: what `devnet.faults` does in process. */

import { tooDeepText } from '../../faults/faultPlanner.ts'
import { amountUpTo } from '../../wire/amount.ts'
import { parseCut, parseFault, parseReorg } from '../../wire/fault.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'

/** `[{kind, …, when?}]`: plans a fault; answers its id. */
export const preseal_addFault = method(params(parseForm), async ({ faultPlanner }, form) =>
  encodeQuantity(await faultPlanner.plan(faultPlanner.parser(form, 'params[0]'))),
)

/** A fault that can be. It is read for good when its id is known, from which its chances follow. */
function parseForm(value: unknown, path: string): unknown {
  parseFault(0)(value, path)
  return value
}

/** `[id]`: takes it back; answers whether there was anything to take back. */
export const preseal_removeFault = method(
  params(amountUpTo(BigInt(Number.MAX_SAFE_INTEGER))),
  ({ faultPlanner }, id) => faultPlanner.remove(Number(id)),
)

/** Takes all back. */
export const preseal_clearFaults = method(params(), async ({ faultPlanner }) => {
  await faultPlanner.clear()
  return true
})

export const preseal_listFaults = method(params(), ({ faultPlanner }) =>
  faultPlanner.list().map((fault) => ({ ...fault, id: encodeQuantity(fault.id) })),
)

/** `[{depth, transactions, blocks?}]`: takes blocks off now; answers their hashes, the oldest first. */
export const preseal_reorg = method(params(parseReorg), async ({ sequencer }, request) => {
  const outcome = await sequencer.reorg(request)
  if (outcome.kind === 'reorged') return outcome.removed.map(({ block }) => block.hash)
  const detail = `params[0].${tooDeepText(request.depth, outcome.limit)}`
  throw new Problem({ kind: 'invalidParams', argument: 0, detail })
})

/** `[{code?}]`: cuts all WebSocket connections now; answers how many there were. */
export const preseal_cutWebSockets = method(params(parseCut), ({ faultPlanner }, code) =>
  encodeQuantity(faultPlanner.cut(code)),
)
