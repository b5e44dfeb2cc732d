/** The search field of the frame: `/` goes to it. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { go, hrefOf } from '../navigation.ts'
import { found } from '../search.ts'
import { source } from '../source/index.ts'

export function Search() {
  const input = useRef<HTMLInputElement>(null)
  const problem = useSignal('')
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || target.matches('input, textarea, select'))
        return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  async function search(event: Event) {
    event.preventDefault()
    problem.value = ''
    try {
      const to = await found(input.current?.value ?? '', source())
      if (to === undefined)
        problem.value = 'nothing found: a hash, a block number, an address or a name is looked for'
      else {
        // Several contracts of a name: the list of them.
        const name = to.view === 'contracts' ? input.current!.value.trim() : undefined
        go(hrefOf(to, name === undefined ? undefined : new URLSearchParams({ name })))
        input.current!.value = ''
      }
    } catch (error) {
      problem.value = (error as Error).message
    }
  }
  return (
    <search class="search">
      <form onSubmit={(event) => void search(event)}>
        <input
          ref={input}
          type="text"
          name="search"
          aria-label="search: hash, number, address or name"
          aria-invalid={problem.value !== ''}
          placeholder="search  /"
          autocomplete="off"
          spellcheck={false}
          onInput={() => {
            problem.value = ''
          }}
        />
      </form>
      {problem.value !== '' && (
        <p class="search-problem" role="alert">
          {problem.value}
        </p>
      )}
    </search>
  )
}
