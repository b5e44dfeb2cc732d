import type { Hex } from '../../bytes/hex.ts'
import type { Outcome } from '../../engine/engine.ts'
import { createAccessList } from '../../engine/run/createAccessList.ts'
import { type Estimate, estimateGas, watchEstimate } from '../../engine/run/estimateGas.ts'
import { type CallRefusal, runCall } from '../../engine/run/runCall.ts'
import type { Selector } from '../../model/block/selector.ts'
import type { AccountOverride, BlockOverride, Call } from '../../model/execution/call.ts'
import { haltText } from '../../rpc/errors/errors.ts'
import { Problem, type RunAgain } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { CallEnvironment, ReadContext } from '../../rpc/readContext.ts'
import { parseAccountOverrides, parseBlockOverrides, parseCall } from '../../wire/call.ts'
import { encodeAccessList } from '../../wire/encode.ts'
import { encodeBytes, encodeQuantity } from '../../wire/hex.ts'
import { optional, withDefault } from '../../wire/parser.ts'
import { parseSelector } from '../../wire/selector.ts'
import { andThen, type MaybePromise } from '../../work/maybePromise.ts'
import { stackTraceInResult } from '../solidity/solidityStackTrace.ts'

const simulation = params<[Call, Selector | undefined, AccountOverride[], BlockOverride]>(
  parseCall,
  optional(parseSelector),
  withDefault(parseAccountOverrides, []),
  withDefault(parseBlockOverrides, {}),
)

export const eth_call = read.long(simulation, (context, call, at, accounts, block) => {
  requireTarget(context, call)
  const environment = context.environmentOf(call, at, accounts, block)
  const { evm, scene } = environment
  return andThen(runCall(evm.withCoverage, scene, call), (outcome) =>
    returned(context, environment, call, outcome),
  )
})

export const eth_estimateGas = read.long(simulation, (context, call, at, accounts, block) => {
  requireTarget(context, call)
  return andThen(estimate(context, call, at, accounts, block), encodeQuantity)
})

/** In the dialect `hardhat`, a call needs an account to call or a contract to create, as in Hardhat's network. */
function requireTarget({ options }: ReadContext, { to, data }: Call): void {
  if (options.dialect === 'hardhat' && to === undefined && data.length === 0)
    throw new Problem({ kind: 'creationWithoutData' })
}

/** Returns the lowest gas limit with which `call` succeeds. Throws a `Problem` if the call cannot succeed. */
export function estimate(
  context: ReadContext,
  call: Call,
  at: Selector | undefined,
  accounts: readonly AccountOverride[] = [],
  block: BlockOverride = {},
): MaybePromise<bigint> {
  const environment = context.environmentOf(call, at, accounts, block)
  const { evm, scene } = environment
  return andThen(estimateGas(evm, scene, call), (made) => settled(context, environment, call, made))
}

/** Returns a gas limit slightly above the lowest with which the call succeeds in the next block. */
export function enoughGas(context: ReadContext, call: Call): MaybePromise<bigint> {
  const environment = context.environmentOfNext(call)
  const { evm, scene } = environment
  return andThen(estimateGas(evm, scene, call, 'enough'), (made) => settled(context, environment, call, made))
}

function returned(
  context: ReadContext,
  { evm, scene }: CallEnvironment,
  call: Call,
  outcome: Outcome | CallRefusal,
): Hex {
  switch (outcome.kind) {
    case 'success':
      context.reportConsole(outcome)
      return encodeBytes(outcome.returnData)
    case 'revert':
    case 'halt':
      context.reportConsole(outcome)
      throw new Problem(outcome, (watcher, work = evm.work) => runCall(evm.for(work), scene, call, watcher))
    default:
      throw new Problem({ kind: 'refusedCall', refusal: outcome })
  }
}

/** Prints the `console.log` output of a failed estimate. After a successful one, the transaction prints the output. */
function settled(
  context: ReadContext,
  { evm, scene }: CallEnvironment,
  call: Call,
  estimate: Estimate,
): bigint {
  const again: RunAgain = (watcher, work = evm.work) => watchEstimate(evm.for(work), scene, call, watcher)
  switch (estimate.kind) {
    case 'estimate':
      return estimate.gas
    case 'failed':
      context.reportConsole(estimate.outcome)
      throw new Problem(estimate.outcome, again)
    case 'allowanceExceeded':
      context.reportConsole(estimate)
      throw new Problem(estimate, again)
    default:
      throw new Problem({ kind: 'refusedCall', refusal: estimate })
  }
}

export const eth_createAccessList = read.long(simulation, async (context, call, at, accounts, block) => {
  const { evm, scene } = context.environmentOf(call, at, accounts, block)
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
    // The access list of a failed call is returned together with the error.
    ...(error === undefined ? {} : { error }),
    ...(stackTrace && { stackTrace }),
    gasUsed: encodeQuantity(made.outcome.gasUsed),
  }
})

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
