/** The chains that are measured, built through the same door that users have. */
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import type { Devnet } from '../../src/index.ts'
import type { Address, Hex } from '../../src/model/hex.ts'

interface Contract {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** Deploys `contract` from the first account into a block of its own. */
export async function deploy(
  devnet: Devnet,
  { abi, bytecode }: Contract,
  args: readonly unknown[] = [],
): Promise<Address> {
  const data = encodeDeployData({ abi, bytecode, args })
  const hash = await send(devnet, { from: devnet.accounts[0]!.address, data, gas: 3_000_000 })
  await devnet.mine()
  const receipt = await devnet.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return (receipt as { contractAddress: Address }).contractAddress
}

interface Sent {
  readonly from: Address
  readonly to?: Address
  readonly data?: Hex
  readonly gas: number
}

/** Hands a transaction of an unlocked account to the pool. */
export async function send(devnet: Devnet, { gas, ...call }: Sent): Promise<unknown> {
  const params = [{ ...call, gas: quantity(gas) }]
  return devnet.request({ method: 'eth_sendTransaction', params })
}

/** The data of a call to `functionName`. */
export function dataOf({ abi }: Contract, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args })
}

/** The `i`th of as many addresses as are wanted, spread over the whole range. */
export function addressOf(i: number): Address {
  return `0x${(BigInt(i + 1) * SPREAD).toString(16).slice(-40).padStart(40, '0')}`
}

const SPREAD = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251n

export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}

/** An address as the topic it is in an event. */
export function topicOf(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`
}
