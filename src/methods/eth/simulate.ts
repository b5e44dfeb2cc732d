/** `eth_simulateV1`: blocks of calls, each on the state of the previous one, which are not added to the chain. */

import { EMPTY_BYTES } from '../../bytes/hex.ts'
import type { Moment } from '../../chain/moment.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { simulatedCallError } from '../../rpc/errors/errors.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { longMethod, params } from '../../rpc/method.ts'
import { sealedNow } from '../../sequencer/block/sealedNow.ts'
import type { SimulatedResult } from '../../sequencer/simulate/simulateBlock.ts'
import { simulateBlocks } from '../../sequencer/simulate/simulateBlocks.ts'
import type { SolidityStackTrace } from '../../solidity/stackTrace/stackTrace.ts'
import { type EncodableResult, encodeSimulatedBlock } from '../../wire/encodeSimulation.ts'
import { parseSelectorOrLatest } from '../../wire/selector.ts'
import { stackTraceInResult } from '../solidity/solidityStackTrace.ts'
import { parseSimulationRequest } from './simulationRequest.ts'

export const eth_simulateV1 = longMethod(
  params(parseSimulationRequest, parseSelectorOrLatest),
  async (context, { simulation, transactions }, at) => {
    const moment = context.at(at)
    const { evms, chain, workOfCall: work } = context
    // The current state: blocks that are sealed during the simulation do not affect it.
    const { history, preconfirmed } = chain.state
    const blockHash = (number: bigint) => history.hash(Number(number))
    const base: Moment =
      preconfirmed !== undefined && moment === preconfirmed
        ? await sealedNow(evms, preconfirmed, blockHash)
        : moment
    const rules = context.options.dialect === 'geth' ? 'geth' : 'specification'
    const made = await simulateBlocks({ evms, work, base, blockHash, rules }, simulation)
    if ('kind' in made) throw new Problem({ kind: 'simulation', flaw: made })
    const encoded: unknown[] = []
    for (const { block, results } of made) {
      const encodables: EncodableResult[] = []
      for (const result of results) {
        const { runAgain } = result
        const stackTrace = runAgain && (await stackTraceInResult(context, runAgain))
        encodables.push(encodable(context, result, stackTrace))
      }
      encoded.push(encodeSimulatedBlock(block, encodables, transactions))
    }
    return encoded
  },
)

function encodable(
  context: RpcContext,
  { outcome, logs }: SimulatedResult,
  stackTrace: SolidityStackTrace | undefined,
): EncodableResult {
  context.tell(outcome)
  const { gasUsed, gasBeforeRefund } = outcome
  const isSuccess = outcome.kind === 'success'
  return {
    // The data of a REVERT is in the error (geth, RETH).
    returnData: isSuccess ? outcome.returnData : EMPTY_BYTES,
    logs,
    gasUsed,
    gasBeforeRefund,
    error: isSuccess
      ? undefined
      : { ...simulatedCallError(outcome, context.options.dialect), ...(stackTrace && { stackTrace }) },
  }
}
