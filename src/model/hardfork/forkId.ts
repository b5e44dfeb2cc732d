/**
 * The fork id, by which nodes distinguish chains and their hardforks (EIP-2124, and EIP-6122 for hardforks by time).
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { fromHex, type Hex, toWord } from '../../bytes/hex.ts'
import type { Block } from '../block/block.ts'
import type { BlockPosition, ForkSchedule } from './forkSchedule.ts'

/** Returns `FORK_HASH`: the checksum of block 0 and of the beginnings of all hardforks active at `position`. */
export function forkHash({ forks, config }: ForkSchedule, origin: Block, position: BlockPosition): Hex {
  const blocks = forks.flatMap(({ activation }) => (activation.kind === 'block' ? [activation.number] : []))
  const times = forks.flatMap(({ activation }) => (activation.kind === 'time' ? [activation.timestamp] : []))
  const starts = [
    ...between(0n, position.number, [...blocks, config.dao?.block ?? 0n, config.mergeNetsplitBlock ?? 0n]),
    ...between(origin.header.timestamp, position.timestamp, times),
  ].map((start) => toWord(start).subarray(24))
  const checksum = crc32(concatBytes(fromHex(origin.hash), ...starts))
  return `0x${checksum.toString(16).padStart(8, '0')}`
}

/** Returns the distinct beginnings in ascending order. Hardforks active from block 0 on are covered by its hash. */
function between(beginning: bigint, now: bigint, starts: readonly bigint[]): bigint[] {
  const begun = starts.filter((start) => start > beginning && start <= now)
  return [...new Set(begun)].sort((a, b) => (a < b ? -1 : 1))
}

/** IEEE CRC-32. */
function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : 0xedb88320)
  }
  return ~crc >>> 0
}
