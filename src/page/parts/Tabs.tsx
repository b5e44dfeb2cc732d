/** Tabs (the current one is the query parameter `?tab=`), and the buttons of paged and shortened lists. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { grouped } from '../format.ts'
import { query, setQuery } from '../navigation.ts'
import { useScrolledTo } from './accessibility.tsx'
import { Button } from './controls.tsx'
import './tabs.css'

export interface Tab {
  readonly id: string
  readonly title: string
  readonly count?: number | undefined
  readonly show: () => ComponentChildren
}

export function tab(id: string, title: string, show: Tab['show'], count?: number): Tab {
  return { id, title, show, count }
}

interface TabsProps {
  /** An entry that is `false` is not shown. */
  tabs: readonly (Tab | false)[]
  label: string
}

/** Shows the tab named by `?tab=`, by default the first tab. Arrow keys, Home and End move between tabs. */
export function Tabs({ tabs: all, label }: TabsProps) {
  const tabs = all.filter((tab) => tab !== false)
  const id = useId()
  const current = tabs.find((tab) => tab.id === query.value.get('tab')) ?? tabs[0]!
  const at = tabs.indexOf(current)
  const list = useScrolledTo<HTMLDivElement>('[aria-selected=true]', [at])

  function choose(to: number) {
    setQuery({ tab: to === 0 ? undefined : tabs[to]!.id })
  }
  function move(event: KeyboardEvent) {
    const to = MOVES[event.key]?.(at, tabs.length)
    if (to === undefined) return
    event.preventDefault()
    choose(to)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab, i) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={i === at}
            aria-controls={`${id}-panel`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => choose(i)}
          >
            {tab.title}
            {tab.count !== undefined && <span class="tab-count"> {tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        key={current.id}
        aria-labelledby={`${id}-${current.id}`}
      >
        {current.show()}
      </div>
    </>
  )
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

interface PagerProps<T> {
  /** The cursors of the pages from the second to the current page. Empty on the first page. */
  places: Signal<readonly T[]>
  /** The cursor of the next page, or `null` on the last page. */
  next: T | null
  back?: string
  on?: string
}

/** Buttons for the previous and the next page. They use `aria-disabled`, so that a disabled button keeps the focus. */
export function Pager<T>({ places, next, back = 'newer', on = 'older' }: PagerProps<T>) {
  return (
    <p class="pager">
      <Button
        aria-disabled={places.value.length === 0}
        onClick={() => (places.value = places.value.slice(0, -1))}
        text={back}
      />
      <Button
        aria-disabled={next === null}
        onClick={() => {
          if (next !== null) places.value = [...places.value, next]
        }}
        text={on}
      />
    </p>
  )
}

const MORE = 200

interface MoreProps {
  count: number
  shown: Signal<number>
  what: string
}

export function More({ count, shown, what }: MoreProps) {
  return (
    <MoreButton
      isMore={count > shown.value}
      text={`${grouped(count - shown.value)} more ${what}`}
      done={`all ${grouped(count)} ${what} are shown`}
      onPress={() => (shown.value += MORE)}
    />
  )
}

interface MoreButtonProps {
  isMore: boolean
  text: string
  /** Replaces the button, and takes the focus, when there is no more. */
  done: string
  class?: string
  /** `undefined` disables the button, which keeps the focus. */
  onPress: (() => void) | undefined
}

export function MoreButton({ isMore, text, done, class: name, onPress }: MoreButtonProps) {
  const wasPressed = useSignal(false)
  if (!isMore)
    return wasPressed.value ? (
      <span class="quiet" role="status" tabIndex={-1} ref={focused}>
        {done}
      </span>
    ) : null
  const press = () => {
    wasPressed.value = true
    onPress?.()
  }
  return (
    <Button class={name} aria-disabled={onPress === undefined || undefined} onClick={press} text={text} />
  )
}

const focused = (element: HTMLElement | null) => element?.focus()
