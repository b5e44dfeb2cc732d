/** The chains that are measured, built through the same door that users have. */
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import { Token } from '../../fixtures/contracts/Token.ts'
import fixture, { type Market } from '../../fixtures/market.ts'
import type { Address, Hex } from '../../src/bytes/hex.ts'
import type { DevelopmentAccount, Devnet } from '../../src/index.ts'

/** What scenarios ask of a chain: of a devnet, or of a peer that is dressed as one. */
export interface Chain {
  readonly accounts: readonly DevelopmentAccount[]
  request(request: { method: string; params?: unknown }): Promise<unknown>
  mine(): Promise<void>
}

interface Contract {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** Deploys `contract` from the first account into a block of its own. */
export async function deploy(
  chain: Chain,
  { abi, bytecode }: Contract,
  args: readonly unknown[] = [],
): Promise<Address> {
  const data = encodeDeployData({ abi, bytecode, args })
  const hash = await send(chain, { from: chain.accounts[0]!.address, data, gas: 3_000_000 })
  await chain.mine()
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return (receipt as { contractAddress: Address }).contractAddress
}

export interface Sent {
  readonly from: Address
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Hex
  readonly gas: number
}

/** Hands a transaction of an unlocked account to the pool. */
export async function send(chain: Chain, { gas, value = 0n, ...call }: Sent): Promise<unknown> {
  const params = [{ ...call, gas: quantity(gas), value: quantity(value) }]
  return chain.request({ method: 'eth_sendTransaction', params })
}

/** The market of the fixtures, on any chain: the script asks no more of a devnet than this, and to remember its ABIs. */
export function market(chain: Chain): Promise<Market> {
  const { accounts } = chain
  const abis = { add: () => {} }
  const request: Chain['request'] = (asked) => chain.request(asked)
  return fixture({ accounts, abis, request, mine: () => chain.mine() } as unknown as Devnet)
}

/** Gives each account a million of a token that the first one may mint, in a block of its own. */
export async function endow(chain: Chain, token: Address): Promise<void> {
  const [owner] = chain.accounts
  for (const { address } of chain.accounts) {
    const data = dataOf(Token, 'mint', [address, 1_000_000n])
    await send(chain, { from: owner!.address, to: token, data, gas: 100_000 })
  }
  await chain.mine()
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
