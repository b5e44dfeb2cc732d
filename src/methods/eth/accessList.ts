/** `eth_createAccessList`: the addresses and slots that a call accesses (EIP-2930). */

import type { Outcome } from '../../engine/outcome.ts'
import { createAccessList } from '../../engine/run/createAccessList.ts'
import { runCall } from '../../engine/run/runCall.ts'
import type { AccountOverride, BlockOverride, Call } from '../../model/execution/call.ts'
import type { Selector } from '../../model/selector.ts'
import { haltText } from '../../rpc/errors/halts.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { longMethod, params } from '../../rpc/method.ts'
import { parseAccountOverrides, parseBlockOverrides, parseCall } from '../../wire/call.ts'
import { encodeAccessList } from '../../wire/encode.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { optional, withDefault } from '../../wire/parser.ts'
import { parseSelector } from '../../wire/selector.ts'
import { stackTraceInResult } from '../solidity/solidityStackTrace.ts'

export const eth_createAccessList = longMethod(
  params<[Call, Selector | undefined, AccountOverride[], BlockOverride]>(
    parseCall,
    optional(parseSelector),
    withDefault(parseAccountOverrides, []),
    withDefault(parseBlockOverrides, {}),
  ),
  async (context, call, at, accounts, block) => {
    const { evm, scene } = context.environment(at, accounts, block)
    const made = await createAccessList(evm, scene, call)
    if (made.kind !== 'accessList') throw new Problem({ kind: 'refusedCall', refusal: made })
    const error = errorOf(made.outcome)
    const named = { ...call, accessList: made.accessList }
    const stackTrace =
      error === undefined
        ? undefined
        : await stackTraceInResult(context, (watcher) => runCall(evm, scene, named, watcher))
    return {
      accessList: encodeAccessList(made.accessList),
      // A call that fails has an access list, too, which is returned with the error.
      ...(error === undefined ? {} : { error }),
      ...(stackTrace && { stackTrace }),
      gasUsed: encodeQuantity(made.outcome.gasUsed),
    }
  },
)

function errorOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case 'success':
      return undefined
    case 'revert':
      return 'execution reverted'
    case 'halt':
      return haltText(outcome.reason)
  }
}
