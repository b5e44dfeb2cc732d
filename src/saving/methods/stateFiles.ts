/** State files over JSON-RPC, as in `devnet.dump` and `load`, compressed with gzip as in anvil. */
import { concatenate } from '../../bytes/bytes.ts'
import { toHex } from '../../bytes/hex.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, steer } from '../../rpc/method.ts'
import { parseBytes } from '../../wire/hex.ts'
import { boolean, withDefault } from '../../wire/parser.ts'
import { gzipped } from '../format/gzip.ts'
import { LoadFailed } from '../format/loadFailed.ts'
import { dumpMark, loadState as load } from '../stateFile.ts'

/** Returns the state file as hex. `preserveHistoricalStates` has no effect: the file contains all states. */
export const dumpState = steer.long(params(withDefault(boolean, true)), async (context, _) => {
  return toHex(concatenate(await gzipped(dumpMark(context, context.sequencer.marks.now))))
})

/** Loads a state file of preseal or anvil, with or without gzip. Unlike in anvil, the file replaces the whole chain. */
export const loadState = steer.long(params(parseBytes), async (context, bytes) => {
  try {
    await load(context, bytes, context.options.stateLimit)
    return true
  } catch (error) {
    if (!(error instanceof LoadFailed)) throw error
    throw new Problem({ kind: 'invalidParams', argument: 0, detail: `params[0]: ${error.message}` })
  }
})
