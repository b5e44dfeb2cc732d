/** Light, dark, or as the system has it: chosen by the reader and kept. `public/assets/theme.js` sets it before the page is painted. */
import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'preseal-theme'

export const theme = signal<Theme>(themeOf(document.documentElement.dataset.theme))

effect(() => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset.theme
  else dataset.theme = theme.value
})

/** Chooses a theme, also for the next time the page is opened. */
export function choose(chosen: Theme): void {
  theme.value = chosen
  try {
    if (chosen === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
  } catch {
    // Where nothing may be kept it is chosen for this time.
  }
}

function themeOf(text: string | undefined): Theme {
  return THEMES.find((each) => each === text) ?? 'system'
}
