/** The whole chain as bytes, and a chain from bytes: what `devnet.dump` and `load` do, packed with gzip as anvil packs it. */
import { joined } from '../../../model/bytes/bytes.ts'
import { toHex } from '../../../model/bytes/hex.ts'
import { parseBytes } from '../../../wire/hex.ts'
import { boolean, withDefault } from '../../../wire/parser.ts'
import { gzipped } from '../../../wire/stateFile/gzip.ts'
import { LoadFailed } from '../../../wire/stateFile/loadFailed.ts'
import { longMethod, params } from '../../method.ts'
import { Problem } from '../../problem.ts'
import { dumpState as dump, loadState as load } from '../../stateFile.ts'

/** `[preserveHistoricalStates?]`, which makes no difference here: all states are in it. */
export const dumpState = longMethod(params(withDefault(boolean, true)), async (context, _) =>
  toHex(joined(await gzipped(dump(context)))),
)

/** A state file of ours or of anvil, packed or not. Unlike anvil's it takes the place of all that was there. */
export const loadState = longMethod(params(parseBytes), async (context, bytes) => {
  try {
    await load(context, bytes, context.options.stateLimit)
    return true
  } catch (error) {
    if (!(error instanceof LoadFailed)) throw error
    throw new Problem({ kind: 'invalidParams', argument: 0, detail: `params[0]: ${error.message}` })
  }
})
