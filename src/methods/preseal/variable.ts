/** `preseal_getVariable`: a variable of storage by its name, with keys and members. */

import { Problem } from '../../rpc/errors/problem.ts'
import { longMethod, params } from '../../rpc/method.ts'
import { readTogether } from '../../state/fetchingView.ts'
import { encodeWord, parseAddress } from '../../wire/hex.ts'
import { InvalidValue, text } from '../../wire/parser.ts'
import { parseSelectorOrLatest } from '../../wire/selector.ts'
import { plain } from '../solidity/encodeDebugRun.ts'
import { layoutsAt } from './storage.ts'

/**
 * Returns what a variable of an account has, such as `balances[0x…]` or `items[3].note`: all of a struct, of an array the first
 * elements. Behind a proxy the variables are those of the implementation.
 */
export const preseal_getVariable = longMethod(
  params(parseAddress, text, parseSelectorOrLatest),
  async (context, address, name, at) => {
    await context.artifacts?.load()
    const moment = context.at(at)
    const { state } = moment
    const { contract, layouts } = await layoutsAt(context, moment, address)
    const { storedVariable } = await import('../../solidity/debug/storageEntries.ts')
    const word = (slot: bigint) => state.storage(address, slot)
    const found = storedVariable(layouts, name, { address, word })
    if (found.kind === 'none') {
      const { message: detail } = new InvalidValue('params[1]', found.expected, name)
      throw new Problem({ kind: 'invalidParams', argument: 1, detail })
    }
    // Of a forked network all are fetched at once.
    readTogether(state, (view) => found.slots.map((slot) => view.storage(address, slot)))
    const entries = found.slots.map((slot) => {
      const variables = found.variablesIn(slot).map((one) => ({ ...one, value: plain(one.value) ?? null }))
      return { slot: encodeWord(slot), word: encodeWord(word(slot)), variables }
    })
    return { contract: contract ?? null, name: found.name, type: found.type, entries, isCut: found.isCut }
  },
)
