/** Parses the parameter of `eth_simulateV1` (execution-apis `EthSimulatePayload`). */

import type { Hash } from '../../bytes/hex.ts'
import type {
  BlockRequest,
  SimulatedBlockOverride,
  SimulatedCall,
  Simulation,
} from '../../model/execution/simulation.ts'
import { parseAccountOverrides, parseBlockOverrides } from '../../wire/call.ts'
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
import { parseWithdrawals } from '../../wire/withdrawal.ts'
import { parseTransactionRequest } from './transactionRequest.ts'

export interface SimulationRequest {
  readonly simulation: Simulation
  /** Transactions as objects or as hashes. */
  readonly transactions: 'full' | 'hashes'
}

export const parseSimulationRequest: Parser<SimulationRequest> = (value, path) => {
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

/** Parses block overrides: those of a call, and those for a whole block. */
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

/** Parses 32 bytes, as in geth, or a quantity, as in the specification and ox. */
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
