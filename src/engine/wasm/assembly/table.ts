// Hash tables whose entries keep their addresses. An index with open addressing stores these addresses, and is less
// than half full. A larger index is filled in small steps, one per added entry, so that no addition takes long.
import { hashOfEntry } from './accounts'
import { allocate, release } from './heap'

/** u32: pointer to the index, and the size of the index in bytes minus 4. */
export const CELLS = 0
export const MASK = 4
export const COUNT = 8
/** u32: pointer to the previous index, and its size in bytes minus 4. The pointer is 0 when all cells were copied. */
export const OLD = 12
export const OLD_MASK = 16
/** u32: the number of bytes of the previous index that were copied to the current index. */
const MOVED = 20
/** u32: pointer to the next index while it is being cleared, otherwise 0; and the number of its cleared bytes. */
const NEXT = 24
const CLEARED = 28
/** u32: pointer to the last chunk, and its next free offset. Each chunk begins with a pointer to the previous one. */
const CHUNK = 32
const PLACE = 36
export const TABLE_SIZE = 40

const CHUNK_BYTES: u32 = 32 * 1024

const FIRST_BYTES: u32 = 4096
/** Bytes of the next index to clear, and bytes of the previous index to copy, each time an entry is added. */
const CLEARS: u32 = 128
const MOVES: u32 = 32

export function emptyTable(table: usize): void {
  let chunk = <usize>load<u32>(table, CHUNK)
  while (chunk != 0) {
    const before = load<u32>(chunk)
    release(chunk, CHUNK_BYTES)
    chunk = before
  }
  store<u32>(table, 0, CHUNK)
  store<u32>(table, CHUNK_BYTES, PLACE)
  const mask = load<u32>(table, MASK)
  if (load<u32>(table, CELLS) != 0) release(load<u32>(table, CELLS), mask + 4)
  if (load<u32>(table, OLD) != 0) release(load<u32>(table, OLD), load<u32>(table, OLD_MASK) + 4)
  if (load<u32>(table, NEXT) != 0) release(load<u32>(table, NEXT), (mask + 4) << 1)
  const cells = allocate(FIRST_BYTES)
  memory.fill(cells, 0, FIRST_BYTES)
  store<u32>(table, <u32>cells, CELLS)
  store<u32>(table, FIRST_BYTES - 4, MASK)
  store<u32>(table, 0, COUNT)
  store<u32>(table, 0, OLD)
  store<u32>(table, 0, NEXT)
}

/** Returns memory for a new entry of `size` bytes. The caller adds the entry to the index. */
export function newEntry(table: usize, size: u32): usize {
  let place = load<u32>(table, PLACE)
  if (place + size > CHUNK_BYTES) {
    const chunk = allocate(CHUNK_BYTES)
    store<u32>(chunk, load<u32>(table, CHUNK))
    store<u32>(table, chunk, CHUNK)
    place = 64
  }
  store<u32>(table, place + size, PLACE)
  return <usize>load<u32>(table, CHUNK) + place
}

export function addEntry(table: usize, at: u32, entry: usize): void {
  store<u32>(<usize>load<u32>(table, CELLS) + at, <u32>entry)
  const count = load<u32>(table, COUNT) + 1
  store<u32>(table, count, COUNT)
  const mask = load<u32>(table, MASK)
  if (load<u32>(table, OLD) != 0) moveSome(table)
  else if (load<u32>(table, NEXT) != 0) clearSome(table)
  else if (count << 3 > mask - (mask >> 2)) {
    // The index is three eighths full now, and seven sixteenths full once the next index is cleared.
    store<u32>(table, <u32>allocate((mask + 4) << 1), NEXT)
    store<u32>(table, 0, CLEARED)
  }
}

/** Clears a part of the next index. When completely cleared, the next index becomes the current one. */
function clearSome(table: usize): void {
  const next = <usize>load<u32>(table, NEXT)
  const begin = load<u32>(table, CLEARED)
  const end = begin + CLEARS
  for (let i = begin; i < end; i += 16) v128.store(next + i, i64x2.splat(0))
  store<u32>(table, end, CLEARED)
  const mask = load<u32>(table, MASK)
  const size = (mask + 4) << 1
  if (end < size) return
  store<u32>(table, load<u32>(table, CELLS), OLD)
  store<u32>(table, mask, OLD_MASK)
  store<u32>(table, 0, MOVED)
  store<u32>(table, <u32>next, CELLS)
  store<u32>(table, size - 4, MASK)
  store<u32>(table, 0, NEXT)
}

function moveSome(table: usize): void {
  const old = <usize>load<u32>(table, OLD)
  const cells = <usize>load<u32>(table, CELLS)
  const mask = load<u32>(table, MASK)
  const begin = load<u32>(table, MOVED)
  const end = begin + MOVES
  for (let from = begin; from < end; from += 4) {
    const entry = <usize>load<u32>(old + from)
    if (entry == 0) continue
    let at = (hashOfEntry(table, entry) << 2) & mask
    while (load<u32>(cells + at) != 0) at = (at + 4) & mask
    store<u32>(cells + at, <u32>entry)
  }
  store<u32>(table, end, MOVED)
  const size = load<u32>(table, OLD_MASK) + 4
  if (end < size) return
  release(old, size)
  store<u32>(table, 0, OLD)
}
