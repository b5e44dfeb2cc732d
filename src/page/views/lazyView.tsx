/** Views that are loaded when they are gone to, or before. */
import { signal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Asked } from '../live/asked.ts'
import { Answer } from '../parts/Answer.tsx'

export interface LazyView<Route> {
  /** Loads the view, once: after a failure the next call tries again. Resolves also then, and the view shows why. */
  load(): Promise<void>
  /** Returns the view of `route`; while it is being loaded, what says so. */
  show(route: Route): ComponentChild
}

/** Returns a view of a module that `load` imports, and of which `show` makes the view of a route. */
export function lazyView<Module, Route>(
  load: () => Promise<Module>,
  show: (module: Module, route: Route) => ComponentChild,
): LazyView<Route> {
  const module = signal<Asked<Module>>({ state: 'loading' })
  let isAsked = false
  const view = {
    async load() {
      if (isAsked) return
      isAsked = true
      try {
        module.value = { state: 'here', value: await load() }
      } catch (cause) {
        isAsked = false
        const text =
          'the view could not be loaded: load the page again, in case the devnet is there with another version'
        module.value = { state: 'failed', error: new Error(text, { cause }) }
      }
    },
    show(route: Route) {
      return <Loaded route={route} />
    },
  }
  function Loaded({ route }: { route: Route }) {
    // Once, when the view is gone to: what fails would be tried again with each rendering.
    useMemo(() => void view.load(), [])
    return <Answer asked={module.value}>{(loaded) => show(loaded, route)}</Answer>
  }
  return view
}
