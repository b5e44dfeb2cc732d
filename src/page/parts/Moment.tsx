/** The control that chooses the block or slice whose state a view shows. The choice is the query parameter `?at=`. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { head } from '../live/head.ts'
import { changesAt, type Load, loaded, useLiveLoad, useLoad } from '../live/load.ts'
import { absenceOf, type BlockParameter, type Moment, momentOf, PENDING, TAGS, wordsOf } from '../moment.ts'
import { query, setQuery } from '../navigation.ts'
import { forkBlockNumber, slicesOf, source } from '../source/source.ts'
import { Answer } from './Answer.tsx'
import { Button, Select, TextField } from './controls.tsx'
import { Text } from './Value.tsx'
import './moment.css'

/** Returns the moment of `?at=` (default: `pending`), and a number that changes when its state may have changed. */
export function useMoment(): { readonly moment: Moment; readonly changes: number } {
  const moment = momentOf(query.value.get('at') ?? '') ?? PENDING
  return { moment, changes: changesAt(moment) }
}

/** Loads state at the moment chosen by `?at=`. Loads again when `keys` change, or when the moment has a new state. */
export function useStateLoad<T>(
  ask: (block: BlockParameter) => Promise<T>,
  keys: readonly unknown[],
): Signal<Load<T>> {
  const { moment, changes } = useMoment()
  return useLiveLoad(() => ask(moment.block), [moment.text, ...keys], changes)
}

export function MomentChoice() {
  const given = query.value.get('at')
  const { moment } = useMoment()
  return (
    <form class="moment" aria-label="moment" onSubmit={(event) => event.preventDefault()}>
      <label>
        state at{' '}
        <Select
          value={moment.number === undefined ? moment.text : 'number'}
          options={[...TAGS.map((tag) => [tag, tag] as const), ['number', 'a block …']]}
          onChosen={(tag) => choose(tag === 'number' ? String(Number(head.value?.number ?? 0)) : tag)}
        />
      </label>
      {moment.number !== undefined && <NumberChoice moment={moment} />}
      {given !== null && momentOf(given) === undefined && (
        <p class="problem" role="alert">
          <Text limit={60}>{given}</Text> is not valid: <code>?at=</code> takes a tag such as latest, a block
          number, or a block and a slice such as 12.3. The page shows {wordsOf(moment)}.
        </p>
      )}
    </form>
  )
}

interface AnswerAtProps<T> {
  moment: Moment
  asked: Load<T>
  children: (value: T) => ComponentChildren
}

/** Renders a value at a moment. Renders nothing if the moment does not exist, because `MomentChoice` reports that. */
export function AnswerAt<T>({ moment, asked, children }: AnswerAtProps<T>) {
  const isAbsent =
    asked.state === 'failed' &&
    absenceOf(moment, head.value && Number(head.value.number), undefined) !== undefined
  return isAbsent ? null : <Answer asked={asked}>{children}</Answer>
}

function NumberChoice({ moment }: { moment: Moment }) {
  const { number = 0, slice } = moment
  const typed = useSignal(String(number))
  useEffect(() => {
    typed.value = String(number)
  }, [number])
  const isRight = /^\d{1,15}$/.test(typed.value.trim())
  const slices = useLoad(() => slicesOf(source(), `0x${number.toString(16)}`), [number, changesAt(moment)])
  const kept = loaded(slices.value)?.map(({ index }) => Number(index))
  const absence = absenceOf(moment, head.value && Number(head.value.number), kept)
  const indexes = [...new Set([...(kept ?? []), ...(slice === undefined ? [] : [slice])])]
  return (
    <>
      <TextField
        inputMode="numeric"
        aria-label="block number"
        aria-invalid={!isRight}
        of={typed}
        onChange={() => isRight && choose(typed.value.trim())}
      />
      {indexes.length > 0 && (
        <Select
          aria-label="slice of the block"
          value={slice ?? ''}
          options={[['', 'its end'], ...indexes.map((index) => [index, `after slice ${index}`] as const)]}
          onChosen={(index) => choose(index === '' ? String(number) : `${number}.${index}`)}
        />
      )}
      {absence !== undefined && (
        <p class="problem" role="alert">
          {absence} <Button onClick={() => choose(PENDING.text)} text="show pending" />
        </p>
      )}
    </>
  )
}

function choose(text: string): void {
  setQuery({ at: text === PENDING.text ? undefined : text })
}

/** Renders a note if the chain is forked. `children` gets the number of the fork block, and may return `null`. */
export function ForkNote({ children }: { children: (forkBlock: number) => ComponentChildren }) {
  const asked = useLoad(() => forkBlockNumber(source()), [])
  const forkBlock = loaded(asked.value)
  const said = forkBlock === undefined ? null : children(forkBlock)
  return said === null ? null : <p class="quiet">{said}</p>
}
