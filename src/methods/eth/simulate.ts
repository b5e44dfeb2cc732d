import { EMPTY_BYTES, type Hash } from '../../bytes/hex.ts'
import type { Moment } from '../../chain/moment.ts'
import type {
  BlockRequest,
  SimulatedBlockOverride,
  SimulatedCall,
  Simulation,
} from '../../model/execution/call.ts'
import { simulatedCallError } from '../../rpc/errors/errors.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { sealedNow } from '../../sequencer/block/builder.ts'
import type { SimulatedResult } from '../../sequencer/simulate/simulateBlock.ts'
import { simulateBlocks } from '../../sequencer/simulate/simulateBlocks.ts'
import type { SolidityStackTrace } from '../../solidity/stackTrace/format.ts'
import {
  type EncodableResult,
  encodeSimulatedBlock,
  parseAccountOverrides,
  parseBlockOverrides,
} from '../../wire/call.ts'
import { parseWithdrawals } from '../../wire/header.ts'
import { encodeWord, parseHash } from '../../wire/hex.ts'
import {
  arrayOf,
  boolean,
  InvalidValue,
  optional,
  type Parser,
  recordOf,
  withDefault,
} from '../../wire/parser.ts'
import { parseSelectorOrLatest } from '../../wire/selector.ts'
import { stackTraceInResult } from '../solidity/solidityStackTrace.ts'
import { parseTransactionRequest } from './transactionRequest.ts'

export const parseSimulationRequest: Parser<{
  readonly simulation: Simulation
  readonly transactions: 'full' | 'hashes'
}> = (value, path) => {
  const record = recordOf(value, path, 'a simulation {blockStateCalls: […]}')
  const flag = (name: string) => withDefault(boolean, false)(record[name], `${path}.${name}`)
  const blocks = arrayOf(parseBlockRequest, BLOCKS)(record.blockStateCalls, `${path}.blockStateCalls`)
  if (blocks.length === 0) throw new InvalidValue(`${path}.blockStateCalls`, BLOCKS, [])
  return {
    simulation: {
      blocks,
      tracesTransfers: flag('traceTransfers'),
      isValidated: flag('validation'),
    },
    transactions: flag('returnFullTransactions') ? 'full' : 'hashes',
  }
}

const BLOCKS = 'an array of at least one block {blockOverrides?, stateOverrides?, calls?}'

const parseBlockRequest: Parser<BlockRequest> = (value, path) => {
  const record = recordOf(value, path, 'a block {blockOverrides?, stateOverrides?, calls?}')
  return {
    override: withDefault(parseOverride, {})(record.blockOverrides, `${path}.blockOverrides`),
    accounts: withDefault(parseAccountOverrides, [])(record.stateOverrides, `${path}.stateOverrides`),
    calls: withDefault(arrayOf(parseCall, 'an array of calls'), [])(record.calls, `${path}.calls`),
  }
}

/** Parses the overrides of a simulated block: the block overrides of calls, and further fields of a whole block. */
const parseOverride: Parser<SimulatedBlockOverride> = (value, path) => {
  const { prevRandao, beaconRoot, withdrawals, ...record } = recordOf(value, path, 'block overrides')
  const randao = optional(parseRandao)(prevRandao, `${path}.prevRandao`)
  const parentBeaconBlockRoot = optional(parseHash)(beaconRoot, `${path}.beaconRoot`)
  const payments = optional(parseWithdrawals)(withdrawals, `${path}.withdrawals`)
  return {
    ...parseBlockOverrides(record, path),
    ...(randao === undefined ? {} : { prevRandao: randao }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    ...(payments === undefined ? {} : { withdrawals: payments }),
  }
}

/** Parses 32 bytes, as geth does, or a quantity, as the specification and ox do. */
const parseRandao: Parser<Hash> = (value, path) => {
  if (typeof value !== 'string' || !RANDAO.test(value)) {
    throw new InvalidValue(path, '32 bytes (0x and 64 hex digits), or a quantity', value)
  }
  return encodeWord(BigInt(value))
}

const RANDAO = /^0x([0-9a-f]{64}|0|[1-9a-f][0-9a-f]{0,63})$/i

const parseCall: Parser<SimulatedCall> = (value, path) => {
  const { fields, requestedType } = parseTransactionRequest(value, path)
  return { ...fields, requestedType }
}

export const eth_simulateV1 = read.long(
  params(parseSimulationRequest, parseSelectorOrLatest),
  async (context, { simulation, transactions }, at) => {
    const moment = context.at(at)
    const { evms, chain, workOfCall: work } = context
    // The chain is read once, so that blocks sealed during the simulation do not affect it.
    const { history, preconfirmed } = chain.state
    const blockHash = (number: bigint) => history.hash(Number(number))
    const base: Moment =
      preconfirmed !== undefined && moment === preconfirmed
        ? await sealedNow(evms, preconfirmed, blockHash)
        : moment
    const rules = context.options.dialect === 'base' ? 'specification' : 'geth'
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
  context: ReadContext,
  { outcome, logs }: SimulatedResult,
  stackTrace: SolidityStackTrace | undefined,
): EncodableResult {
  context.reportConsole(outcome)
  const { gasUsed, gasBeforeRefund } = outcome
  const isSuccess = outcome.kind === 'success'
  return {
    // As in geth and reth, revert data is in the error only.
    returnData: isSuccess ? outcome.returnData : EMPTY_BYTES,
    logs,
    gasUsed,
    gasBeforeRefund,
    error: isSuccess
      ? undefined
      : { ...simulatedCallError(outcome, context.options.dialect), ...(stackTrace && { stackTrace }) },
  }
}
