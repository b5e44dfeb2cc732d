/**
 * EthereumJS alone, as a chain: its VM over its Merkle state, with the accounts and the hardfork of a devnet, and the few
 * methods of JSON-RPC that deploy the market.
 */
import { type Block, createBlock, genTransactionsTrieRoot } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager'
import { createFeeMarket1559Tx, createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx'
import { Account, bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import type { Address, Hex } from '../../../src/bytes/hex.ts'
import { developmentAccounts, TEST_MNEMONIC } from '../../../src/model/account/developmentAccounts.ts'
import type { Chain } from '../scenario.ts'

interface Call {
  readonly from: Address
  readonly to?: Address
  readonly data?: Hex
  readonly gas?: Hex
}

const GAS_LIMIT = 200_000_000n

export class EthereumjsChain implements Chain {
  readonly accounts: Chain['accounts']
  readonly #vm: VM
  readonly #common: Common
  readonly #state: MerkleStateManager
  readonly #block: Block
  readonly #receipts = new Map<Hex, unknown>()

  private constructor(accounts: Chain['accounts'], vm: VM, common: Common, state: MerkleStateManager) {
    this.accounts = accounts
    this.#vm = vm
    this.#common = common
    this.#state = state
    const header = {
      number: 1n,
      gasLimit: GAS_LIMIT,
      baseFeePerGas: 1_000_000_000n,
      timestamp: 1_735_689_600n,
    }
    this.#block = createBlock({ header }, { common })
  }

  static async start(): Promise<EthereumjsChain> {
    const accounts = await developmentAccounts(TEST_MNEMONIC, 10)
    const common = createCustomCommon({ chainId: 31_337 }, Mainnet, { hardfork: 'osaka' })
    const state = new MerkleStateManager({ common, caches: new Caches() })
    for (const { address } of accounts) {
      await state.putAccount(createAddressFromString(address), new Account(0n, 10_000n * 10n ** 18n))
    }
    const evm = await createEVM({ common, stateManager: state })
    const vm = await createVM({ common, stateManager: state, evm })
    return new EthereumjsChain(accounts, vm, common, state)
  }

  /** The methods of the market. A transaction runs when it is sent. */
  async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const [first] = params as [never]
    switch (method) {
      case 'eth_sendTransaction':
        return this.#send(first)
      case 'eth_getTransactionReceipt':
        return this.#receipts.get(first)
      case 'eth_getTransactionCount':
        return `0x${(await this.#nonce(first)).toString(16)}`
      default:
        throw new Error(`EthereumjsChain: ${method} was not expected`)
    }
  }

  async mine(): Promise<void> {}

  async call({ from, to, data = '0x' }: Call): Promise<Hex> {
    await this.#state.checkpoint()
    const { execResult } = await this.#vm.evm.runCall({
      caller: createAddressFromString(from),
      ...(to === undefined ? {} : { to: createAddressFromString(to) }),
      data: hexToBytes(data),
      gasLimit: 50_000_000n,
      block: this.#block,
    })
    await this.#state.revert()
    if (execResult.exceptionError !== undefined) throw new Error(execResult.exceptionError.error)
    return bytesToHex(execResult.returnValue)
  }

  /**
   * Makes a block of signed transactions, reverts it, and returns the milliseconds of the first. With
   * `runTx` and not with `BlockBuilder`, which rebuilds the block for each transaction.
   */
  async timeBlock(raws: readonly Hex[]): Promise<number> {
    const before = await this.#state.getStateRoot()
    const started = performance.now()
    const transactions: TypedTransaction[] = []
    let gasUsed = 0n
    for (const raw of raws) {
      const tx = createTxFromRLP(hexToBytes(raw), { common: this.#common })
      const result = await runTx(this.#vm, { tx, block: this.#block, blockGasUsed: gasUsed })
      if (result.receipt === undefined || result.execResult.exceptionError)
        throw new Error('a transaction failed')
      gasUsed += result.totalGasSpent
      transactions.push(tx)
    }
    await this.#state.getStateRoot()
    await genTransactionsTrieRoot(transactions)
    const ms = performance.now() - started
    await this.#state.setStateRoot(before)
    return ms
  }

  async #send({ from, to, data = '0x', gas = '0x0' }: Call): Promise<Hex> {
    const { privateKey } = this.accounts.find(({ address }) => address === from.toLowerCase())!
    const unsigned = createFeeMarket1559Tx(
      {
        chainId: 31_337n,
        nonce: await this.#nonce(from),
        gasLimit: BigInt(gas),
        ...(to === undefined ? {} : { to }),
        data,
        maxFeePerGas: 10_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      },
      { common: this.#common },
    )
    const tx = unsigned.sign(hexToBytes(privateKey))
    const { createdAddress, execResult } = await runTx(this.#vm, { tx, block: this.#block })
    const hash = bytesToHex(tx.hash())
    this.#receipts.set(hash, {
      transactionHash: hash,
      contractAddress: createdAddress?.toString() ?? null,
      status: execResult.exceptionError === undefined ? '0x1' : '0x0',
    })
    return hash
  }

  async #nonce(address: string): Promise<bigint> {
    return (await this.#state.getAccount(createAddressFromString(address)))?.nonce ?? 0n
  }
}
