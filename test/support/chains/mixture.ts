/** A random mix of transactions, as a busy chain has them: every type, most ways to change state, most ways to fail. */
import { encodeDeployData, encodeFunctionData } from 'viem'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import { Pool } from '../../../fixtures/contracts/Pool.ts'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import { Store } from '../../../fixtures/contracts/Store.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { type Address, fromHex, type Hex, ZERO_ADDRESS } from '../../../src/bytes/hex.ts'
import { contractAddress } from '../../../src/model/account/account.ts'
import {
  CONSOLIDATION_REQUESTS_ADDRESS,
  PREDEPLOYS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from '../../../src/model/bytecode/predeploys.ts'
import { createRules, HARDFORKS, type Hardfork, type Rules } from '../../../src/model/hardfork/hardfork.ts'
import { minimumGas } from '../../../src/model/transaction/intrinsicGas.ts'
import type {
  AccessList,
  Transaction,
  TransactionType,
  UnsignedTransaction,
} from '../../../src/model/transaction/transaction.ts'
import { assemble } from '../compilers/assembly.ts'
import { precompileCall } from '../engines/precompileInputs.ts'
import { randomContract } from '../engines/programs.ts'
import type { Random } from '../random/random.ts'
import { authorize, type Signer, sign, signerOf } from './signing.ts'

type Wish = Pick<UnsignedTransaction, 'to' | 'data' | 'value' | 'gasLimit'>

const CREATE2_DEPLOYER = PREDEPLOYS[1]!.address
const PRECOMPILES: readonly Address[] = [1, 2, 3, 4, 9].map((n): Address => `0x${`${n}`.padStart(40, '0')}`)
/** Solidity's own instructions are those of Cancun, the fixtures' contracts run from Shanghai on (with less luck). */
const FIXTURES_SINCE: Hardfork = 'shanghai'

/** The number of the transaction that is a request on a chain with system contracts. */
const CERTAIN_REQUEST = 20

/** Draws transactions that can always be included: it knows each sender's nonce and asks for nothing unaffordable. */
export class Mixture {
  readonly #random: Random
  readonly #hardfork: Hardfork
  readonly #rules: Rules
  readonly #senders: readonly Signer[]
  readonly #authorities: readonly Signer[]
  readonly #nonces = new Map<Address, bigint>()
  readonly #queuesRequests: boolean
  /** Transactions so far that deploy nothing. */
  #uses = 0
  readonly #tokens: Address[] = []
  readonly #pools: Address[] = []
  readonly #stores: Address[] = []
  readonly #emitters: Address[] = []
  readonly #reverters: Address[] = []
  readonly #programs: Address[] = []
  readonly #strangers: readonly Address[]

  constructor(random: Random, hardfork: Hardfork, senders: readonly Signer[], queuesRequests = false) {
    this.#random = random
    this.#hardfork = hardfork
    this.#rules = createRules(hardfork, 31_337n)
    this.#senders = senders
    this.#authorities = random.list(3, () => signerOf(random.hex(32)))
    this.#strangers = random.list(5, () => random.hex(20))
    this.#queuesRequests = queuesRequests
  }

  /** Accounts without money that authorize others' code (EIP-7702). */
  get authorities(): readonly Address[] {
    return this.#authorities.map(({ address }) => address)
  }

  /** A call like those that the transactions make, from one of their senders. */
  call(): Wish & { readonly from: Address } {
    return { from: this.#random.pick(this.#senders).address, ...this.#use() }
  }

  /** The next transaction. */
  async next(): Promise<Transaction> {
    const sender = this.#random.pick(this.#senders)
    const nonce = this.#nonceOf(sender)
    const wish = this.#wish(sender, nonce)
    const type = this.#type(wish)
    this.#nonces.set(sender.address, nonce + 1n)
    const authorizationList = type === 4 ? await this.#authorizations(sender) : []
    const accessList = type === 0 ? [] : this.#accessList()
    // What would not be admitted is no part of a chain.
    const least = minimumGas(this.#rules, { ...wish, accessList, authorizationList })
    const fee = BigInt(this.#random.between(50, 100)) * 10n ** 9n
    return sign(sender, {
      ...wish,
      type,
      nonce,
      maxFeePerGas: fee,
      maxPriorityFeePerGas: this.#random.chance(0.2) ? 0n : fee / BigInt(this.#random.between(1, 50)),
      // Legacy transactions may leave the chain out.
      chainId: type === 0 && this.#random.chance(0.3) ? undefined : 31_337n,
      gasLimit: least > wish.gasLimit ? least : wish.gasLimit,
      authorizationList,
      accessList,
    })
  }

  #since(first: Hardfork): boolean {
    return HARDFORKS.indexOf(this.#hardfork) >= HARDFORKS.indexOf(first)
  }

  #nonceOf({ address }: Signer): bigint {
    return this.#nonces.get(address) ?? 0n
  }

  #type({ to }: Wish): TransactionType {
    const types: TransactionType[] = [0]
    if (this.#since('berlin')) types.push(1)
    if (this.#since('london')) types.push(2, 2)
    if (this.#since('prague') && to !== undefined) types.push(4)
    return this.#random.pick(types)
  }

  #accessList(): AccessList {
    return this.#random.list(this.#random.below(3), () => ({
      address: this.#anyone(),
      storageKeys: this.#random.list(
        this.#random.below(3),
        (): Hex => `0x${`${this.#random.below(4)}`.padStart(64, '0')}`,
      ),
    }))
  }

  /** Delegations to code, back to none, and some that are void. The sender may be one of the authorities. */
  async #authorizations(sender: Signer) {
    const random = this.#random
    const list = []
    for (let i = random.between(1, 2); i > 0; i--) {
      // A sender of others' transactions is never one: its nonces would no longer be those that it signed.
      const authority = random.chance(0.2) ? sender : random.pick(this.#authorities)
      const nonce = this.#nonceOf(authority)
      const isVoid = random.chance(0.15)
      const codes = [ZERO_ADDRESS, ...this.#emitters, ...this.#reverters]
      if (authority !== sender) codes.push(...this.#programs, ...this.#stores, PRECOMPILES[0]!)
      list.push(
        await authorize(authority, {
          address: random.pick(codes),
          nonce: isVoid ? nonce + BigInt(random.between(1, 9)) : nonce,
          chainId: random.chance(0.3) ? 0n : 31_337n,
        }),
      )
      if (!isVoid) this.#nonces.set(authority.address, nonce + 1n)
    }
    return list
  }

  #anyone(): Address {
    const signers = this.#random.pick([this.#senders, this.#authorities])
    return this.#random.pick([
      this.#random.pick(signers).address,
      this.#random.pick(this.#strangers),
      this.#random.pick(PRECOMPILES),
      this.#random.pick([...this.#programs, ...this.#stores, ...this.#tokens, CREATE2_DEPLOYER]),
    ])
  }

  #wish(sender: Signer, nonce: bigint): Wish {
    const random = this.#random
    const deploys = this.#deployments(sender, nonce)
    if (random.chance(0.12)) return random.pick(deploys)()
    // One of them is certain, so that every chain has a block with requests.
    const isCertain = ++this.#uses === CERTAIN_REQUEST
    if (this.#queuesRequests && (random.chance(0.05) || isCertain)) return this.#request()
    return this.#use()
  }

  /** Of what is there already. */
  #use(): Wish {
    const kinds = [() => this.#transfer(), () => this.#program()]
    if (this.#stores.length > 0)
      kinds.push(
        () => this.#store(),
        () => this.#store(),
      )
    if (this.#tokens.length > 0) kinds.push(() => this.#token())
    if (this.#pools.length > 0) kinds.push(() => this.#pool())
    if (this.#emitters.length > 0) kinds.push(() => this.#emit())
    if (this.#reverters.length > 0) kinds.push(() => this.#fail())
    if (this.#random.chance(0.05)) return this.#askPrecompile()
    return this.#random.pick(kinds)()
  }

  #transfer(): Wish {
    const value = BigInt(this.#random.below(3)) * 10n ** 15n
    return { to: this.#anyone(), value, data: new Uint8Array(), gasLimit: 100_000n }
  }

  #deployments(sender: Signer, nonce: bigint): (() => Wish)[] {
    const random = this.#random
    const others = () => [...this.#strangers, ...this.#programs, ...PRECOMPILES, ...this.#stores]
    const at = (list: Address[], data: Hex | Uint8Array, value = 0n): Wish => {
      list.push(contractAddress(sender.address, nonce))
      return {
        to: undefined,
        value,
        data: typeof data === 'string' ? fromHex(data) : data,
        gasLimit: 3_000_000n,
      }
    }
    const deployments = [
      () => at(this.#programs, randomContract(random, this.#hardfork, others()), BigInt(random.below(2))),
      () => at(this.#programs, randomContract(random, this.#hardfork, others())),
      // By CREATE2, and now and then the same again.
      (): Wish => {
        const code = randomContract(random, this.#hardfork, others())
        const data = Uint8Array.of(...new Uint8Array(31), random.below(2), ...code)
        return { to: CREATE2_DEPLOYER, value: 0n, data, gasLimit: 1_000_000n }
      },
      // Out of gas, or without any code.
      () => ({ ...at([], random.bytes(random.below(60))), gasLimit: 60_000n }),
      // Code that is forbidden (EIP-3541), too long (EIP-170), or not paid for.
      () => at([], assemble(0xef, 0, 'MSTORE8', 1, 0, 'RETURN')),
      () => at([], assemble('0x6001', 0, 'RETURN')),
      () => ({ ...at([], assemble('0x2000', 0, 'RETURN')), gasLimit: 200_000n }),
    ]
    if (!this.#since(FIXTURES_SINCE)) return deployments
    const [token0, token1] = [random.pick([...this.#tokens, ZERO_ADDRESS]), this.#tokens[0] ?? ZERO_ADDRESS]
    return [
      ...deployments,
      () => at(this.#tokens, encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] })),
      () => at(this.#pools, encodeDeployData({ ...Pool, args: [token0, token1] })),
      () => at(this.#stores, encodeDeployData(Store), BigInt(random.below(3))),
      () => at(this.#stores, encodeDeployData(Store)),
      () => at(this.#emitters, encodeDeployData(Emitter)),
      () => at(this.#reverters, encodeDeployData(Reverter)),
      () => ({ ...at([], encodeDeployData(Store)), gasLimit: 200_000n }),
    ]
  }

  #askPrecompile(): Wish {
    return {
      ...precompileCall(this.#random),
      value: BigInt(this.#random.below(2)),
      gasLimit: this.#gas(300_000),
    }
  }

  #program(): Wish {
    const value = BigInt(this.#random.below(2))
    const to = this.#random.pick([...this.#programs, CREATE2_DEPLOYER])
    return { to, value, data: new Uint8Array(), gasLimit: this.#gas(800_000) }
  }

  /** Often plenty, sometimes too little. */
  #gas(plenty: number): bigint {
    return BigInt(this.#random.chance(0.15) ? this.#random.between(27_000, 60_000) : plenty)
  }

  #store(): Wish {
    const random = this.#random
    const slot = BigInt(random.below(8))
    const abi = Store.abi
    const [value, data] = random.pick([
      () => [0n, encodeFunctionData({ abi, functionName: 'set', args: [slot, random.bigint(256)] })],
      () => [0n, encodeFunctionData({ abi, functionName: 'clear', args: [slot] })],
      () => [
        0n,
        encodeFunctionData({
          abi,
          functionName: 'setMany',
          args: [slot, BigInt(random.between(1, 6)), BigInt(random.below(2))],
        }),
      ],
      () => [0n, encodeFunctionData({ abi, functionName: 'destroy', args: [this.#anyone()] })],
      () => [BigInt(random.below(2)), encodeFunctionData({ abi, functionName: 'spawn' })],
      () => [BigInt(random.below(2)), encodeFunctionData({ abi, functionName: 'spawnAndDestroy' })],
    ] satisfies (() => [bigint, Hex])[])()
    return { to: random.pick(this.#stores), value, data: fromHex(data), gasLimit: this.#gas(1_500_000) }
  }

  #token(): Wish {
    const random = this.#random
    const to = random.pick([...this.#senders.map(({ address }) => address), ...this.#pools])
    const amount = random.bigint(20)
    const data = encodeFunctionData({
      abi: Token.abi,
      ...random.pick([
        { functionName: 'mint', args: [to, amount] } as const,
        { functionName: 'transfer', args: [to, amount] } as const,
        { functionName: 'approve', args: [to, amount] } as const,
        { functionName: 'transferFrom', args: [to, this.#anyone(), amount] } as const,
      ]),
    })
    return { to: random.pick(this.#tokens), value: 0n, data: fromHex(data), gasLimit: this.#gas(200_000) }
  }

  #pool(): Wish {
    const random = this.#random
    const amount = random.bigint(16)
    const token = random.pick([...this.#tokens, ZERO_ADDRESS])
    const data = encodeFunctionData({
      abi: Pool.abi,
      ...random.pick([
        { functionName: 'addLiquidity', args: [amount, amount] } as const,
        { functionName: 'removeLiquidity', args: [amount] } as const,
        { functionName: 'swap', args: [token, amount, 0n] } as const,
      ]),
    })
    return { to: random.pick(this.#pools), value: 0n, data: fromHex(data), gasLimit: this.#gas(400_000) }
  }

  #emit(): Wish {
    const random = this.#random
    const bytes = random.hex(random.below(70))
    const data = encodeFunctionData({
      abi: Emitter.abi,
      ...random.pick([
        { functionName: 'log0', args: [bytes] } as const,
        { functionName: 'log3', args: [random.hex(32), random.hex(32), bytes] } as const,
        { functionName: 'log4', args: [random.hex(32), random.hex(32), random.hex(32), bytes] } as const,
        { functionName: 'emitMany', args: [BigInt(random.below(10)), random.hex(32)] } as const,
        { functionName: 'touch' } as const,
      ]),
    })
    return { to: random.pick(this.#emitters), value: 0n, data: fromHex(data), gasLimit: this.#gas(300_000) }
  }

  #fail(): Wish {
    const random = this.#random
    const target = random.pick(this.#reverters)
    const data = encodeFunctionData({
      abi: Reverter.abi,
      ...random.pick([
        { functionName: 'writeThenSucceed' } as const,
        { functionName: 'writeThenRevertString' } as const,
        { functionName: 'writeThenRevertCustom', args: [random.bigint(256)] } as const,
        { functionName: 'writeThenPanicDivide' } as const,
        { functionName: 'writeThenOutOfGas' } as const,
        { functionName: 'writeThenInvalidOpcode' } as const,
        { functionName: 'writeThenNested', args: [target] } as const,
        { functionName: 'caught', args: [target] } as const,
      ]),
    })
    return { to: random.pick(this.#reverters), value: 0n, data: fromHex(data), gasLimit: 150_000n }
  }

  /** A withdrawal (EIP-7002) or consolidation request (EIP-7251), with more than its fee. */
  #request(): Wish {
    const [to, size] = this.#random.pick([
      [WITHDRAWAL_REQUESTS_ADDRESS, 56],
      [CONSOLIDATION_REQUESTS_ADDRESS, 96],
    ] as const)
    return { to, value: 10n ** 6n, data: this.#random.bytes(size), gasLimit: 400_000n }
  }
}
