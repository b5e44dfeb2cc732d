/** The storage of a contract at a moment: by the names of its variables where its layout is known. */
import type { Hex } from '../../../bytes/hex.ts'
import { useFollowed } from '../../live/head.ts'
import type { Moment } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { useKept } from '../../parts/kept.ts'
import { Pager } from '../../parts/Tabs.tsx'
import { Text } from '../../parts/Value.tsx'
import { source } from '../../source/socketSource.ts'
import { type KeyedVariable, StorageEntries, type StorageEntry, VariableForm } from './VariableForm.tsx'

/** The answer of `preseal_getStorage`. */
interface StoragePage {
  readonly contract: string | null
  readonly entries: readonly StorageEntry[]
  readonly keyed: readonly KeyedVariable[]
  readonly next: Hex | null
  readonly isPartial: boolean
}

const PAGE = 100

export function StorageTab({
  address,
  moment,
  changes,
}: {
  address: string
  moment: Moment
  changes: number
}) {
  /** The slots after which the pages begin. */
  const after = useKept<readonly Hex[]>('storage after', [])
  const last = after.value.at(-1)
  const asked = useFollowed(
    () =>
      source().request<StoragePage>('preseal_getStorage', [
        address,
        moment.block,
        { limit: PAGE, ...(last && { after: last }) },
      ]),
    [address, moment.text, last],
    changes,
  )
  return (
    <Answer asked={asked.value}>
      {(page) => (
        <>
          {page.isPartial && (
            <p class="quiet">
              The chain was forked from a network: slots that did not change here are read where a variable is
              there.
            </p>
          )}
          {page.contract !== null && (
            <p class="quiet">
              named by the storage layout of <Text limit={100}>{page.contract}</Text>
            </p>
          )}
          {page.keyed.length > 0 && (
            <VariableForm address={address} moment={moment} changes={changes} keyed={page.keyed} />
          )}
          {page.entries.length === 0 ? (
            <Nothing>all storage is zero</Nothing>
          ) : (
            <StorageEntries entries={page.entries} label="storage" />
          )}
          {(page.next !== null || after.value.length > 0) && (
            <Pager places={after} next={page.next} back="before" on="more" />
          )}
        </>
      )}
    </Answer>
  )
}
