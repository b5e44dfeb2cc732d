/** What a client may ask of a devnet in the course of a long session, drawn by chance: reads of pending state above all. */
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import { Store } from '../../../fixtures/contracts/Store.ts'
import type { Devnet } from '../../../src/index.ts'
import { STRANGER } from '../clients/clients.ts'
import type { Random } from '../random/random.ts'

/** Asks one question; answers the result, or `undefined` where there is an error. */
export type Asking = (method: string, ...params: unknown[]) => Promise<unknown>

export class Session {
  readonly #random: Random
  readonly #ask: Asking
  readonly #accounts: Devnet['accounts']
  readonly #account: ReturnType<typeof privateKeyToAccount>
  #emitter: unknown
  #store: unknown
  readonly #hashes: unknown[] = []
  readonly #filters: unknown[] = []
  readonly #snapshots: unknown[] = []
  #nonce = 0
  requests = 0

  /** `index`: of the account whose transactions are signed here; each session at a time needs its own. */
  constructor(random: Random, { accounts }: Pick<Devnet, 'accounts'>, index: number, ask: Asking) {
    this.#random = random
    this.#accounts = accounts
    this.#account = privateKeyToAccount(accounts[index]!.privateKey)
    this.#ask = (method, ...params) => {
      this.requests++
      return ask(method, ...params)
    }
  }

  /** So many requests, one after the other. */
  async take(requests: number): Promise<void> {
    for (const last = this.requests + requests; this.requests < last; ) await this.#step()
  }

  /** So many that do not wait for each other. */
  async takeAtOnce(requests: number): Promise<void> {
    await Promise.all(Array.from({ length: requests }, () => this.#step()))
  }

  async #step(): Promise<void> {
    const kind = this.#random.below(100)
    if (kind < 50) await this.#read()
    else if (kind < 75) await this.#send()
    else if (kind < 85) await this.#lookUp()
    else if (kind < 92) await this.#filter()
    else await this.#bend()
  }

  async #read(): Promise<unknown> {
    const random = this.#random
    const at = random.pick(['pending', 'pending', 'pending', 'latest', 'safe', '0x1'])
    const { address } = random.pick(this.#accounts)
    const store = (this.#store ?? STRANGER) as Hex
    const call = (data: Hex) => this.#ask('eth_call', { from: address, to: store, data }, at)
    switch (random.below(10)) {
      case 0:
        return this.#ask('eth_getBalance', random.pick([address, STRANGER]), at)
      case 1:
        return this.#ask('eth_getTransactionCount', address, at)
      case 2:
        return this.#ask('eth_getBlockByNumber', at, random.chance(0.5))
      case 3:
        return this.#ask('eth_getLogs', { fromBlock: '0x0', toBlock: at })
      case 4:
        return call(encodeFunctionData({ abi: Store.abi, functionName: 'context' }))
      case 5:
        return call(encodeFunctionData({ abi: Store.abi, functionName: 'get', args: [0n] }))
      case 6:
        return this.#ask('eth_estimateGas', { from: address, to: STRANGER, value: '0x1' }, at)
      case 7:
        return this.#ask('eth_getStorageAt', store, '0x0', at)
      case 8:
        return this.#ask('preseal_explain')
      default:
        return this.#ask(
          random.pick(['eth_blockNumber', 'eth_gasPrice', 'eth_noSuchMethod', 'txpool_content']),
        )
    }
  }

  async #send(): Promise<void> {
    const random = this.#random
    const from = random.pick(this.#accounts).address
    const { to, data } = this.#work()
    const value = '0x1'
    switch (random.below(4)) {
      case 0:
        this.#note(await this.#ask('eth_sendTransaction', { from, to: STRANGER, value }))
        return
      case 1:
        // How much gas it takes is found out first.
        this.#note(await this.#ask('eth_sendTransaction', { from, to, data }))
        return
      case 2:
        this.#note(await this.#ask('eth_sendTransaction', { from, to, data, gas: '0x30d40' }))
        return
      default: {
        const raw = await this.#account.signTransaction({
          to: STRANGER,
          value: 1n,
          gas: 21_000n,
          gasPrice: 3_000_000_000n,
          chainId: 31337,
          nonce: this.#nonce,
        })
        const method = random.pick(['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])
        const answer = await this.#ask(
          method,
          raw,
          ...(method.endsWith('Sync') ? [random.between(1, 50)] : []),
        )
        if (answer !== undefined) this.#nonce++
        else
          this.#nonce = Number(await this.#ask('eth_getTransactionCount', this.#account.address, 'pending'))
      }
    }
  }

  /** A call that changes something, of contracts that may not be there yet. */
  #work(): { to: Hex | undefined; data: Hex } {
    const random = this.#random
    if (this.#emitter === undefined) return { to: undefined, data: Emitter.bytecode }
    if (this.#store === undefined || random.chance(0.05)) return { to: undefined, data: Store.bytecode }
    return random.chance(0.5)
      ? {
          to: this.#emitter as Hex,
          data: encodeFunctionData({
            abi: Emitter.abi,
            functionName: 'emitMany',
            args: [BigInt(random.below(4)), random.hex(32)],
          }),
        }
      : {
          to: this.#store as Hex,
          data: encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [0n, random.bigint(64)] }),
        }
  }

  #note(hash: unknown): void {
    if (typeof hash === 'string') this.#hashes.push(hash)
  }

  async #lookUp(): Promise<void> {
    const random = this.#random
    if (this.#hashes.length === 0) return
    const hash = random.chance(0.5) ? this.#hashes.at(-1) : random.pick(this.#hashes)
    const method = random.pick([
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
      'eth_getTransactionReceipt',
      'preseal_explain',
      'preseal_getTimeline',
      'debug_traceTransaction',
    ])
    const answer = await this.#ask(method, hash)
    const { contractAddress } = (answer ?? {}) as { contractAddress?: unknown }
    if (typeof contractAddress !== 'string') return
    if (this.#emitter === undefined) this.#emitter = contractAddress
    else this.#store = contractAddress
  }

  async #filter(): Promise<void> {
    const random = this.#random
    if (this.#filters.length > 0 && random.chance(0.8)) {
      const method = random.pick(['eth_getFilterChanges', 'eth_getFilterChanges', 'eth_uninstallFilter'])
      await this.#ask(method, random.pick(this.#filters))
      return
    }
    const [method, ...params] = random.pick([
      ['eth_newBlockFilter'],
      ['eth_newPendingTransactionFilter'],
      ['eth_newFilter', {}],
    ] as const)
    this.#filters.push(await this.#ask(method, ...params))
  }

  async #bend(): Promise<unknown> {
    const random = this.#random
    switch (random.below(12)) {
      case 0:
        return this.#ask('evm_increaseTime', random.between(1, 100))
      case 1:
        return this.#ask('evm_mine')
      case 2:
        return this.#ask('anvil_mine', random.between(1, 5), random.below(3))
      case 3:
        return this.#ask('anvil_setBalance', STRANGER, `0x${random.between(1, 1e9).toString(16)}`)
      case 4:
        return this.#ask('anvil_setNonce', STRANGER, `0x${random.between(1, 1e9).toString(16)}`)
      case 5:
        return this.#snapshots.push(await this.#ask('evm_snapshot'))
      case 6:
        return this.#ask('evm_revert', this.#snapshots.pop() ?? '0x99')
      case 7:
        return this.#ask('anvil_setNextBlockBaseFeePerGas', `0x${random.between(1, 2e9).toString(16)}`)
      case 8:
        return this.#ask('anvil_impersonateAccount', STRANGER)
      case 9:
        return this.#ask('preseal_addFault', {
          kind: 'latency',
          ms: [0, 5],
          when: { times: random.between(1, 5) },
        })
      case 10:
        return this.#ask('preseal_addFault', {
          kind: 'rpcError',
          code: -32000,
          message: 'not today',
          when: { probability: 0.5, times: 2 },
        })
      default:
        return this.#ask(
          'preseal_addFault',
          random.pick([
            { kind: 'absentPending', slices: 2 },
            { kind: 'stalePending', slices: 3 },
            { kind: 'omitSlice' },
            { kind: 'dropTransaction', lands: 'next' },
            { kind: 'reorg', depth: 1, transactions: 'wait' },
          ]),
        )
    }
  }
}
