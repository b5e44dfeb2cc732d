/** A VM of EthereumJS over our states. It runs one message at a time. */
import { createEVM, type EVM, type EVMMockBlockchainInterface } from '@ethereumjs/evm'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import { fromHex, ZERO_HASH } from '../../bytes/hex.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { intrinsicGas } from '../../model/transaction/intrinsicGas.ts'
import type { StateView } from '../../state/view.ts'
import { URGENT, type Work } from '../../work/work.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Execution, Message, MovedPrecompiles, Watcher } from '../engine.ts'
import type { HitCollector } from '../hits.ts'
import { Adapter } from './adapter.ts'
import { addressObject } from './addressObject.ts'
import { type ShownBlock, shownBlock } from './block.ts'
import { evmParamsOf } from './common.ts'
import { ConsoleListener } from './consoleListener.ts'
import { countHits } from './countHits.ts'
import { Draft } from './draft.ts'
import { GasNeed } from './gasNeed.ts'
import { outcomeOf } from './outcomeOf.ts'
import { Pauses } from './pauses.ts'
import { precompilesOfL2 } from './precompilesOfL2.ts'
import { type Ending, removeDestroyed, runDeposit } from './runDeposit.ts'
import { transactionOf } from './transaction.ts'
import { watch } from './watch.ts'

type Common = VM['common']

/** A VM with its adapter and listeners. */
export class Machine {
  readonly #rules: Rules
  readonly #vm: VM
  readonly #evm: EVM
  readonly #adapter: Adapter
  readonly #blockHashes: BlockHashes
  readonly #console = new ConsoleListener()
  readonly #gasNeed = new GasNeed()
  readonly #pauses = new Pauses()
  #block: ShownBlock | undefined

  private constructor(rules: Rules, vm: VM, evm: EVM, adapter: Adapter, blockHashes: BlockHashes) {
    this.#rules = rules
    this.#vm = vm
    this.#evm = evm
    this.#adapter = adapter
    this.#blockHashes = blockHashes
    this.#console.attach(evm)
    this.#gasNeed.attach(evm, rules)
    this.#pauses.attach(evm)
    evm.events.on('beforeMessage', () => this.#block?.reveal())
  }

  /** Creates a machine with the precompiles at their addresses after `moved`. It takes about a millisecond. */
  static async create(rules: Rules, common: Common, moved?: MovedPrecompiles): Promise<Machine> {
    const stateManager = new Adapter()
    const blockchain = new BlockHashes()
    const evm = await createEVM({
      ...{ common, stateManager, blockchain, params: evmParamsOf(rules) },
      customPrecompiles: await precompilesOfL2(rules),
    })
    // The EVM listens to its Common for changes of the hardfork, which do not occur here. With this listener, Common
    // would keep each VM in memory.
    common.events.removeAllListeners('hardforkChanged')
    if (moved !== undefined) {
      Object.defineProperty(evm, 'precompiles', { value: placed(evm.precompiles, moved) })
    }
    const vm = await createVM({ common, stateManager, evm })
    return new Machine(rules, vm, evm, stateManager, blockchain)
  }

  /** Runs `message` on `state`. If it throws, the machine cannot be used again: its journal may be in any state. */
  async run(
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
    watcher: Watcher | undefined,
    hits: HitCollector | undefined,
  ): Promise<Execution> {
    const draft = new Draft(state)
    const { events } = this.#evm
    const listeners = [
      ...(watcher === undefined ? [] : [watch(this.#rules, draft, watcher, work)]),
      ...(hits === undefined ? [] : [countHits(hits)]),
    ]
    this.#adapter.attach(draft)
    this.#blockHashes.attach(context)
    this.#pauses.work = work
    this.#block = shownBlock(context, message)
    for (const { step, beforeMessage, afterMessage } of listeners) {
      events.on('step', step)
      events.on('beforeMessage', beforeMessage)
      events.on('afterMessage', afterMessage)
    }
    const gas = message.kind === 'system' ? 0n : intrinsicGas(this.#rules, message)
    const result = await this.#resultOf(message, this.#block, gas)
    for (const { step, beforeMessage, afterMessage } of listeners) {
      events.off('step', step)
      events.off('beforeMessage', beforeMessage)
      events.off('afterMessage', afterMessage)
    }
    // A machine that is kept must not keep the request in memory.
    this.#adapter.attach(undefined)
    this.#blockHashes.attach(undefined)
    this.#pauses.work = URGENT
    this.#block = undefined
    const noted = { console: this.#console.take(), gasNeed: this.#gasNeed.take() }
    return { outcome: outcomeOf({ result, intrinsicGas: gas, ...noted }), changes: draft.changes() }
  }

  #resultOf(message: Message, { block }: ShownBlock, gas: bigint): Promise<Ending> {
    switch (message.kind) {
      case 'system':
        return this.#runSystemCall(message, block)
      case 'deposit':
        return runDeposit(this.#vm, this.#rules, block, message)
      default:
        if (message.mayComeFromContract) this.#adapter.disguiseOnce(message.from)
        return runTx(this.#vm, {
          tx: transactionOf(this.#vm.common, message, gas),
          block,
          blockGasUsed: 0n,
          skipNonce: message.kind === 'simulation',
          skipHardForkValidation: true,
          skipBlockGasLimitValidation: true,
        })
    }
  }

  async #runSystemCall({ from, to, data, gasLimit }: Message, block: ShownBlock['block']): Promise<Ending> {
    // As go-ethereum does (core/state_processor.go), and precompiles are warm in every run.
    if (this.#rules.has(2929)) {
      for (const address of [to!, ...this.#rules.precompiles]) this.#evm.journal.addAlwaysWarmAddress(address)
    }
    const { execResult } = await this.#evm.runCall({
      block,
      caller: addressObject(from),
      to: addressObject(to!),
      data,
      gasLimit,
      skipNonceIncrement: true,
    })
    await removeDestroyed(this.#evm, this.#rules, execResult)
    await this.#evm.journal.cleanup()
    return { execResult, totalGasSpent: execResult.executionGasUsed }
  }
}

/**
 * Returns the precompiles at their addresses after `moved`. The warm addresses at the beginning of a run (EIP-2929) do
 * not change: they are the precompiles' original addresses.
 */
function placed(precompiles: EVM['precompiles'], moved: MovedPrecompiles): EVM['precompiles'] {
  const now = new Map(precompiles)
  for (const from of moved.keys()) now.delete(from.slice(2))
  for (const [from, to] of moved) {
    const run = precompiles.get(from.slice(2))
    if (run !== undefined && to !== undefined) now.set(to.slice(2), run)
  }
  now.entries = () => precompiles.entries()
  return now
}

/** Returns block hashes for BLOCKHASH from the chain of the moment. */
class BlockHashes implements EVMMockBlockchainInterface {
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
