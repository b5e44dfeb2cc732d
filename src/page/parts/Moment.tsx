/** The moment at which a view reads state: in its address as `?at=`, and where a reader chooses it. */
import { useSignal } from '@preact/signals'
import { useAsked } from '../live/asked.ts'
import { changesAt } from '../live/changes.ts'
import { head } from '../live/head.ts'
import { type Moment, momentOf, PENDING, TAGS, wordsOf } from '../moment.ts'
import { query, setQuery } from '../navigation.ts'
import { source } from '../source/index.ts'
import { Text } from './Text.tsx'
import './moment.css'

/**
 * Returns the moment of the address, by default `pending`, and a number that changes when state there may be different: what asks
 * for state has both among its keys.
 */
export function useMoment(): { readonly moment: Moment; readonly changes: number } {
  const moment = momentOf(query.value.get('at') ?? '') ?? PENDING
  return { moment, changes: changesAt(moment) }
}

/** Lets a reader choose the moment: a tag, or the number of a block and one of its slices. */
export function MomentChoice() {
  const given = query.value.get('at')
  const moment = momentOf(given ?? '') ?? PENDING
  const isWrong = given !== null && momentOf(given) === undefined
  return (
    <form class="moment" aria-label="moment" onSubmit={(event) => event.preventDefault()}>
      <label>
        state at{' '}
        <select
          value={moment.number === undefined ? moment.text : 'number'}
          onChange={({ currentTarget: { value } }) =>
            choose(value === 'number' ? String(Number(head.value?.number ?? 0)) : value)
          }
        >
          {TAGS.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
          <option value="number">a block …</option>
        </select>
      </label>
      {moment.number !== undefined && <NumberChoice key={moment.number} moment={moment} />}
      {isWrong && (
        <p class="problem" role="alert">
          <Text limit={60}>{given}</Text> is no moment: <code>?at=</code> takes a tag such as latest, a
          number, or a number and a slice such as 12.3. This is {wordsOf(moment)}.
        </p>
      )}
    </form>
  )
}

function NumberChoice({ moment: { number = 0, slice } }: { moment: Moment }) {
  const typed = useSignal(String(number))
  const isRight = /^\d{1,15}$/.test(typed.value)
  const slices = useAsked(
    () => source().request<readonly { index: string }[]>('preseal_getSlices', [`0x${number.toString(16)}`]),
    [number],
  )
  const indexes = slices.value.state === 'here' ? slices.value.value.map(({ index }) => Number(index)) : []
  if (slice !== undefined && !indexes.includes(slice)) indexes.push(slice)
  return (
    <>
      <input
        type="text"
        inputMode="numeric"
        aria-label="number of the block"
        aria-invalid={!isRight}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value.trim()
        }}
        onChange={() => isRight && choose(typed.value)}
      />
      {indexes.length > 0 && (
        <select
          aria-label="slice of the block"
          value={slice ?? ''}
          onChange={({ currentTarget: { value } }) =>
            choose(value === '' ? String(number) : `${number}.${value}`)
          }
        >
          <option value="">its end</option>
          {indexes.map((index) => (
            <option key={index} value={index}>
              after slice {index}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

function choose(text: string): void {
  setQuery({ at: text === PENDING.text ? undefined : text })
}
