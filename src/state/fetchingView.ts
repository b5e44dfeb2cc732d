/**
 * A view of a state for one run that goes on past what was not fetched: it notes what is missing, and returns something
 * in its place. Such a run is discarded; it finds out as much as possible of what the next one needs.
 */
import { type Address, fromHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { type MissingValue, NOT_FETCHED, NotFetched, type RemoteState } from './remoteState.ts'
import type { Account, StateView } from './view.ts'

/**
 * In the place of a missing account there is one that can pay, with code that returns 32 words of 1: most callers decode
 * `true` or an amount from that and go on, and what they do next is found out in the same run.
 */
const STAND_IN_CODE: Uint8Array = fromHex(
  `0x${Array.from({ length: 32 }, (_, i) => `600161${(32 * i).toString(16).padStart(4, '0')}52`).join('')}6104006000f3`,
)
let standIn: Account | undefined

function standInAccount(): Account {
  // The hash is made on demand: keccak may not be loaded yet.
  standIn ??= { nonce: 0n, balance: 2n ** 127n, codeHash: keccak256(STAND_IN_CODE) }
  return standIn
}

/** What several reads lacked. */
export class Lacks {
  readonly #missing = new Map<string, MissingValue>()

  /** Whether a read found nothing, so that what was read is not what there is. */
  get lacks(): boolean {
    return this.#missing.size > 0
  }

  /** What was missing, each value once. */
  get missing(): readonly MissingValue[] {
    return [...this.#missing.values()]
  }

  /** Returns what `read` returns; if that lacks something, notes it, and returns what `otherwise` returns. */
  read<T>(read: () => T, otherwise: () => T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotFetched)) throw error
      for (const value of error.values) this.#missing.set(nameOf(value), value)
      return otherwise()
    }
  }
}

export class FetchingView extends Lacks implements StateView {
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

/**
 * In the place of a missing slot: as an amount, an allowance or a length it is large, as an address or a truth it is
 * not zero. Two of them can be multiplied without an overflow.
 */
const GUESS = BigInt(`0x${'01'.repeat(16)}`)
/** The most slots that one run guesses: a loop over a guessed length would guess for ever. */
const MOST_GUESSES = 64

/** Thrown by the last guess: what it is for is noted. */
export class EnoughGuesses {}

/**
 * The same for a run that goes another way: where the first view has zeros for missing slots, and what is not allowed or
 * not there ends the run, this one has a large number.
 */
export class GuessingView extends FetchingView {
  #guesses = 0

  override storage(address: Address, slot: bigint): bigint {
    return this.read(
      () => this.state.storage(address, slot),
      () => {
        if (++this.#guesses === MOST_GUESSES) throw new EnoughGuesses()
        return GUESS
      },
    )
  }
}

/** Returns a text that is the same for the same value. */
export function nameOf(value: MissingValue): string {
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

/**
 * Returns what `read` returns for `state`. If something was not fetched, throws `NotFetched` that names all of it, not
 * only what was read first.
 */
export function readTogether<T>(state: StateView, read: (view: StateView) => T): T {
  const { remote } = state
  if (remote === undefined) return read(state)
  const view = new FetchingView(state)
  const result = read(view)
  if (view.lacks) throw new NotFetched(remote, view.missing)
  return result
}

/** Returns whether `value` was not fetched yet. */
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
