/** What a run changed in snapshots of gas: told at the end of the run by the gas reporter. */
import { differenceBetween, written } from './gasNumbers.ts'

/** An entry that was written, updated or removed. Gas is written in decimal, as JSON has no bigint. */
export interface SnapshotChange {
  readonly name: string
  /** Absent if the entry is new. */
  readonly before?: string | undefined
  /** Absent if the entry was removed. */
  readonly now?: string | undefined
}

/** Returns lines about the changes of each file, by its path; an empty text if there are none. */
export function changesText(
  files: Iterable<readonly [path: string, changes: readonly SnapshotChange[]]>,
): string {
  const lines = [...files].flatMap(([path, changes]) =>
    changes.length === 0 ? [] : [path, ...changes.map((change) => `  ${described(change)}`)],
  )
  return lines.length === 0 ? '' : ['Snapshots of gas', ...lines].join('\n')
}

function described({ name, before, now }: SnapshotChange): string {
  if (now === undefined) return `removed  ${name}`
  const gas = written(BigInt(now))
  if (before === undefined) return `written  ${name}: ${gas}`
  return `updated  ${name}: ${written(BigInt(before))} -> ${gas}, ${differenceBetween(BigInt(before), BigInt(now))}`
}
