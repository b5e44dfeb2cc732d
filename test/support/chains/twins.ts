/** The same world twice: ours, and EthereumJS's own state manager under EthereumJS's VM. */
import { createBlock, type Block as TheirBlock } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import type { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import { fromHex, toHex } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import type { Outcome } from '../../../src/engine/engine.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { runTransaction } from '../../../src/engine/run/runMessage.ts'
import { blobBaseFee } from '../../../src/model/block/fees.ts'
import { createRules, type Hardfork, type Rules } from '../../../src/model/hardfork/hardfork.ts'
import type { UnsignedTransaction } from '../../../src/model/transaction/transaction.ts'
import { State } from '../../../src/state/state.ts'
import { createEngine } from '../engines/engineOfRun.ts'
import { type GenesisAccount, referenceCommon, referenceState } from './referenceChain.ts'
import { type Signer, sign } from './signing.ts'

/** The block in which twins run: nobody earns anything from it. */
const COINBASE = `0x${'c0'.repeat(20)}` as const
const BASE_FEE = 7n

export class Twins {
  readonly rules: Rules
  readonly #evm: Evm
  readonly #context: BlockContext
  readonly #vm: VM
  readonly #common: Common
  readonly #theirs: MerkleStateManager
  readonly #block: TheirBlock
  /** Our world now. */
  state: State

  private constructor(
    hardfork: Hardfork,
    vm: VM,
    common: Common,
    theirs: MerkleStateManager,
    state: State,
    excessBlobGas: bigint,
  ) {
    this.rules = createRules(hardfork, 31_337n)
    this.#evm = new Evm(createEngine(this.rules))
    this.#vm = vm
    this.#common = common
    this.#theirs = theirs
    this.state = state
    const hasBaseFee = this.rules.has(1559)
    const hasBlobs = this.rules.has(4844)
    this.#block = createBlock(
      {
        header: {
          number: 5n,
          timestamp: 1_000n,
          coinbase: COINBASE,
          gasLimit: 30_000_000n,
          ...(hasBaseFee ? { baseFeePerGas: BASE_FEE } : {}),
          ...(hasBlobs ? { excessBlobGas } : {}),
        },
      },
      { common },
    )
    this.#context = {
      number: 5n,
      timestamp: 1_000n,
      coinbase: COINBASE,
      gasLimit: 30_000_000n,
      difficulty: 0n,
      prevRandao: `0x${'00'.repeat(32)}`,
      baseFeePerGas: hasBaseFee ? BASE_FEE : undefined,
      blobBaseFee: hasBlobs ? blobBaseFee(this.rules, excessBlobGas) : undefined,
      blockHash: () => undefined,
    }
  }

  /** Twins with these accounts, in a block that comes after so much excess blob gas. */
  static async create(
    hardfork: Hardfork,
    accounts: readonly GenesisAccount[],
    excessBlobGas = 0n,
  ): Promise<Twins> {
    const common = referenceCommon(hardfork)
    const theirs = await referenceState(common, accounts)
    const vm = await createVM({ common, stateManager: theirs })
    const state = State.empty.with(
      accounts.map(({ code, ...account }) => ({
        ...account,
        ...(code === undefined ? {} : { code: fromHex(code) }),
      })),
    )
    return new Twins(hardfork, vm, common, theirs, state, excessBlobGas)
  }

  /**
   * Runs the signer's next transaction in both worlds. Throws if they do not agree on the gas, the refund, the logs or
   * the Merkle root afterwards; answers how it ended in ours.
   */
  async run(signer: Signer, fields: Partial<UnsignedTransaction>): Promise<Outcome> {
    const nonce = this.state.account(signer.address)?.nonce ?? 0n
    const type = this.rules.has(1559) ? 2 : this.rules.has(2930) ? 1 : 0
    const transaction = sign(signer, {
      type,
      gasLimit: 2_000_000n,
      maxFeePerGas: BASE_FEE,
      maxPriorityFeePerGas: 0n,
      nonce,
      ...fields,
    })
    const { outcome, state } = await runTransaction(this.#evm, this.state, this.#context, transaction)
    const result = await runTx(this.#vm, {
      tx: createTxFromRLP(transaction.raw, { common: this.#common }),
      block: this.#block,
    })
    const root = toHex(await this.#theirs.getStateRoot())
    const ours = [outcome.gasUsed, outcome.kind === 'success', state.root()]
    const theirs = [result.totalGasSpent, result.execResult.exceptionError === undefined, root]
    if (String(ours) !== String(theirs)) throw new Error(`ours: ${ours}, theirs: ${theirs}`)
    this.state = state
    return outcome
  }
}
