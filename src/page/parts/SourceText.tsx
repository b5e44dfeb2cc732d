import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { visible } from '../format.ts'
import { changesAt, useLoad } from '../live/load.ts'
import { PAST } from '../moment.ts'
import { request } from '../source/source.ts'
import { Answer, Nothing } from './Answer.tsx'
import { Button } from './controls.tsx'
import { Text } from './Value.tsx'
import './sourceText.css'

/** A range in a source file. Lines and columns count from 1. `endColumn` is exclusive. */
interface Range {
  readonly line: number
  readonly column?: number | undefined
  readonly endLine?: number | undefined
  readonly endColumn?: number | undefined
}

export interface SourceAnswer {
  readonly path: string
  readonly text: string
  readonly isCut: boolean
}

const MOST_LETTERS = 400
/** Maximum number of lines shown, because more would slow down the browser. */
const MOST_LINES = 2_000

const files = new Map<string, Promise<SourceAnswer | null>>()

/** Resolves to a source file of the code at `address`. The result is cached until a reorg. */
export function sourceFile(address: string, path: string, at: string): Promise<SourceAnswer | null> {
  const key = `${changesAt(PAST)} ${at} ${address} ${path}`
  let file = files.get(key)
  if (file === undefined) {
    file = request<SourceAnswer | null>('preseal_getSource', [address, path, at])
    file.then(
      (found) => found === null && files.delete(key),
      () => files.delete(key),
    )
    files.set(key, file)
  }
  return file
}

interface SourceLinesProps {
  text: string
  mark: Range
  /** Number of lines shown before and after the marked line. Default: `MOST_LINES` in total. */
  around?: number
  label: string
  /** Whether to scroll to the marked line whenever it changes. */
  follows: boolean
}

export function SourceLines({ text, mark, around, label, follows }: SourceLinesProps) {
  const frame = useRef<HTMLElement>(null)
  const first = Math.max(1, mark.line - (around ?? MOST_LINES / 2))
  const last = around === undefined ? first + MOST_LINES : mark.line + around
  const lines = text.split('\n').slice(first - 1, last)
  useEffect(() => {
    if (!follows) return
    const line = frame.current?.querySelector<HTMLElement>('[data-marked]')
    if (line) frame.current!.scrollTop = line.offsetTop - frame.current!.clientHeight / 2
  }, [mark.line, text, follows])
  return (
    <section
      ref={frame}
      class={follows ? 'source-text source-text-following' : 'source-text'}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable.
      tabIndex={0}
    >
      {lines.map((text, i) => {
        const number = first + i
        const line = text.replace(/\r$/, '')
        const isFirst = number === mark.line
        const isMarked = number >= mark.line && number <= (mark.endLine ?? mark.line)
        return (
          <div
            key={number}
            class={isMarked ? 'source-line source-line-marked' : 'source-line'}
            data-marked={isFirst ? '' : undefined}
            aria-current={isFirst ? 'location' : undefined}
          >
            <span class="source-line-number">{number}</span>
            <code>
              {isMarked ? <Marked line={line} number={number} mark={mark} /> : visible(line, MOST_LETTERS)}
            </code>
          </div>
        )
      })}
    </section>
  )
}

function Marked({ line, number, mark }: { line: string; number: number; mark: Range }) {
  const from = number === mark.line && mark.column !== undefined ? mark.column - 1 : line.search(/\S|$/)
  const to = number === (mark.endLine ?? mark.line) ? (mark.endColumn ?? line.length + 1) - 1 : line.length
  return (
    <>
      {visible(line.slice(0, from), MOST_LETTERS)}
      <mark>{visible(line.slice(from, to), MOST_LETTERS)}</mark>
      {visible(line.slice(to), MOST_LETTERS)}
    </>
  )
}

const AROUND = 4

interface SourceExcerptProps {
  address: string
  path: string
  at: string
  line: number
}

export function SourceExcerpt({ address, path, at, line }: SourceExcerptProps) {
  const isWhole = useSignal(false)
  const asked = useLoad(() => sourceFile(address, path, at), [address, path])
  return (
    <Answer asked={asked.value}>
      {(file) =>
        file === null ? (
          <Nothing>
            the text of <Text>{path}</Text> is unknown
          </Nothing>
        ) : (
          <>
            <SourceLines
              text={file.text}
              mark={{ line }}
              label={`${path}, line ${line}`}
              follows={isWhole.value}
              {...(!isWhole.value && { around: AROUND })}
            />
            <Button
              class="more"
              onClick={() => (isWhole.value = !isWhole.value)}
              text={isWhole.value ? 'lines around it only' : 'whole file'}
            />
          </>
        )
      }
    </Answer>
  )
}
