/** A view of a forked state that collects missing values and returns stand-ins. A run with stand-ins is discarded. */
import { type Address, fromHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { type MissingValue, NOT_FETCHED, NotFetched, type RemoteState } from './remoteState.ts'
import type { Account, StateView } from './view.ts'

/** The code of the stand-in for a missing account. Calls return 32 words of value 1, which most callers accept. */
const STAND_IN_CODE: Uint8Array = fromHex(
  `0x${Array.from({ length: 32 }, (_, i) => `600161${(32 * i).toString(16).padStart(4, '0')}52`).join('')}6104006000f3`,
)
let standIn: Account | undefined

function standInAccount(): Account {
  // Computed on demand, because keccak may not be loaded when this file is imported.
  standIn ??= { nonce: 0n, balance: 2n ** 127n, codeHash: keccak256(STAND_IN_CODE) }
  return standIn
}

export class MissingValues {
  readonly #missing = new Map<string, MissingValue>()

  /** Whether a value was missing. If so, the results of the run are wrong. */
  get hasMissing(): boolean {
    return this.#missing.size > 0
  }

  get missing(): readonly MissingValue[] {
    return [...this.#missing.values()]
  }

  /** Returns the result of `read`. If `read` throws `NotFetched`, collects missing values and runs `otherwise`. */
  read<T>(read: () => T, otherwise: () => T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotFetched)) throw error
      for (const value of error.values) this.#missing.set(missingValueKey(value), value)
      return otherwise()
    }
  }
}

export class FetchingView extends MissingValues implements StateView {
  readonly state: StateView

  constructor(state: StateView) {
    super()
    this.state = state
  }

  account(address: Address): Account | undefined {
    return this.read(() => this.state.account(address), standInAccount)
  }

  code(address: Address): Uint8Array {
    return this.read(
      () => this.state.code(address),
      () => STAND_IN_CODE,
    )
  }

  storage(address: Address, slot: bigint): bigint {
    return this.read(
      () => this.state.storage(address, slot),
      () => 0n,
    )
  }

  hasStorage(address: Address): boolean {
    return this.read(
      () => this.state.hasStorage(address),
      () => false,
    )
  }
}

/** The guess for a missing slot: valid as a large amount and as a non-zero address, and small enough to be squared. */
const GUESS = BigInt(`0x${'01'.repeat(16)}`)
/** The maximum number of guesses in one run, because a loop over a guessed length would not end. */
const MAX_GUESSES = 64

/** Thrown at the last guess, after the missing value was collected. */
export class GuessLimitReached {}

/** A view that returns a large number for each missing slot, so that runs take other branches than with zero. */
export class GuessingView extends FetchingView {
  #guesses = 0

  override storage(address: Address, slot: bigint): bigint {
    return this.read(
      () => this.state.storage(address, slot),
      () => {
        if (++this.#guesses === MAX_GUESSES) throw new GuessLimitReached()
        return GUESS
      },
    )
  }
}

/** Returns a string key for a value to fetch. Equal values have equal keys. */
export function missingValueKey(value: MissingValue): string {
  switch (value.kind) {
    case 'account':
      return value.address
    case 'slot':
      return `${value.address} ${value.slot}`
    case 'blockHash':
      return `${value.number}`
    case 'node':
      return `node ${value.hash}`
  }
}

/** Returns the result of `read`. If values are missing, throws one `NotFetched` with all of them. */
export function readTogether<T>(state: StateView, read: (view: StateView) => T): T {
  const { remote } = state
  if (remote === undefined) return read(state)
  const view = new FetchingView(state)
  const result = read(view)
  if (view.hasMissing) throw new NotFetched(remote, view.missing)
  return result
}

export function isMissing(remote: RemoteState, value: MissingValue): boolean {
  switch (value.kind) {
    case 'account':
      return remote.account(value.address) === NOT_FETCHED
    case 'slot':
      return remote.slot(value.address, value.slot) === NOT_FETCHED
    case 'blockHash':
      return remote.blockHash(value.number) === NOT_FETCHED
    case 'node':
      return remote.proofs?.node(value.hash) === undefined
  }
}
