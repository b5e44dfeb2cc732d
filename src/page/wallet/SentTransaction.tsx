/** A transaction that was sent here, followed until it is sealed or dropped. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { StackTrace } from '../parts/Failure.tsx'
import { TransactionLink } from '../parts/links.tsx'
import { type State, StateBadge } from '../parts/StateBadge.tsx'
import { Text } from '../parts/Text.tsx'
import type { StackTraceAnswer } from '../source/answers.ts'
import { source } from '../source/index.ts'

/** The answer of `preseal_explain`. */
interface Explained {
  readonly status: 'waiting' | 'preconfirmed' | 'sealed' | 'dropped' | 'unknown'
  readonly reason: string
  /** Why it failed, if it was included and did. */
  readonly failure?: string
  readonly stackTrace?: StackTraceAnswer
}

const OFTEN_MS = 400

const STATES: Readonly<Record<Explained['status'], State>> = {
  waiting: 'waiting',
  preconfirmed: 'preconfirmed',
  sealed: 'sealed',
  dropped: 'dropped',
  unknown: 'accepted',
}

export function SentTransaction({ hash }: { hash: string }) {
  const explained = useSignal<Explained | undefined>(undefined)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    async function ask() {
      const answer = await source()
        .request<Explained>('preseal_explain', [hash])
        .catch(() => undefined)
      if (isOver) return
      if (answer !== undefined) explained.value = answer
      // A transaction of a wallet may be on its way to the devnet: it is not known at first.
      if (answer?.status !== 'sealed' && answer?.status !== 'dropped') timer = setTimeout(ask, OFTEN_MS)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [hash])
  const { status = 'unknown', reason, failure, stackTrace } = explained.value ?? {}
  return (
    <div class="sent" role="status">
      <TransactionLink hash={hash} /> <StateBadge state={STATES[status]} />{' '}
      {failure !== undefined && <StateBadge state="failed" />}{' '}
      <span class="quiet">{status !== 'unknown' && <Text limit={500}>{failure ?? reason ?? ''}</Text>}</span>
      {stackTrace && <StackTrace trace={stackTrace} />}
    </div>
  )
}
