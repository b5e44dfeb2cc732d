/** The intrinsic gas of transactions, and the gas floor of EIP-7623. */
import { oncePer } from '../collections/oncePer.ts'
import type { Rules } from '../hardfork/hardfork.ts'
import type { Transaction } from './transaction.ts'

/** The maximum gas limit of a transaction since Osaka (EIP-7825). */
export const MAX_TRANSACTION_GAS = 16_777_216n

export type IntrinsicGasInput = Pick<Transaction, 'to' | 'data' | 'accessList' | 'authorizationList'>

/** Returns the gas charged before execution (Yellow Paper 6.2, EIP-2028, EIP-2930, EIP-3860, EIP-7702). */
export function intrinsicGas(rules: Rules, payload: IntrinsicGasInput): bigint {
  return intrinsicOf(rules, payload, countNonZero(payload.data))
}

function intrinsicOf(
  rules: Rules,
  { to, data, accessList, authorizationList }: IntrinsicGasInput,
  nonZero: number,
): bigint {
  const { base, zeroByte, nonZeroByte } = pricesUnder(rules)
  let gas = BigInt(base + nonZeroByte * nonZero + zeroByte * (data.length - nonZero))
  if (to === undefined) {
    // EIP-2: before Homestead a creation costs no more than a call.
    if (rules.since('homestead')) gas += rules.param('txCreationGas')
    if (rules.has(3860)) gas += rules.param('initCodeWordGas') * BigInt((data.length + 31) >> 5)
  }
  if (accessList.length > 0) {
    const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0)
    gas += rules.param('accessListAddressGas') * BigInt(accessList.length)
    gas += rules.param('accessListStorageKeyGas') * BigInt(keys)
  }
  if (authorizationList.length > 0)
    gas += rules.param('perEmptyAccountCost') * BigInt(authorizationList.length)
  return gas
}

/** A gas limit below `want`, the minimum: the intrinsic gas or the gas floor, whichever is higher. */
export interface GasTooLow {
  readonly kind: 'intrinsicGasTooLow'
  readonly have: bigint
  readonly want: bigint
  readonly intrinsic: bigint
}

export function refuseGasLimit(
  rules: Rules,
  payload: IntrinsicGasInput & Pick<Transaction, 'gasLimit'>,
): GasTooLow | undefined {
  const { intrinsic, floor } = gasBounds(rules, payload)
  const { gasLimit: have } = payload
  const want = intrinsic > floor ? intrinsic : floor
  return have < want ? { kind: 'intrinsicGasTooLow', have, want, intrinsic } : undefined
}

export function minimumGas(rules: Rules, payload: IntrinsicGasInput): bigint {
  const { intrinsic, floor } = gasBounds(rules, payload)
  return intrinsic > floor ? intrinsic : floor
}

/** Returns the intrinsic gas and the gas floor. Reads the transaction's data only once. */
export function gasBounds(
  rules: Rules,
  payload: IntrinsicGasInput,
): { readonly intrinsic: bigint; readonly floor: bigint } {
  const nonZero = countNonZero(payload.data)
  return { intrinsic: intrinsicOf(rules, payload, nonZero), floor: floorOf(rules, payload, nonZero) }
}

/** Returns the minimum gas that a transaction is charged in total (EIP-7623); 0 before Prague. */
export function floorGas(rules: Rules, payload: IntrinsicGasInput): bigint {
  return floorOf(rules, payload, countNonZero(payload.data))
}

function floorOf(rules: Rules, { data }: IntrinsicGasInput, nonZero: number): bigint {
  const { base, token } = pricesUnder(rules)
  if (token === undefined) return 0n
  return BigInt(base + token * (data.length - nonZero + 4 * nonZero))
}

/** Gas prices of a transaction's data, as numbers: the products are exact, and bigints would be slow. */
interface Prices {
  readonly base: number
  readonly zeroByte: number
  readonly nonZeroByte: number
  /** The gas floor per token, the data unit of EIP-7623; `undefined` before Prague. */
  readonly token: number | undefined
}

const pricesUnder = oncePer(
  (rules: Rules): Prices => ({
    base: Number(rules.param('txGas')),
    zeroByte: Number(rules.param('txDataZeroGas')),
    nonZeroByte: Number(rules.param('txDataNonZeroGas')),
    token: rules.has(7623) ? Number(rules.param('totalCostFloorPerToken')) : undefined,
  }),
)

function countNonZero(data: Uint8Array): number {
  let count = 0
  for (let i = 0; i < data.length; i++) if (data[i] !== 0) count++
  return count
}
