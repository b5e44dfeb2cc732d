/** How the page is shown: its theme (`public/assets/theme.js` sets it before the page is painted), on paper, or on a narrow screen. */
import { computed, effect, signal } from '@preact/signals'

const printed = signal(false)

/** Whether the page is being laid out for paper. */
export const isPrinted = (): boolean => printed.value

addEventListener('beforeprint', () => {
  printed.value = true
})
addEventListener('afterprint', () => {
  printed.value = false
})

const narrow = matchMedia('(max-width: 40rem)')

export const isNarrow = signal(narrow.matches)

narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'preseal-theme'

const { dataset } = document.documentElement
const system = matchMedia('(prefers-color-scheme: dark)')
const isSystemDark = signal(system.matches)

export const theme = signal<Theme>(themeOf(dataset.chosenTheme))

/** The theme in use: paper is light. */
export const shownTheme = computed(() => {
  if (isPrinted()) return 'light'
  return theme.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : theme.value
})

system.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches
})

effect(() => {
  dataset.theme = shownTheme.value
})

/** Chooses a theme, and remembers it. */
export function choose(chosen: Theme): void {
  theme.value = chosen
  try {
    if (chosen === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
  } catch {
    // Storage is blocked: the choice holds until the page is closed.
  }
}

function themeOf(text: string | undefined): Theme {
  return THEMES.find((each) => each === text) ?? 'system'
}
