/** How the page is shown: its theme (`public/assets/theme.js` sets it before the page is painted), on paper, or on a narrow screen. */
import { computed, effect, type Signal, signal } from '@preact/signals'

const printed = signal(false)

/** Whether the page is being laid out for paper. */
export const isPrinted = (): boolean => printed.value

addEventListener('beforeprint', () => {
  printed.value = true
})
addEventListener('afterprint', () => {
  printed.value = false
})

/** Returns whether a media query matches, as a signal. */
function followed(media: string): Signal<boolean> {
  const query = matchMedia(media)
  const isMatching = signal(query.matches)
  query.addEventListener('change', ({ matches }) => {
    isMatching.value = matches
  })
  return isMatching
}

export const isNarrow = followed('(max-width: 40rem)')

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'preseal-theme'

const { dataset } = document.documentElement
const isSystemDark = followed('(prefers-color-scheme: dark)')

export const theme = signal<Theme>(THEMES.find((each) => each === dataset.chosenTheme) ?? 'system')

/** The theme in use: paper is light. */
export const shownTheme = computed(() => {
  if (isPrinted()) return 'light'
  return theme.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : theme.value
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
