/** Requests and responses of eth_simulateV1. */
import type { Hex } from 'viem'
import { toHex } from '../../../src/bytes/hex.ts'
import type { Devnet } from '../../../src/index.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import { ask } from '../clients/clients.ts'

export interface SimulatedLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly logIndex: Hex
  readonly transactionHash: Hex
  readonly [member: string]: unknown
}

export interface SimulatedCall {
  readonly returnData: Hex
  readonly gasUsed: Hex
  readonly maxUsedGas: Hex
  readonly status: Hex
  readonly logs: readonly SimulatedLog[]
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Hex }
}

/** A block as eth_getBlockByNumber has it, and its calls. */
export interface SimulatedBlock extends Record<string, unknown> {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly stateRoot: Hex
  readonly timestamp: Hex
  readonly gasUsed: Hex
  readonly logsBloom: Hex
  readonly transactions: readonly unknown[]
  readonly calls: readonly SimulatedCall[]
}

interface Asked {
  readonly at?: unknown
  readonly validation?: boolean
  readonly traceTransfers?: boolean
  readonly returnFullTransactions?: boolean
}

/** The blocks of `blockStateCalls` after the block that is meant by `at`. */
export function simulate(
  devnet: Devnet,
  blockStateCalls: readonly object[],
  { at = 'latest', ...more }: Asked = {},
): Promise<SimulatedBlock[]> {
  return ask(devnet, 'eth_simulateV1', { blockStateCalls, ...more }, at)
}

const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** A signed transaction as a call that is the same one. */
export function asCall(transaction: Transaction): object {
  const { type, from, to, nonce, gasLimit, value, data } = transaction
  const { maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } = transaction
  return {
    type: quantity(type),
    from,
    to,
    nonce: quantity(nonce),
    gas: quantity(gasLimit),
    value: quantity(value),
    input: toHex(data),
    ...(type < 2
      ? { gasPrice: quantity(maxFeePerGas) }
      : { maxFeePerGas: quantity(maxFeePerGas), maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) }),
    ...(type === 0 ? {} : { accessList }),
    ...(type === 4
      ? {
          authorizationList: authorizationList.map(({ address, ...numbers }) => ({
            address,
            ...Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, quantity(number)])),
          })),
        }
      : {}),
  }
}
