/** Chains to measure, built through the public API alone. */
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import fixture, { type Market } from '../../fixtures/market.ts'
import { type Address, fromHex, type Hex, toHex } from '../../src/bytes/hex.ts'
import type { DevelopmentAccount, Devnet } from '../../src/index.ts'
import { signTransaction } from '../../src/model/transaction/signedTransaction.ts'
import type { UnsignedTransaction } from '../../src/model/transaction/transaction.ts'

/** The part of a devnet that scenarios use; peers implement it, too. */
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

export async function send(chain: Chain, { gas, value = 0n, ...call }: Sent): Promise<unknown> {
  const params = [{ ...call, gas: quantity(gas), value: quantity(value) }]
  return chain.request({ method: 'eth_sendTransaction', params })
}

/** The market of the fixtures, on any chain: of a devnet the script uses only this much, and the registry of ABIs. */
export function market(chain: Chain): Promise<Market> {
  const { accounts } = chain
  const abis = { add: () => {} }
  const request: Chain['request'] = (asked) => chain.request(asked)
  return fixture({ accounts, abis, request, mine: () => chain.mine() } as unknown as Devnet)
}

/** Mints a million of a token to each account, in a block of its own. The first account is the token's owner. */
export async function endow(chain: Chain, token: Address): Promise<void> {
  const [owner] = chain.accounts
  for (const { address } of chain.accounts) {
    const data = dataOf(Token, 'mint', [address, 1_000_000n])
    await send(chain, { from: owner!.address, to: token, data, gas: 100_000 })
  }
  await chain.mine()
}

export function dataOf({ abi }: Contract, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args })
}

/** The `i`th of a sequence of addresses that spreads over the whole range. */
export function addressOf(i: number): Address {
  return `0x${(BigInt(i + 1) * SPREAD).toString(16).slice(-40).padStart(40, '0')}`
}

const SPREAD = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251n

export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}

export function topicOf(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`
}

/** Logs of each of the transactions of `emit`. */
export const LOGS_PER_TRANSACTION = 2

/** Hands transaction `i` to the pool: from the accounts in turn, with logs that no other transaction has. */
export async function emit(chain: Chain, emitter: Address, i: number): Promise<void> {
  const { address } = chain.accounts[i % chain.accounts.length]!
  const data = dataOf(Emitter, 'emitMany', [LOGS_PER_TRANSACTION, topicOf(addressOf(i))])
  await send(chain, { from: address, to: emitter, data, gas: 100_000 })
}

/**
 * Signs `count` transactions, from the accounts in turn, which the chain accepts in this order. Keccak and the
 * curve must be loaded, which a devnet does, too.
 */
export async function signed(
  chain: Chain,
  count: number,
  sent: (i: number) => Omit<Sent, 'from'>,
): Promise<Hex[]> {
  const senders = await Promise.all(
    chain.accounts.map(async ({ address, privateKey }) => {
      const nonce = await chain.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] })
      return { address, key: fromHex(privateKey), nonce: BigInt(nonce as Hex) }
    }),
  )
  return Array.from({ length: count }, (_, i) => {
    const sender = senders[i % senders.length]!
    const { to, value = 0n, data = '0x', gas } = sent(i)
    const fields = { nonce: sender.nonce++, gasLimit: BigInt(gas), to, value, data: fromHex(data) }
    return toHex(signTransaction(unsigned(fields), sender.key, sender.address).raw)
  })
}

/** A transaction of EIP-1559 whose fees suffice on new chains. */
export function unsigned(
  fields: Pick<UnsignedTransaction, 'nonce' | 'gasLimit' | 'to' | 'value' | 'data'>,
): UnsignedTransaction {
  return {
    ...fields,
    type: 2,
    chainId: 31_337n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    accessList: [],
    authorizationList: [],
  }
}
