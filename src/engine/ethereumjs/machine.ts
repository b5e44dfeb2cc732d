import type { Block } from '@ethereumjs/block'
import {
  type AddPrecompile,
  createEVM,
  type EVM,
  EVMError,
  type EVMMockBlockchainInterface,
  type ExecResult,
} from '@ethereumjs/evm'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import { EMPTY_BYTES, fromHex, ZERO_HASH } from '../../bytes/hex.ts'
import { bls12381 } from '../../crypto/curves/curves.ts'
import { isSince, type Rules } from '../../model/hardfork/hardfork.ts'
import { PRECOMPILES } from '../../model/hardfork/ruleTables.ts'
import { intrinsicGas } from '../../model/transaction/intrinsicGas.ts'
import { URGENT } from '../../work/work.ts'
import type { BlockContext } from '../blockContext.ts'
import type { EngineRun, Execution, Message, MovedPrecompiles } from '../engine.ts'
import { inputLimit } from '../precompiles/inputLimit.ts'
import { precompilesAfter } from '../precompiles/precompileMoves.ts'
import { precompilesUnder } from '../precompiles/precompiles.ts'
import { Adapter } from './adapter.ts'
import { Draft } from './draft.ts'
import { ConsoleListener, countHits, GasNeed, guardReverts, Pauses } from './listeners.ts'
import { outcomeOf } from './outcomeOf.ts'
import { type RunResult, removeDestroyed, runDeposit } from './runDeposit.ts'
import { addressObject, evmParamsOf, transactionOf } from './transaction.ts'
import { watch } from './watch.ts'

/** EthereumJS's key of the KZG precompile (EIP-4844), which verifies proofs on preseal's curve. */
const KZG_POINT_EVALUATION = '0a'.padStart(40, '0')

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
    guardReverts(evm)
    evm.events.on('beforeMessage', () => this.#block?.reveal())
  }

  /** Creates a machine with the precompiles at the addresses that `moved` gives them. Takes about a millisecond. */
  static async create(rules: Rules, common: VM['common'], moved?: MovedPrecompiles): Promise<Machine> {
    const stateManager = new Adapter()
    const blockchain = new BlockHashes()
    const evm = await createEVM({
      ...{ common, stateManager, blockchain, params: evmParamsOf(rules) },
      customPrecompiles: await precompilesOfL2(rules),
    })
    const kzg = evm.precompiles.get(KZG_POINT_EVALUATION)
    if (kzg !== undefined) {
      evm.precompiles.set(KZG_POINT_EVALUATION, async (input) => {
        await bls12381.load()
        return kzg(input)
      })
    }
    // The EVM's listener for hardfork changes, which do not occur here, would keep each VM in memory with its `Common`.
    common.events.removeAllListeners('hardforkChanged')
    if (moved !== undefined) {
      Object.defineProperty(evm, 'precompiles', { value: placed(evm.precompiles, moved) })
    }
    const vm = await createVM({ common, stateManager, evm })
    return new Machine(rules, vm, evm, stateManager, blockchain)
  }

  /** Runs `message` on `state`. After an error the machine must not be reused: its journal may be inconsistent. */
  async run({ state, context, message, work, watcher, hits }: EngineRun): Promise<Execution> {
    const draft = new Draft(state)
    const { events } = this.#evm
    const listeners = [
      ...(watcher === undefined ? [] : [watch(this.#rules, draft, watcher, work)]),
      ...(hits === undefined ? [] : [countHits(hits)]),
    ]
    this.#adapter.attach(draft)
    this.#blockHashes.context = context
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
    // Drops references to the request, because the pool keeps the machine.
    this.#adapter.attach(undefined)
    this.#blockHashes.context = undefined
    this.#pauses.work = URGENT
    this.#block = undefined
    const noted = { console: this.#console.take(), gasNeed: this.#gasNeed.take() }
    return { outcome: outcomeOf({ result, intrinsicGas: gas, ...noted }), changes: draft.changes() }
  }

  #resultOf(message: Message, { block }: ShownBlock, gas: bigint): Promise<RunResult> {
    switch (message.kind) {
      case 'system':
        return this.#runSystemCall(message, block)
      case 'deposit':
        return runDeposit(this.#vm, this.#rules, block, message)
      default:
        if (message.mayComeFromContract) this.#adapter.hideCodeOnce(message.from)
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

  async #runSystemCall(
    { from, to, data, gasLimit }: Message,
    block: ShownBlock['block'],
  ): Promise<RunResult> {
    // The called contract is warm as in go-ethereum (core/state_processor.go); precompiles are warm in every run.
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

/** Returns the precompiles at their new addresses. `entries()` yields the old ones, which start warm (EIP-2929). */
function placed(precompiles: EVM['precompiles'], moved: MovedPrecompiles): EVM['precompiles'] {
  const now = precompilesAfter(precompiles, moved, (address) => address.slice(2))
  now.entries = () => precompiles.entries()
  return now
}

class BlockHashes implements EVMMockBlockchainInterface {
  context: BlockContext | undefined

  async getBlock(number: number): Promise<{ hash(): Uint8Array }> {
    const hash = fromHex(this.context?.blockHash(BigInt(number)) ?? ZERO_HASH)
    return { hash: () => hash }
  }

  async putBlock(): Promise<void> {}

  shallowCopy(): this {
    return this
  }
}

/** A block that has the message's effective prices until code runs, and the block's own prices afterwards. */
interface ShownBlock {
  readonly block: Block
  /** Switches to the prices that code sees. Called before code runs, after gas was bought. */
  reveal(): void
}

function shownBlock(context: BlockContext, { gasPrice, tip, blobGasPrice }: Message): ShownBlock {
  const { number, timestamp, gasLimit, difficulty } = context
  let shownBlobPrice = blobGasPrice
  const header = {
    ...{ number, timestamp, gasLimit, gasUsed: 0n, difficulty },
    coinbase: addressObject(context.coinbase),
    prevRandao: fromHex(context.prevRandao),
    // `runTx` derives the payment from the base fee, which may differ from the base fee that code sees.
    baseFeePerGas: context.baseFeePerGas === undefined ? undefined : gasPrice - tip,
    getBlobGasPrice: () => shownBlobPrice,
  }
  return {
    block: { header } as unknown as Block,
    reveal() {
      header.baseFeePerGas = context.baseFeePerGas
      shownBlobPrice = context.blobBaseFee ?? 0n
    },
  }
}

/** Returns the precompiles that an L2 adds to those of its hardfork, and those whose inputs it limits. */
function precompilesOfL2(rules: Rules): Promise<AddPrecompile[]> {
  const others = PRECOMPILES.filter(
    ({ name, address, since }) =>
      rules.precompiles.has(address) &&
      (!isSince(rules.hardfork, since) || inputLimit(rules, name) !== undefined),
  )
  return Promise.all(
    others.map(async ({ address }) => {
      const precompile = precompilesUnder(rules).get(address)!
      await precompile.load?.()
      const run: AddPrecompile['function'] = ({ data, gasLimit }): ExecResult => {
        const executionGasUsed = precompile.gas(rules, data)
        const output = executionGasUsed > gasLimit ? undefined : precompile.run(data, rules)
        if (output !== undefined) return { executionGasUsed, returnValue: output }
        const exceptionError = new EVMError(EVMError.errorMessages.OUT_OF_GAS)
        return { executionGasUsed: gasLimit, returnValue: EMPTY_BYTES, exceptionError }
      }
      return { address: addressObject(address), function: run }
    }),
  )
}
