/** Snapshots that were taken on this page, and the way back to them. */
import { signal } from '@preact/signals'
import { source } from '../../source/index.ts'
import { Action } from './Action.tsx'

interface Snapshot {
  readonly id: string
  readonly block: number
}

/** Those of this tab; other clients have their own. */
const taken = signal<readonly Snapshot[]>([])

export function SnapshotControls() {
  return (
    <Action
      title="Snapshots"
      hint="keeps the chain as it is; restoring one removes those that were taken later"
      button="take a snapshot"
      run={async () => {
        const [id, block] = await Promise.all([
          source().request<string>('evm_snapshot'),
          source().request<string>('eth_blockNumber'),
        ])
        taken.value = [...taken.value, { id, block: Number(block) }]
        return `snapshot ${Number(id)} of block ${Number(block)}`
      }}
    >
      {taken.value.length > 0 && (
        <ul class="plain-list">
          {taken.value.map((snapshot) => (
            <li key={snapshot.id}>
              snapshot {Number(snapshot.id)}, block {snapshot.block}{' '}
              <button type="button" onClick={() => void restore(snapshot)}>
                restore
              </button>
            </li>
          ))}
        </ul>
      )}
    </Action>
  )
}

async function restore({ id }: Snapshot): Promise<void> {
  await source().request('evm_revert', [id])
  // It can be used once, and those that were taken later are gone with what came after it.
  const place = taken.value.findIndex((snapshot) => snapshot.id === id)
  taken.value = taken.value.slice(0, place)
}
