/**
 * The harness of Base's own tests of Flashblocks (base/base, `crates/execution/flashblocks-node`), as far as they can be
 * played here: the same people with the same money, a chain that begins at block 0, and Flashblocks that a test makes.
 *
 * Theirs feeds a node with Flashblocks that somebody else built; here the transactions of one are sent, and a tick builds it.
 * So a block opens with index 0, the deposit, and its first Flashblock in the same tick, and holds one deposit.
 */
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { DoubleCounter } from '../../../fixtures/contracts/DoubleCounter.ts'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../../../src/index.ts'
import { contractAddress } from '../../../src/model/account/account.ts'
import { ask, started } from '../clients/clients.ts'
import { assemble, creationOf, type Item } from '../compilers/assembly.ts'

export const ETHER = 10n ** 18n
/** What everybody has. */
export const MONEY = 1_000_000n * ETHER
/** Gets `PENDING_BALANCE` wei from Alice. */
export const TEST_ADDRESS: Hex = '0x1234567890123456789012345678901234567890'
export const PENDING_BALANCE = 4660n
/** Of both logs that the trigger makes, Transfer(address,address,uint256); and of the first, the deployer. */
export const TEST_LOG_TOPIC_0: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const TEST_LOG_TOPIC_1: Hex = '0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266'
/** Sends the deposit that opens each block. */
export const DEPOSIT_SENDER: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

export interface Person {
  readonly address: Hex
  /** Signs a transaction; its nonce has to be given. */
  sign(fields: Fields): Promise<Hex>
  /** Signs the wish to run the code of `address` (EIP-7702). */
  authorize(
    address: Hex,
    nonce: number,
  ): ReturnType<ReturnType<typeof privateKeyToAccount>['signAuthorization']>
}

interface Fields {
  readonly nonce: number
  readonly to?: Hex
  readonly value?: bigint
  readonly data?: Hex
  readonly gas?: bigint
  readonly authorizationList?: Awaited<ReturnType<Person['authorize']>>[]
}

export interface People {
  readonly deployer: Person
  readonly alice: Person
  readonly bob: Person
  readonly charlie: Person
}

interface BlockJson {
  readonly number: Hex
  readonly hash: Hex
  readonly transactions: readonly Hex[]
}

/** A manual devnet as Base is, and who is on it. */
export async function baseHarness(options: DevnetOptions = {}) {
  const base: DevnetOptions = { profile: 'base-flashblocks', rhythm: 'manual', balance: MONEY, baseFee: 0 }
  const devnet = await started({ ...base, ...options })
  const person = (index: number) => personOf(devnet.accounts[index]!)
  const people: People = { deployer: person(0), alice: person(1), bob: person(2), charlie: person(3) }
  return {
    ...people,
    devnet,
    /** Makes a Flashblock of these transactions; answers their hashes. */
    async flashblock(...transactions: readonly Hex[]): Promise<Hex[]> {
      const hashes: Hex[] = []
      for (const raw of transactions) hashes.push(await ask<Hex>(devnet, 'eth_sendRawTransaction', raw))
      await devnet.tick()
      return hashes
    },
    balance: async (person: Person, at = 'pending') =>
      BigInt(await ask<Hex>(devnet, 'eth_getBalance', person.address, at)),
    count: async (address: Hex, at = 'pending') =>
      Number(await ask<Hex>(devnet, 'eth_getTransactionCount', address, at)),
    block: (at: string) => ask<BlockJson>(devnet, 'eth_getBlockByNumber', at, false),
  }
}

function personOf({ privateKey }: Devnet['accounts'][number]): Person {
  const account = privateKeyToAccount(privateKey)
  return {
    address: account.address.toLowerCase() as Hex,
    authorize: (address, nonce) => account.signAuthorization({ chainId: 31337, address, nonce }),
    sign({ to, authorizationList, ...fields }) {
      const shared = {
        chainId: 31337,
        gas: 100_000n,
        maxFeePerGas: 10n ** 9n,
        maxPriorityFeePerGas: 0n,
        ...fields,
      }
      return authorizationList === undefined
        ? account.signTransaction({ ...shared, type: 'eip1559', to: to ?? null })
        : account.signTransaction({ ...shared, type: 'eip7702', to, authorizationList })
    },
  }
}

/** A call of `DoubleCounter`, as data. */
export function counting(functionName: 'count1' | 'count2' | 'increment' | 'increment2'): Hex {
  return encodeFunctionData({ abi: DoubleCounter.abi, functionName })
}

/** Where the transaction of `creator` with this nonce creates a contract. */
export function createdBy(creator: Person, nonce: number): Hex {
  return contractAddress(creator.address as Address, BigInt(nonce))
}

/** Logs the number one under `TEST_LOG_TOPIC_0`. */
const EMITTER_B = assemble(1, 0, 'MSTORE', TEST_LOG_TOPIC_0, 32, 0, 'LOG1', 'STOP')

/** Logs an ether under both topics, then calls `other`. */
function emitterCalling(other: Hex): Uint8Array {
  const log: Item[] = [ETHER, 0, 'MSTORE', TEST_LOG_TOPIC_1, TEST_LOG_TOPIC_0, 32, 0, 'LOG2']
  return assemble(...log, 0, 0, 0, 0, 0, other, 0xffff, 'CALL', 'STOP')
}

/**
 * The second Flashblock of their tests of the RPC. What is in the place of its first transaction, a second deposit, which
 * nobody can send to a node, is a transaction that changes nothing.
 */
export async function secondPayload({ deployer, alice, bob, charlie }: People) {
  const [counter, emitterB, emitterA] = [0, 3, 4].map((nonce) => createdBy(deployer, nonce)) as [
    Hex,
    Hex,
    Hex,
  ]
  const create = (nonce: number, data: Hex) => deployer.sign({ nonce, data, gas: 500_000n })
  const aliceTransfer = await alice.sign({ nonce: 0, to: bob.address, value: MONEY - ETHER / 1_000n })
  const logTrigger = await deployer.sign({ nonce: 5, to: emitterA })
  return {
    counter,
    emitterA,
    emitterB,
    /** Signed, as they are sent. */
    aliceTransfer,
    logTrigger,
    transactions: [
      await charlie.sign({ nonce: 0, to: charlie.address }),
      aliceTransfer,
      await create(0, DoubleCounter.bytecode),
      await deployer.sign({ nonce: 1, to: counter, data: counting('increment') }),
      await deployer.sign({ nonce: 2, to: counter, data: counting('increment2') }),
      await create(3, toHex(creationOf(EMITTER_B))),
      await create(4, toHex(creationOf(emitterCalling(emitterB)))),
      logTrigger,
      await alice.sign({ nonce: 1, to: TEST_ADDRESS, value: PENDING_BALANCE, gas: 21_000n }),
    ],
  }
}
