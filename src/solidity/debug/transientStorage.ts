/** What transient storage holds during one run: it begins empty, and what failed calls wrote is undone. */
import type { Address } from '../../bytes/hex.ts'

export class TransientStorage {
  readonly #words = new Map<string, bigint>()
  /** What was there before each write, the last at the end. */
  readonly #undo: { readonly key: string; readonly before: bigint }[] = []

  /** The number of writes, for `revertTo`. */
  get mark(): number {
    return this.#undo.length
  }

  read(address: Address, slot: bigint): bigint {
    return this.#words.get(keyOf(address, slot)) ?? 0n
  }

  write(address: Address, slot: bigint, value: bigint): void {
    const key = keyOf(address, slot)
    this.#undo.push({ key, before: this.#words.get(key) ?? 0n })
    this.#words.set(key, value)
  }

  /** Undoes all writes after `mark`. */
  revertTo(mark: number): void {
    while (this.#undo.length > mark) {
      const { key, before } = this.#undo.pop()!
      this.#words.set(key, before)
    }
  }
}

function keyOf(address: Address, slot: bigint): string {
  return `${address} ${slot}`
}
