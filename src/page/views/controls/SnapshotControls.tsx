/** The snapshots of the chain, whoever took them, and the way back to each. */
import { useSignal } from '@preact/signals'
import { changesAt } from '../../live/changes.ts'
import { useFollowed } from '../../live/head.ts'
import { momentOf } from '../../moment.ts'
import { announce } from '../../parts/Announcer.tsx'
import { Answer, Problem } from '../../parts/Answer.tsx'
import { focusHeading } from '../../parts/focus.ts'
import { source } from '../../source/socketSource.ts'
import { Action } from './Action.tsx'

/** The answer of `anvil_metadata`, as far as it is shown: by id, the number and the hash of the newest block of then. */
interface Metadata {
  readonly snapshots: Readonly<Record<string, readonly [block: number, hash: string]>>
}

const LATEST = momentOf('latest')!

export function SnapshotControls() {
  const asks = useSignal(0)
  const problem = useSignal<Error | undefined>(undefined)
  const metadata = useFollowed(
    () => source().request<Metadata>('anvil_metadata'),
    [],
    asks.value + changesAt(LATEST),
  )
  async function restore(id: string, button: Element): Promise<void> {
    problem.value = undefined
    try {
      if (!(await source().request<boolean>('evm_revert', [id]))) {
        throw new Error(`snapshot ${Number(id)} is not there any more`)
      }
      announce(`snapshot ${Number(id)} is restored`)
    } catch (error) {
      problem.value = error as Error
    }
    focusHeading(button)
    asks.value++
  }
  return (
    <Action
      title="Snapshots"
      hint="keeps the chain as it is; restoring one uses it up, with those that were taken later"
      button="take a snapshot"
      run={async () => {
        const id = await source().request<string>('evm_snapshot')
        asks.value++
        return `snapshot ${Number(id)} is taken`
      }}
    >
      <Answer asked={metadata.value}>
        {({ snapshots }) =>
          Object.keys(snapshots).length > 0 && (
            <ul class="plain-list">
              {Object.entries(snapshots).map(([id, [block]]) => (
                <li key={id} class="action-item">
                  snapshot {Number(id)}, block {block}
                  <button
                    type="button"
                    aria-label={`restore snapshot ${Number(id)}`}
                    onClick={({ currentTarget }) => void restore(id, currentTarget)}
                  >
                    restore
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {problem.value !== undefined && <Problem error={problem.value} />}
    </Action>
  )
}
