// Readings: the decoded instructions of code, and a table of its decoded JUMPDESTs by position. A part of the code is
// decoded when it is first run (`decoding.ts`). All readings together are bounded: above the limit, the readings of the
// codes that were not used for longest are dropped, also if open frames wait for a call in them.
//
// A chunk holds instructions from its start on, and their constants, 32 bytes each, from its end on.
import {
  CODE_FAST, CODE_NEWER, CODE_OLDER, CODE_RAW, CODE_RULES, FRAME, FRAME_CODE, FRAME_IP, FRAME_RESUMPTION,
  FRAME_SIZE, FRAMES, READING_CELLS, READING_CHUNK, READING_COUNT, READING_MASK, READING_PLACE,
  READING_ROOM_END, READING_SIZE,
} from '../layout'
import { emit } from './decodeRaw'
import { OP_BLOCK, OP_COUNTED_BLOCK, OP_NEXT } from './generated'
import { allocate, release, roomFor } from './heap'
import { reportHitsOf } from './hits'
import { put } from './words'

/**
 * Limit of all readings, in bytes: the instructions that some thousand contracts run. It is exceeded by one chunk and
 * one table of JUMPDESTs at most.
 */
const MOST_BYTES: u32 = 32 * 1024 * 1024
/** The bytes that are left after readings were dropped. */
const BYTES_LEFT: u32 = 24 * 1024 * 1024

/** u32: the size of a chunk, pointers to the previous chunk and to the end of the instructions. */
export const CHUNK_BEFORE = 4
export const CHUNK_END = 8
export const CHUNK_HEAD = 16
/** The first chunk has this size, or less for short code. Each later one is twice as large, up to `LARGEST_CHUNK`. */
const FIRST_CHUNK: u32 = 4096
export const LARGEST_CHUNK: u32 = 32 * 1024
/** Decoding starts a new chunk if the last one has less room: where a loop is cut, each round jumps once more. */
const LEAST_ROOM: usize = 1024
const FIRST_CELLS: u32 = 32

/** The constants from 0 to 255, as words. */
export const SMALL_CONSTANTS: usize = memory.data(256 * 32, 16)

let bytes: u32 = 0
let newest: usize = 0
let oldest: usize = 0
/** How often readings were dropped. Pointers to instructions are valid while this number stays the same. */
export let drops: u32 = 0

export function startReadings(): void {
  for (let i: usize = 0; i < 256; i++) put(SMALL_CONSTANTS + (i << 5), i)
}

function take(size: u32): usize {
  const block = allocate(size)
  bytes += roomFor(size)
  return block
}

function giveBack(block: usize, size: u32): void {
  release(block, size)
  bytes -= roomFor(size)
}

export function newReading(): usize {
  const reading = take(READING_SIZE)
  memory.fill(reading, 0, READING_SIZE)
  takeCells(reading, FIRST_CELLS)
  return reading
}

function takeCells(reading: usize, count: u32): void {
  const cells = take(count << 3)
  memory.fill(cells, 0, count << 3)
  store<u32>(reading, cells, READING_CELLS)
  store<u32>(reading, count - 1, READING_MASK)
}

export function releaseReading(reading: usize): void {
  let chunk = <usize>load<u32>(reading, READING_CHUNK)
  while (chunk != 0) {
    const before = load<u32>(chunk, CHUNK_BEFORE)
    giveBack(chunk, load<u32>(chunk))
    chunk = before
  }
  giveBack(load<u32>(reading, READING_CELLS), (load<u32>(reading, READING_MASK) + 1) << 3)
  giveBack(reading, READING_SIZE)
}

/** Makes room for the start of a decoded part of a code of `length` bytes. */
export function openChunk(reading: usize, length: u32): void {
  const last = <usize>load<u32>(reading, READING_CHUNK)
  if (last == 0) addChunk(reading, length < 128 ? FIRST_CHUNK >> 1 : FIRST_CHUNK)
  else if (load<u32>(reading, READING_ROOM_END) - load<u32>(reading, READING_PLACE) < LEAST_ROOM) {
    addChunk(reading, min(load<u32>(last) << 1, LARGEST_CHUNK))
  }
}

export function addChunk(reading: usize, size: u32): void {
  const chunk = take(size)
  store<u32>(chunk, size)
  store<u32>(chunk, load<u32>(reading, READING_CHUNK), CHUNK_BEFORE)
  store<u32>(chunk, chunk + CHUNK_HEAD, CHUNK_END)
  store<u32>(reading, chunk, READING_CHUNK)
  store<u32>(reading, chunk + CHUNK_HEAD, READING_PLACE)
  store<u32>(reading, chunk + size, READING_ROOM_END)
}

/** Stores the unused part of the last chunk, after a part of the code was decoded. */
export function closeChunk(reading: usize, place: usize, roomEnd: usize): void {
  store<u32>(load<u32>(reading, READING_CHUNK), place, CHUNK_END)
  store<u32>(reading, place, READING_PLACE)
  store<u32>(reading, roomEnd, READING_ROOM_END)
}

/** Returns a pointer to the decoded JUMPDEST at position `pc`; 0 if not decoded. A cell: u32 position, u32 pointer. */
export function findCell(cells: usize, mask: u32, pc: u64): usize {
  let at = <u32>pc & mask
  while (true) {
    const cell = load<u64>(cells + (<usize>at << 3))
    if (cell == 0) return 0
    if ((cell & 0xffffffff) == pc) return <usize>(cell >> 32)
    at = (at + 1) & mask
  }
}

export function destinationAt(reading: usize, pc: u32): usize {
  return findCell(load<u32>(reading, READING_CELLS), load<u32>(reading, READING_MASK), pc)
}

/** Adds the JUMPDEST at position `pc`, whose first instruction is `place`. At most a quarter of the cells is in use. */
export function addDestination(reading: usize, pc: u32, place: usize): void {
  const count = load<u32>(reading, READING_COUNT) + 1
  store<u32>(reading, count, READING_COUNT)
  if (count << 2 > load<u32>(reading, READING_MASK)) growCells(reading)
  addCell(reading, (<u64>place << 32) | pc)
}

function addCell(reading: usize, cell: u64): void {
  const cells = <usize>load<u32>(reading, READING_CELLS)
  const mask = load<u32>(reading, READING_MASK)
  let at = <u32>cell & mask
  while (load<u64>(cells + (<usize>at << 3)) != 0) at = (at + 1) & mask
  store<u64>(cells + (<usize>at << 3), cell)
}

function growCells(reading: usize): void {
  const old = <usize>load<u32>(reading, READING_CELLS)
  const size = (load<u32>(reading, READING_MASK) + 1) << 3
  takeCells(reading, size >> 2)
  for (let at: u32 = 0; at < size; at += 8) {
    const cell = load<u64>(old + at)
    if (cell != 0) addCell(reading, cell)
  }
  giveBack(old, size)
}

/** Notes that `code`, which has a reading, is used now. */
export function use(code: usize): void {
  if (code == newest) return
  unlink(code)
  store<u32>(code, newest, CODE_OLDER)
  if (newest != 0) store<u32>(newest, code, CODE_NEWER)
  else oldest = code
  newest = code
}

function unlink(code: usize): void {
  const older = <usize>load<u32>(code, CODE_OLDER)
  const newer = <usize>load<u32>(code, CODE_NEWER)
  if (older != 0) store<u32>(older, newer, CODE_NEWER)
  else if (oldest == code) oldest = newer
  if (newer != 0) store<u32>(newer, older, CODE_OLDER)
  else if (newest == code) newest = older
  store<u32>(code, 0, CODE_OLDER)
  store<u32>(code, 0, CODE_NEWER)
}

export function releaseReadings(code: usize): void {
  reportHitsOf(code)
  unlink(code)
  const fast = <usize>load<u32>(code, CODE_FAST)
  const raw = <usize>load<u32>(code, CODE_RAW)
  store<u32>(code, 0, CODE_FAST)
  store<u32>(code, 0, CODE_RAW)
  store<u32>(code, 0, CODE_RULES)
  if (fast != 0) releaseReading(fast)
  if (raw != 0) releaseReading(raw)
}

/** Drops readings if their limit is exceeded. The open frame must not need its instruction any more. */
export function limitReadings(): void {
  if (bytes <= MOST_BYTES) return
  while (bytes > BYTES_LEFT && oldest != 0) {
    suspendFrames(oldest)
    releaseReadings(oldest)
  }
  drops++
}

/** Makes the frames that wait for a call in `code` continue at their position in the code. */
function suspendFrames(code: usize): void {
  const open = <usize>load<u32>(FRAME)
  for (let frame = <usize>load<u32>(FRAMES); frame < open; frame += FRAME_SIZE) {
    if (load<u32>(frame, FRAME_CODE) != code) continue
    emit(frame + FRAME_RESUMPTION, OP_NEXT, 0, positionOf(load<u32>(frame, FRAME_IP)), 0)
    store<u32>(frame, frame + FRAME_RESUMPTION, FRAME_IP)
  }
}

/** Returns the position of an instruction after a call, which starts a basic block or leads to another part. */
function positionOf(ip: usize): u32 {
  return isBlock(ip) ? load<u32>(ip, 8) : load<u32>(ip, 4)
}

@inline
export function isBlock(ip: usize): bool {
  const operation = <u32>load<u16>(ip)
  return operation == OP_BLOCK || operation == OP_COUNTED_BLOCK
}
