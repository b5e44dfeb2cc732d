/** The description of an included transaction: sender, recipient, the call or the created contract, value. */

import { type Address, toHex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { checksummed } from '../model/checksum.ts'
import type { Receipt } from '../model/receipt/receipt.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { shortenedHex } from '../solidity/abi/decoded.ts'
import { etherText } from './banner.ts'

/** The accounts after the block. */
type Accounts = Parameters<Devnet['artifacts']['contractAt']>[0]

export interface Included {
  readonly from: Address
  /** Absent: it created a contract. */
  readonly to: Address | undefined
  readonly contractAddress: Address | undefined
  /** The name of the called or created contract, if its ABI is known. */
  readonly contract: string | undefined
  /**
   * The function with its arguments, or the beginning of the data; absent without data, and for a created contract.
   */
  readonly call: string | undefined
  readonly value: bigint
}

/** Returns the description of `transaction`, with names and arguments by the ABIs that `devnet` knows. */
export async function includedOf(
  { abis, artifacts }: Pick<Devnet, 'abis' | 'artifacts'>,
  { from, to, data, value }: Transaction,
  { contractAddress }: Pick<Receipt, 'contractAddress'>,
  state: Accounts,
): Promise<Included> {
  const address = to ?? contractAddress
  const code = to === undefined || address === undefined ? data : state.code(address)
  const added = address && abis.find(address, code)
  const input = to === undefined || data.length === 0 ? undefined : toHex(data)
  // By the ABIs of now: some may be added before artifacts are read.
  const byAdded = input && (await abis.decodeCall(input, added))
  const known = added === undefined && (await artifacts.load())
  const contract = known ? compiledContract() : added
  const called = contract === added ? byAdded : input && (await abis.decodeCall(input, contract))
  const call = input && (called?.text ?? shortenedHex(input))
  return { from, to, contractAddress, contract: contract?.name, call, value }

  function compiledContract() {
    return to === undefined ? artifacts.contractOf(data) : artifacts.contractAt(state, to, input)
  }
}

/** Returns the description as text: `0x… → Shop 0x…  buy(amount: 1)  0.5 ETH`. */
export function includedText({ from, to, contractAddress, contract, call, value }: Included): string {
  const name = contract === undefined ? '' : `${contract} `
  const address = checksummed((to ?? contractAddress)!)
  const target = to === undefined ? `new ${name}${address}` : `${name}${address}`
  const parts = [
    `${checksummed(from)} → ${target}`,
    call,
    value === 0n ? undefined : `${etherText(value)} ETH`,
  ]
  return parts.filter((part) => part !== undefined).join('  ')
}
