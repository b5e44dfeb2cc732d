/** Runs steps and reads of an exploration. No transaction is signed, hashed into a root, or indexed. */
import type { Address } from '../bytes/hex.ts'
import type { BlockContext } from '../engine/blockContext.ts'
import type { Execution, Message, Outcome } from '../engine/engine.ts'
import type { Evm } from '../engine/evm.ts'
import type { AccountChange } from '../state/state.ts'
import type { StateView } from '../state/view.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { Elapsed } from './stateSpace.ts'
import type { CallStep } from './steps.ts'

const NO_FEES = { gasPrice: 0n, tip: 0n, blobGasPrice: 0n }
const NO_LISTS = {
  accessList: [],
  authorizationList: [],
  blobVersionedHashes: [],
  movedPrecompiles: undefined,
}

/** The sender of reads: an account that owns nothing. */
const READER: Address = '0x0000000000000000000000000000000000000000'

export class Machine {
  readonly #evm: Evm
  readonly #context: BlockContext
  readonly #gasLimit: bigint
  #elapsed: Elapsed | undefined
  #later: BlockContext | undefined

  /** `context`: the block that would include the next transaction. */
  constructor(evm: Evm, context: BlockContext) {
    this.#evm = evm
    this.#context = context
    this.#gasLimit = context.gasLimit
  }

  timestampAt({ seconds }: Elapsed): bigint {
    return this.#context.timestamp + seconds
  }

  /** Runs a call without fees. The caller has checked that the sender owns the value. */
  run(state: StateView, elapsed: Elapsed, { from, to, value, data }: CallStep): MaybePromise<Execution> {
    return this.#run(state, elapsed, from, to, value, data, false)
  }

  /** Runs a call whose changes are dropped. */
  read(state: StateView, elapsed: Elapsed, to: Address, data: Uint8Array): MaybePromise<Outcome> {
    const ran = this.#run(state, elapsed, READER, to, 0n, data, true)
    return ran instanceof Promise ? ran.then(({ outcome }) => outcome) : ran.outcome
  }

  #run(
    state: StateView,
    elapsed: Elapsed,
    from: Address,
    to: Address,
    value: bigint,
    data: Uint8Array,
    dropsChanges: boolean,
  ): MaybePromise<Execution> {
    const message: Message = {
      kind: 'simulation',
      type: 2,
      from,
      to,
      nonce: 0n,
      gasLimit: this.#gasLimit,
      value,
      data,
      ...NO_FEES,
      ...NO_LISTS,
      mayComeFromContract: true,
      dropsChanges,
    }
    return this.#evm.run(state, this.#contextAt(elapsed), message)
  }

  /** Returns the context after some time: the same object for the same time, because engines cache by identity. */
  #contextAt(elapsed: Elapsed): BlockContext {
    if (elapsed.seconds === 0n && elapsed.blocks === 0n) return this.#context
    if (this.#later === undefined || this.#elapsed !== elapsed) {
      const { number, timestamp } = this.#context
      this.#elapsed = elapsed
      this.#later = {
        ...this.#context,
        number: number + elapsed.blocks,
        timestamp: timestamp + elapsed.seconds,
      }
    }
    return this.#later
  }
}

/**
 * Returns the changes of a call without the nonce of its sender, which no contract can read. Otherwise no state would
 * come twice.
 */
export function lastingChanges(changes: readonly AccountChange[], from: Address): readonly AccountChange[] {
  return changes.flatMap((change) => {
    if (change.address !== from || change.code !== undefined || change.deleted) return [change]
    const { nonce: _, ...lasting } = change
    return lasting.balance === undefined && lasting.storage === undefined ? [] : [lasting]
  })
}
