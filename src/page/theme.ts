/** Colour theme, printing and narrow screens. `public/assets/theme.js` sets the theme before the first paint. */
import { computed, effect, type Signal, signal } from '@preact/signals'

const printed = signal(false)

export const isPrinted = (): boolean => printed.value

addEventListener('beforeprint', () => {
  printed.value = true
})
addEventListener('afterprint', () => {
  printed.value = false
})

function isMatching(media: string): Signal<boolean> {
  const query = matchMedia(media)
  const matching = signal(query.matches)
  query.addEventListener('change', ({ matches }) => {
    matching.value = matches
  })
  return matching
}

export const isNarrow = isMatching('(max-width: 40rem)')

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'preseal-theme'

const { dataset } = document.documentElement
const isSystemDark = isMatching('(prefers-color-scheme: dark)')

export const theme = signal<Theme>(THEMES.find((each) => each === dataset.chosenTheme) ?? 'system')

/** The theme in use. Printed pages are light. */
export const shownTheme = computed(() => {
  if (isPrinted()) return 'light'
  return theme.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : theme.value
})

effect(() => {
  dataset.theme = shownTheme.value
})

export function choose(chosen: Theme): void {
  theme.value = chosen
  try {
    if (chosen === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
  } catch {
    // Without storage, the choice is lost when the page is closed.
  }
}
