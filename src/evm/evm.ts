/**
 * The machine: EthereumJS's VM over our state.
 *
 * A VM runs one thing at a time and its runs are asynchronous, so questions that come at the same time each get a VM of
 * their own; those that are free are kept for the next. Making one takes about a millisecond, taking a free one nothing.
 * All forks of a devnet share the same machine.
 */
import type { Block } from '@ethereumjs/block'
import {
  type CustomPrecompile,
  createEVM,
  type EVMMockBlockchainInterface,
  type EVMResult,
  type Message as EvmMessage,
  type InterpreterStep,
} from '@ethereumjs/evm'
import type { TypedTransaction } from '@ethereumjs/tx'
import { Address as AddressObject } from '@ethereumjs/util'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import type { Rules } from '../model/hardfork.ts'
import { type Address, EMPTY_BYTES, fromHex, ZERO_HASH } from '../model/hex.ts'
import type { Draft } from '../state/draft.ts'
import { Adapter } from './adapter.ts'
import type { BlockContext } from './blockContext.ts'
import type { Message } from './message.ts'
import { type Ending, runDeposit } from './runDeposit.ts'

/** Precompiles that answer at another address: where they were, and where they are now. */
export type MovedPrecompiles = ReadonlyMap<Address, Address>

const SYSTEM_ADDRESS: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
const SYSTEM_CALL_GAS = 30_000_000n

/** What a run can be asked to tell while it goes. */
export interface EvmListener {
  step(step: InterpreterStep): void
  beforeMessage(message: EvmMessage): void
  afterMessage(result: EVMResult): void
}

interface Runner {
  readonly vm: VM
  readonly adapter: Adapter
  readonly blockchain: Blockhashes
}

/** Runs messages under the rules of one chain. */
export class Evm {
  readonly rules: Rules
  readonly #idle: Runner[] = []

  constructor(rules: Rules) {
    this.rules = rules
  }

  /**
   * Runs `message` on `draft`, in the block that `context` describes. The message must have passed the checks of its
   * caller (nonce, balance, intrinsic gas): what EthereumJS throws from here is a defect of ours. The machine asks before
   * each instruction whether anybody listens, so runs without a `listener` are as fast as if there were none.
   */
  async run(
    draft: Draft,
    context: BlockContext,
    message: Message,
    moved?: MovedPrecompiles,
    listener?: EvmListener,
  ): Promise<Ending> {
    const work = async ({ vm, adapter }: Runner): Promise<Ending> => {
      if (message.isDeposit) {
        return heard(vm, listener, () => runDeposit(vm, this.rules, dressed(context), message))
      }
      if (message.mayComeFromContract) adapter.disguiseOnce(message.sender)
      return heard(vm, listener, () =>
        runTx(vm, {
          tx: message as unknown as TypedTransaction,
          block: dressed(context),
          blockGasUsed: 0n,
          skipNonce: message.isSimulated,
          skipHardForkValidation: true,
          skipBlockGasLimitValidation: true,
        }),
      )
    }
    if (moved !== undefined) return attached(await this.#createMoved(moved), draft, context, work)
    return this.#lend((runner) => attached(runner, draft, context, work))
  }

  /** Runs the code at `to` as the system (EIP-4788): 30 million gas that nobody pays. Answers what it returned. */
  async runSystemCall(
    draft: Draft,
    context: BlockContext,
    to: Address,
    data: Uint8Array,
  ): Promise<Uint8Array> {
    const work = async ({ vm }: Runner) => {
      const { execResult } = await vm.evm.runCall({
        block: dressed(context),
        caller: addressObject(SYSTEM_ADDRESS),
        to: addressObject(to),
        data,
        gasLimit: SYSTEM_CALL_GAS,
        skipNonceIncrement: true,
      })
      await vm.evm.journal.cleanup()
      return execResult.exceptionError === undefined ? execResult.returnValue : EMPTY_BYTES
    }
    return this.#lend((runner) => attached(runner, draft, context, work))
  }

  /** Whether a precompile answers at `address`. */
  isPrecompile(address: Address): Promise<boolean> {
    return this.#lend(async ({ vm }) => vm.evm.precompiles.has(address.slice(2)))
  }

  /** Where all precompiles answer. */
  precompiles(): Promise<ReadonlySet<Address>> {
    return this.#lend(
      async ({ vm }) => new Set([...vm.evm.precompiles.keys()].map((digits): Address => `0x${digits}`)),
    )
  }

  /** Lends a free runner. One whose work threw is not taken back: its journal may be in any state. */
  async #lend<T>(work: (runner: Runner) => Promise<T>): Promise<T> {
    const runner = this.#idle.pop() ?? (await this.#create())
    const result = await work(runner)
    this.#idle.push(runner)
    return result
  }

  async #createMoved(moved: MovedPrecompiles): Promise<Runner> {
    return this.#create(await this.#lend(async ({ vm }) => movedPrecompiles(vm, moved)))
  }

  async #create(customPrecompiles: CustomPrecompile[] = []): Promise<Runner> {
    const { common } = this.rules
    const adapter = new Adapter()
    const blockchain = new Blockhashes()
    const evm = await createEVM({ common, stateManager: adapter, blockchain, customPrecompiles })
    // The EVM listens to its Common for a change of hardfork, which never comes here: without this, each VM that
    // was ever made would be kept alive by it.
    common.events.removeAllListeners('hardforkChanged')
    const vm = await createVM({ common, stateManager: adapter, evm })
    return { vm, adapter, blockchain }
  }
}

/** Does `work` on a runner that sees `draft` in the block of `context`. */
async function attached<T>(
  runner: Runner,
  draft: Draft,
  context: BlockContext,
  work: (runner: Runner) => Promise<T>,
): Promise<T> {
  runner.adapter.attach(draft)
  runner.blockchain.attach(context)
  const result = await work(runner)
  runner.adapter.attach(undefined)
  runner.blockchain.attach(undefined)
  return result
}

/** Does `work` while `listener` hears what happens. */
async function heard<T>({ evm }: VM, listener: EvmListener | undefined, work: () => Promise<T>): Promise<T> {
  if (listener === undefined) return work()
  const { events } = evm
  if (events === undefined) throw new Error('the EVM tells nothing')
  events.on('step', listener.step)
  events.on('beforeMessage', listener.beforeMessage)
  events.on('afterMessage', listener.afterMessage)
  const result = await work()
  events.off('step', listener.step)
  events.off('beforeMessage', listener.beforeMessage)
  events.off('afterMessage', listener.afterMessage)
  return result
}

function movedPrecompiles({ evm }: VM, moved: MovedPrecompiles): CustomPrecompile[] {
  return [...moved].flatMap(([from, to]) => {
    const run = evm.precompiles.get(from.slice(2))
    if (run === undefined) return []
    return [{ address: addressObject(from) }, { address: addressObject(to), function: run }]
  })
}

/** Answers BLOCKHASH from the chain of the moment. */
class Blockhashes implements EVMMockBlockchainInterface {
  #context: BlockContext | undefined

  attach(context: BlockContext | undefined): void {
    this.#context = context
  }

  async getBlock(number: number): Promise<{ hash(): Uint8Array }> {
    const hash = fromHex(this.#context?.blockHash(BigInt(number)) ?? ZERO_HASH)
    return { hash: () => hash }
  }

  async putBlock(): Promise<void> {}

  shallowCopy(): this {
    return this
  }
}

/** The context as the part of a block that EthereumJS reads; making a real one would cost more than many calls. */
function dressed(context: BlockContext): Block {
  const header = {
    number: context.number,
    timestamp: context.timestamp,
    coinbase: addressObject(context.coinbase),
    gasLimit: context.gasLimit,
    gasUsed: 0n,
    difficulty: context.difficulty,
    prevRandao: fromHex(context.prevRandao),
    baseFeePerGas: context.baseFeePerGas,
    getBlobGasPrice: () => context.blobBaseFee ?? 0n,
  }
  return { header } as unknown as Block
}

/** An address as EthereumJS holds it. */
export function addressObject(address: Address): AddressObject {
  return new AddressObject(fromHex(address))
}
