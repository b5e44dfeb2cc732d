/** The search field in the header. The key `/` focuses it. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { go, hrefOf, route } from '../navigation.ts'
import type { Found } from '../search.ts'
import { source } from '../source/source.ts'
import { useKeys } from './accessibility.tsx'
import { Button, TextField } from './controls.tsx'
import { Text } from './Value.tsx'

export function Search() {
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const told = useSignal<Found>({})
  useKeys((event) => {
    if (event.key !== '/') return
    event.preventDefault()
    input.current?.focus()
    input.current?.select()
  })
  // When the route changes, the message is removed, unless the search itself opened the route.
  useEffect(() => {
    const { to } = told.peek()
    if (to === undefined || hrefOf(to) !== hrefOf(route.value)) told.value = {}
  }, [route.value])
  function clear() {
    told.value = {}
  }
  function empty() {
    input.current!.value = ''
  }
  async function search(event: Event) {
    event.preventDefault()
    const text = input.current!.value
    clear()
    try {
      const { found } = await import('../search.ts')
      const answer = await found(text, source())
      told.value = answer
      if (answer.to === undefined) return
      // Several contracts have this name, so the list of contracts is opened, filtered by the name.
      const name =
        answer.to.view === 'contracts' && !/^\s*contracts\s*$/i.test(text) ? text.trim() : undefined
      go(hrefOf(answer.to, name === undefined ? undefined : new URLSearchParams({ name })))
      empty()
    } catch (error) {
      told.value = { text: (error as Error).message }
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') {
      clear()
      document.getElementById('main')!.focus({ preventScroll: true })
    } else if (step !== undefined && links.length > 0) {
      event.preventDefault()
      const next = links.indexOf(event.target as HTMLAnchorElement) + step
      ;(links[Math.min(next, links.length - 1)] ?? input.current)?.focus()
    }
  }
  const { to, text, choices } = told.value
  return (
    <search class="search" onKeyDown={onKeyDown}>
      <form onSubmit={(event) => void search(event)}>
        <TextField
          ref={input}
          name="search"
          aria-label="search: hash, number, address or name"
          aria-invalid={text !== undefined && to === undefined}
          placeholder="hash, block, address or name"
          onInput={clear}
        />
        <span class="search-key" aria-hidden="true">
          /
        </span>
      </form>
      {text !== undefined && (
        <div class={`search-told ${choices === undefined ? '' : 'search-choices'}`}>
          <p role="alert">{text}</p>
          {choices !== undefined && (
            <ul ref={list}>
              {choices.map(({ to, what }) => (
                <li key={hrefOf(to)}>
                  <a href={hrefOf(to)} onClick={empty}>
                    <Text limit={80}>{what}</Text>
                  </a>
                </li>
              ))}
            </ul>
          )}
          <Button
            class="search-close"
            aria-label="close the results"
            onClick={() => {
              clear()
              input.current!.focus()
            }}
            text="×"
          />
        </div>
      )}
    </search>
  )
}
