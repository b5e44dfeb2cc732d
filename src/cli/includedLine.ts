/** The description of an included transaction: sender, recipient, the call or the created contract, value. */
import { shortenedHex } from '../abi/decoded.ts'
import type { Devnet } from '../devnet.ts'
import { checksummed } from '../model/bytes/checksum.ts'
import { type Address, type Hex, toHex } from '../model/bytes/hex.ts'
import type { Receipt } from '../model/receipt/receipt.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { etherText } from './banner.ts'

/** The code of an account. */
type CodeAt = (address: Address) => Uint8Array

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
  { abis }: Pick<Devnet, 'abis'>,
  { from, to, data, value }: Transaction,
  { contractAddress }: Pick<Receipt, 'contractAddress'>,
  codeAt: CodeAt,
): Promise<Included> {
  const address = to ?? contractAddress
  const contract = address && abis.find(address, to === undefined ? data : codeAt(address))
  const call = to === undefined || data.length === 0 ? undefined : await callText(toHex(data))
  return { from, to, contractAddress, contract: contract?.name, call, value }

  async function callText(input: Hex): Promise<string> {
    return (await abis.decodeCall(input, contract))?.text ?? shortenedHex(input)
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
