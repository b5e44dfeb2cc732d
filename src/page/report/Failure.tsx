/** The failed test of a report: what failed, where in the test and in Solidity, and what the test did before. */
import { useId } from 'preact/hooks'
import type { FailureError, FailureFrame, RevertedRun, TestFailure } from '../../reports/tests/testFailure.ts'
import { codecsFor, useContracts } from '../decode/contracts.ts'
import { loaded, useLoad } from '../live/load.ts'
import { hrefOf, route, useKept } from '../navigation.ts'
import { StateBadge, TransactionLink } from '../parts/chain.tsx'
import { Copy } from '../parts/controls.tsx'
import { Method } from '../parts/Decoded.tsx'
import { Reason } from '../parts/Failure.tsx'
import { SourceLines } from '../parts/SourceText.tsx'
import { More } from '../parts/Tabs.tsx'
import { Account, Text } from '../parts/Value.tsx'
import { callTrace, type Explained, request } from '../source/source.ts'
import { isNarrow } from '../theme.ts'
import { Calls } from '../views/transaction/Calls.tsx'
import { type SentTransaction, sessionStory } from './Session.tsx'
import './failure.css'

/** Returns the failure that the report contains; `undefined` in a report of a session without a test. */
export function failureHere(): TestFailure | undefined {
  const json = document.getElementById('failure')?.textContent ?? ''
  return json === '' ? undefined : (JSON.parse(json) as TestFailure)
}

/** Shows the failure in the view *Now*, and a link to this view in all other views. */
export function TestFailed({ failure }: { failure: TestFailure }) {
  const id = useId()
  const { test, errors, reverted } = failure
  if (route.value.view !== 'now')
    return (
      <section class="failed-test" aria-label="failed test">
        <p>
          <a href={hrefOf({ view: 'now' })}>
            <Text limit={200}>{test}</Text> failed
          </a>
        </p>
      </section>
    )
  return (
    <section class="failed-test" aria-labelledby={id}>
      <h2 id={id}>
        <Text limit={300}>{test}</Text> failed
      </h2>
      {errors.map((error, i) => (
        <ErrorOfTest
          key={i}
          number={i + 1}
          error={error}
          file={failure.file}
          reverted={i === 0 ? reverted : undefined}
        />
      ))}
      <Story
        title={
          errors.some(({ story }) => story !== undefined) ? 'The story on its chain' : 'What the test did'
        }
        cause={reverted?.isCause ? reverted : undefined}
      />
    </section>
  )
}

const MOST_LETTERS = 20_000

interface ErrorProps {
  /** The number of the error among the errors of the test, from 1. */
  number: number
  error: FailureError
  file: string
  reverted: RevertedRun | undefined
}

function ErrorOfTest({ number, error, file, reverted }: ErrorProps) {
  const { name, message, diff, story, test, solidity } = error
  const isOther = solidity.length === 0 && reverted?.isCause === false
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable. */}
      <section class="problem failed-message" tabIndex={0} aria-label={`error ${number}`}>
        <strong>{name}</strong> <Text limit={MOST_LETTERS}>{story?.failed ?? message}</Text>
      </section>
      <div class="failed-places">
        {story && <FoundSteps story={story} />}
        <Frames title="In the test" frames={test} opened={test.find((frame) => frame.file === file)} />
        <Frames
          title={isOther ? 'In Solidity: the last run that failed, before the test did' : 'In Solidity'}
          frames={solidity.length > 0 ? solidity : (reverted?.solidity ?? [])}
        />
      </div>
      {diff !== undefined && <Difference text={diff} label={`difference of error ${number}`} />}
    </>
  )
}

/** Shows the story that an exploration found: its steps, what was covered, and the code that plays it again. */
function FoundSteps({ story: { steps, notes, code } }: { story: NonNullable<FailureError['story']> }) {
  return (
    <div class="failed-steps">
      <h3>The shortest story that was found</h3>
      <ol>
        {steps.map((step, i) => (
          <li key={i}>
            <Text limit={MOST_LETTERS}>{step}</Text>
          </li>
        ))}
      </ol>
      {notes.map((note, i) => (
        <p key={i}>
          <Text limit={MOST_LETTERS}>{note}</Text>
        </p>
      ))}
      {code !== '' && (
        <>
          <h3>
            Play it again <Copy text={code} what="the code" />
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable. */}
          <pre tabIndex={0}>
            <Text limit={MOST_LETTERS}>{code}</Text>
          </pre>
        </>
      )}
    </div>
  )
}

/** Shows the lines of a difference, coloured by their first character. */
function Difference({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable.
    <section class="failed-difference" tabIndex={0} aria-label={label}>
      {text.split('\n').map((line, i) => (
        <div
          key={i}
          class={line[0] === '-' ? 'failed-expected' : line[0] === '+' ? 'failed-received' : undefined}
        >
          <Text limit={MOST_LETTERS}>{line === '' ? ' ' : line}</Text>
        </div>
      ))}
    </section>
  )
}

interface FramesProps {
  title: string
  frames: readonly FailureFrame[]
  /** The frame whose code is shown at first. By default the innermost. */
  opened?: FailureFrame | undefined
}

function Frames({ title, frames, opened = frames[0] }: FramesProps) {
  if (frames.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ol class="failed-frames">
        {frames.map((frame, i) => (
          <li key={i}>
            <Frame frame={frame} isOpen={frame === opened} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Frame({ frame, isOpen }: { frame: FailureFrame; isOpen: boolean }) {
  const { function: name = '', file, line, column, excerpt } = frame
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const title = <Text>{`${name} ${place}`.trim()}</Text>
  if (excerpt === undefined || line === undefined) return title
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <SourceLines
        // Line feeds precede the excerpt, so that each line has the same number as in the file.
        text={'\n'.repeat(excerpt.firstLine - 1) + excerpt.text}
        mark={{ line }}
        around={isNarrow.value ? 1 : 3}
        label={place}
        follows={false}
      />
    </details>
  )
}

const FIRST_ROWS = 50

/** Lists what happened in the test, in order. The transaction or request that failed the test is open. */
function Story({ title, cause }: { title: string; cause: RevertedRun | undefined }) {
  const shown = useKept('story', FIRST_ROWS)
  const story = sessionStory.value
  if (story === undefined) return null
  const { transaction: failed, calls, method = '', message = '' } = cause ?? {}
  const opened = failed === undefined ? -1 : story.findIndex(({ sent }) => sent?.hash === failed)
  return (
    <>
      <h3>{title}</h3>
      <ol class="failed-story">
        {story.slice(0, Math.max(shown.value, opened + 1)).map(({ text, sent }, i) => (
          <li key={i}>
            {text} {sent && <Sent transaction={sent} isOpen={i === opened} />}
          </li>
        ))}
        {calls !== undefined && (
          <li>
            <StateBadge state="failed" /> <span class="id">{method}</span>{' '}
            <Text limit={2_000}>{message}</Text>
            <Calls root={calls} at="pending" first="failed" />
          </li>
        )}
      </ol>
      <More count={story.length} shown={shown} what="steps" />
    </>
  )
}

function Sent({ transaction, isOpen }: { transaction: SentTransaction; isOpen: boolean }) {
  const { hash, from, to, input } = transaction
  const explained = useLoad(() => request<Explained>('preseal_explain', [hash, false]), [hash])
  const calls = useLoad(() => (isOpen ? callTrace(hash) : Promise.resolve(undefined)), [hash, isOpen])
  const root = loaded(calls.value)
  const known = useContracts(to === null ? [from] : [from, to], 'pending')
  const { status = 'unknown', reason = '', failure } = loaded(explained.value) ?? {}
  return (
    <>
      <TransactionLink hash={hash} /> <Method to={to} input={input} codecs={codecsFor(to, known.value)} />{' '}
      <span class="quiet">from</span> <Account address={from} known={known.value} />{' '}
      {to !== null && (
        <>
          <span class="quiet">to</span> <Account address={to} known={known.value} />{' '}
        </>
      )}
      {status !== 'unknown' && <StateBadge state={failure === undefined ? status : 'failed'} />}{' '}
      {(status === 'dropped' || status === 'waiting') && <Reason>{reason}</Reason>}
      {failure !== undefined && <Text limit={600}>{failure}</Text>}
      {root && <Calls root={root} at="pending" first="failed" />}
    </>
  )
}
