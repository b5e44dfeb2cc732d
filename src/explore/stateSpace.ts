/**
 * The states that an exploration has visited, as short texts.
 *
 * Every account and slot that a run reads or changes is a column, and every value in it has a number: 0 is the value at
 * the start. A state is the text of these numbers, one character each, without trailing zeros. Equal states have equal
 * texts, and no state needs a root.
 */
import { type Address, EMPTY_BYTES } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { oncePer } from '../model/collections/oncePer.ts'
import { OP, pushedBytes } from '../model/opcodes.ts'
import { type AccountChange, EMPTY_CODE_HASH } from '../state/state.ts'
import type { Account, StateView } from '../state/view.ts'

/** A state: character `i` is the number of the value in column `i`. */
export type StateText = string

export const START: StateText = ''

/** The time of a state: the seconds and the blocks since the start. */
export interface Elapsed {
  readonly seconds: bigint
  readonly blocks: bigint
}

/** A value that a column takes instead of the value at the start. */
export interface Write {
  readonly column: number
  readonly value: number
}

/** The changes of a run on every state with the values that the run read. */
export interface Effect {
  readonly writes: readonly Write[]
  /** The accounts whose slots are cleared before `writes`. */
  readonly cleared: readonly Address[]
}

interface AccountValue extends Account {
  readonly exists: boolean
  readonly code: Uint8Array
  /** Whether the slots at the start no longer count, because the account was deleted. */
  readonly isCleared: boolean
}

const ABSENT: AccountValue = {
  exists: false,
  nonce: 0n,
  balance: 0n,
  code: EMPTY_BYTES,
  codeHash: EMPTY_CODE_HASH,
  isCleared: false,
}

/** Thrown if a column takes more values than a character has. */
export class TooManyValues extends Error {}

const MOST_VALUES = 0xffff

class Column<T> {
  readonly index: number
  readonly #values: T[]
  readonly #numbers = new Map<string | bigint, number>()
  /** The number of the last run that read this column. */
  lastRun = 0

  /** `key` identifies the first value among those of `numberOf`. */
  constructor(index: number, first: T, key?: string) {
    this.index = index
    this.#values = [first]
    if (key !== undefined) this.#numbers.set(key, 0)
  }

  at(state: StateText): T {
    return this.#values[numberAt(state, this.index)]!
  }

  numberOf(key: string | bigint, value: T): number {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#values.length
      if (number > MOST_VALUES) throw new TooManyValues()
      this.#values.push(value)
      this.#numbers.set(key, number)
    }
    return number
  }
}

export function numberAt(state: StateText, column: number): number {
  return column < state.length ? state.charCodeAt(column) : 0
}

interface AccountColumns {
  readonly account: Column<AccountValue>
  readonly slots: Map<bigint, Column<bigint | undefined>>
}

export class StateSpace {
  readonly #start: StateView
  readonly #time: Column<Elapsed>
  readonly #accounts = new Map<Address, AccountColumns>()
  #columns = 0
  #run = 0
  #read: number[] = []
  #state = START

  constructor(start: StateView) {
    this.#start = start
    this.#time = this.#column({ seconds: 0n, blocks: 0n })
  }

  /** Begins a run on `state`, whose reads are collected. */
  begin(state: StateText): void {
    this.#state = state
    this.#run++
    this.#read = []
  }

  /** The columns that were read since `begin`, in the order of their first read. */
  get read(): readonly number[] {
    return this.#read
  }

  /** Returns the view of the state at `begin`. An engine keeps what it read through a view, so each run has its own. */
  view(): StateView {
    return new StateSpaceView(this, this.#start)
  }

  /** The time of the state at `begin`, which becomes a value that was read. */
  get elapsed(): Elapsed {
    this.#note(this.#time)
    return this.#time.at(this.#state)
  }

  elapsedAt(state: StateText): Elapsed {
    return this.#time.at(state)
  }

  /** Returns `state` after `seconds` and one block. */
  later(state: StateText, seconds: bigint): StateText {
    const { seconds: before, blocks } = this.#time.at(state)
    const elapsed = { seconds: before + seconds, blocks: blocks + 1n }
    const value = this.#time.numberOf(`${elapsed.seconds} ${elapsed.blocks}`, elapsed)
    return this.after(state, { writes: [{ column: this.#time.index, value }], cleared: [] })
  }

  account(address: Address): AccountValue {
    const { account } = this.#of(address)
    this.#note(account)
    const value = account.at(this.#state)
    if (value.code.length > 0 && readsTime(value.code)) this.#note(this.#time)
    return value
  }

  storage(address: Address, slot: bigint): bigint {
    const columns = this.#of(address)
    const column = this.#slot(columns, address, slot)
    this.#note(column)
    return column.at(this.#state) ?? this.#unwritten(columns, address, slot)
  }

  /** Returns the effect of a run with `changes` on the state at `begin`. */
  effect(changes: Iterable<AccountChange>): Effect {
    const writes: Write[] = []
    const cleared: Address[] = []
    for (const change of changes) {
      const columns = this.#of(change.address)
      const isCleared = change.deleted === true || change.storageCleared === true
      if (isCleared) cleared.push(change.address)
      const now = columns.account.at(this.#state)
      let isAllCleared = now.isCleared
      if (
        isCleared ||
        change.nonce !== undefined ||
        change.balance !== undefined ||
        change.code !== undefined
      ) {
        const after = accountAfter(now, change, isCleared && columns.account.at(START).exists)
        isAllCleared = after.isCleared
        const value = columns.account.numberOf(accountKey(after), after)
        writes.push({ column: columns.account.index, value })
      }
      for (const [slot, value] of change.storage ?? []) {
        const column = this.#slot(columns, change.address, slot)
        const isFirst = value === (isAllCleared ? 0n : this.#start.storage(change.address, slot))
        writes.push({ column: column.index, value: isFirst ? 0 : column.numberOf(value, value) })
      }
    }
    return { writes, cleared }
  }

  after(state: StateText, { writes, cleared }: Effect): StateText {
    const numbers: number[] = []
    for (let i = 0; i < state.length; i++) numbers.push(state.charCodeAt(i))
    for (const address of cleared) {
      for (const { index } of this.#of(address).slots.values()) if (index < numbers.length) numbers[index] = 0
    }
    for (const { column, value } of writes) {
      while (numbers.length <= column) numbers.push(0)
      numbers[column] = value
    }
    while (numbers.length > 0 && numbers.at(-1) === 0) numbers.pop()
    return String.fromCharCode(...numbers)
  }

  #of(address: Address): AccountColumns {
    let columns = this.#accounts.get(address)
    if (columns === undefined) {
      const first = this.#start.account(address)
      const value =
        first === undefined
          ? ABSENT
          : { ...pick(first), exists: true, code: this.#start.code(address), isCleared: false }
      const account = this.#column(value, accountKey(value))
      columns = { account, slots: new Map() }
      this.#accounts.set(address, columns)
    }
    return columns
  }

  #slot({ slots }: AccountColumns, address: Address, slot: bigint): Column<bigint | undefined> {
    let column = slots.get(slot)
    if (column === undefined) {
      // Throws `NotFetched` on a fork before the column exists, so that the run begins again.
      this.#start.storage(address, slot)
      column = this.#column<bigint | undefined>(undefined)
      slots.set(slot, column)
    }
    return column
  }

  #column<T>(first: T, key?: string): Column<T> {
    return new Column(this.#columns++, first, key)
  }

  #unwritten({ account }: AccountColumns, address: Address, slot: bigint): bigint {
    return account.at(this.#state).isCleared ? 0n : this.#start.storage(address, slot)
  }

  #note(column: Column<unknown>): void {
    if (column.lastRun === this.#run) return
    column.lastRun = this.#run
    this.#read.push(column.index)
  }
}

class StateSpaceView implements StateView {
  readonly #space: StateSpace
  readonly #start: StateView

  constructor(space: StateSpace, start: StateView) {
    this.#space = space
    this.#start = start
  }

  get remote(): StateView['remote'] {
    return this.#start.remote
  }

  account(address: Address): Account | undefined {
    const account = this.#space.account(address)
    return account.exists ? account : undefined
  }

  code(address: Address): Uint8Array {
    return this.#space.account(address).code
  }

  storage(address: Address, slot: bigint): bigint {
    return this.#space.storage(address, slot)
  }

  hasStorage(address: Address): boolean {
    const { exists, code, isCleared } = this.#space.account(address)
    // Code may write slots. An engine does not ask for the slots of an account that has none.
    if (code.length > 0) return true
    return exists && !isCleared && this.#start.hasStorage(address)
  }
}

function pick({ nonce, balance, codeHash }: Account): Account {
  return { nonce, balance, codeHash }
}

function accountAfter(now: AccountValue, change: AccountChange, isCleared: boolean): AccountValue {
  const before = change.deleted ? ABSENT : now
  const { nonce = before.nonce, balance = before.balance, code = before.code } = change
  return {
    // An empty account does not exist (EIP-161): the sender of a first call must not make a new state.
    exists: nonce !== 0n || balance !== 0n || code.length > 0,
    nonce,
    balance,
    code,
    codeHash: code === before.code ? before.codeHash : hashOf(code),
    isCleared: isCleared || now.isCleared,
  }
}

const TIME_OPCODES: ReadonlySet<number> = new Set([OP.BLOCKHASH, OP.TIMESTAMP, OP.NUMBER])

/** Whether code may read the time or the number of its block. Metadata after the code counts as code. */
const readsTime: (code: Uint8Array) => boolean = oncePer((code: Uint8Array) => {
  for (let pc = 0; pc < code.length; pc += 1 + pushedBytes(code[pc]!)) {
    if (TIME_OPCODES.has(code[pc]!)) return true
  }
  return false
})

function hashOf(code: Uint8Array): Uint8Array {
  return code.length === 0 ? EMPTY_CODE_HASH : keccak256(code)
}

function accountKey({ exists, nonce, balance, codeHash, isCleared }: AccountValue): string {
  const code = codeHash === EMPTY_CODE_HASH ? '' : String.fromCharCode(...codeHash)
  return `${exists} ${nonce} ${balance} ${isCleared} ${code}`
}
