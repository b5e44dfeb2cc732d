/** Devnets on which stories of faults play, and what their clients ask. */
import type { Hex } from 'viem'
import type { Devnet, DevnetOptions } from '../../../src/index.ts'
import { ask, started } from '../clients/clients.ts'
import { pay } from './watched.ts'

/** A devnet of three slices in each block, whose ticks are asked for. */
export const flashblocks = (options: DevnetOptions = {}) =>
  started({ rhythm: 'manual', ticksPerBlock: 3, ...options })

/** The address of a contract with logs. */
export const LOGGER = '0x0000000000000000000000000000000000106106'

/** Counts its calls in slot 0, and logs that. */
export const LOGS_COUNT: Hex = '0x5f546001018060005560005260206000a000'

/** A devnet whose contract at `LOGGER` has this code. */
export async function withLogger(code: Hex, options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await flashblocks(options)
  await ask(devnet, 'hardhat_setCode', LOGGER, code)
  return devnet
}

/** Calls `LOGGER` in a transaction. */
export function call(devnet: Devnet, sender = 0): Promise<Hex> {
  return pay(devnet, sender, { to: LOGGER, value: '0x0', gas: '0x186a0' })
}

export async function ticks(devnet: Devnet, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await devnet.tick()
}

export interface LogJson {
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
}

export function logs(devnet: Devnet, fromBlock: string, toBlock = fromBlock): Promise<LogJson[]> {
  return ask(devnet, 'eth_getLogs', { fromBlock, toBlock, address: LOGGER })
}

interface ReceiptJson {
  readonly blockNumber: Hex
  readonly blockHash: Hex
}

export function receipt(devnet: Devnet, hash: Hex): Promise<ReceiptJson | null> {
  return ask(devnet, 'eth_getTransactionReceipt', hash)
}

/** A number as a word of calldata, storage or a log. */
export function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
