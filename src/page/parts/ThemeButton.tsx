/** A button that goes from one theme to the next. */
import { choose, THEMES, theme } from '../theme.ts'

const SIGNS = { system: '◐', light: '☀', dark: '☾' }

export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
  const name = `theme: ${theme.value}`
  return (
    <button
      type="button"
      class="theme"
      aria-label={name}
      title={`${name}; next: ${next}`}
      onClick={() => choose(next)}
    >
      {SIGNS[theme.value]}
    </button>
  )
}
