/** Tabs, of which the address names the one that is shown (`?tab=calls`). */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { query, setQuery } from '../navigation.ts'
import './tabs.css'

export interface Tab {
  /** What stands in the address. */
  readonly id: string
  readonly title: string
  /** How many there are of what the tab shows. */
  readonly count?: number | undefined
  readonly show: () => ComponentChildren
}

/**
 * Shows one of `tabs`: that of the address, or the first. `label` names them all. `parameter` is the name in the address, where a view
 * has several sets of tabs. Arrow keys, Home and End go from tab to tab.
 */
export function Tabs({
  tabs,
  label,
  parameter = 'tab',
}: {
  tabs: readonly Tab[]
  label: string
  parameter?: string
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const wanted = query.value.get(parameter)
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === wanted),
  )
  const current = tabs[at]!

  // On a narrow screen the tabs scroll; moving the list itself leaves the page where it is.
  useEffect(() => {
    const element = list.current!
    const observer = new ResizeObserver(() => {
      const tab = element.children[at] as HTMLElement | undefined
      if (tab) element.scrollLeft = tab.offsetLeft - (element.clientWidth - tab.offsetWidth) / 2
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [at])

  function choose(to: number) {
    setQuery({ [parameter]: to === 0 ? undefined : tabs[to]!.id })
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
