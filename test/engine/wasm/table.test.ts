/** The tables of accounts and slots: the work of an addition does not grow with them. */
import { expect, it } from 'vitest'
import { EXCHANGE } from '../../../src/engine/wasm/layout.ts'
import { type Exports, engineModule, instantiate } from '../../../src/engine/wasm/module.ts'

const nothing = () => {}
const exports: Exports = instantiate(engineModule(), {
  loadAccount: (account) => exports.accountLoaded(account, 0, true),
  codeLength: () => 0,
  takeCode: nothing,
  loadSlot: nothing,
  blockHash: nothing,
  callConsole: nothing,
  enter: nothing,
  exit: nothing,
  step: nothing,
  destroyed: nothing,
  hitsOf: nothing,
  hit: nothing,
  outOfMemory() {
    throw new Error('out of memory')
  },
})
exports.initialize()

const PAGE = 4096
const bytes = () => Buffer.from(exports.memory.buffer)

/** Returns the number of bytes in which two memories differ. */
function differing(one: Buffer, other: Buffer): number {
  let count = 0
  for (let page = 0; page < other.length; page += PAGE) {
    if (one.compare(other, page, page + PAGE, page, page + PAGE) === 0) continue
    for (let i = page; i < page + PAGE; i++) if (one[i] !== other[i]) count++
  }
  return count
}

it.each([
  ['accounts', () => exports.account()],
  ['slots', () => exports.slot(CONTRACT)],
] as const)(
  '%s: one that is added writes some hundred bytes, however many there are, and none is lost',
  (_, find) => {
    // Blocks that were used before have to be cleared: it must show if they are.
    bytes().fill(0x5a, 1024 * 1024)
    const placeOf = (i: number) => {
      bytes()
        .fill(0, EXCHANGE, EXCHANGE + 32)
        .writeUInt32LE(i, EXCHANGE)
      return find()
    }
    const before = Buffer.alloc(64 * 1024 * 1024)
    const places: number[] = []
    let most = 0
    for (let i = 1; i <= 4_000; i++) {
      bytes().copy(before)
      places.push(placeOf(i))
      most = Math.max(most, differing(before, bytes()))
    }
    expect(most).toBeLessThan(600)
    expect(new Set(places).size).toBe(places.length)
    expect(places.map((_, i) => placeOf(i + 1))).toEqual(places)
  },
)

const CONTRACT = exports.account()
