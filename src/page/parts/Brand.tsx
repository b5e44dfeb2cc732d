/** The logo and the theme button, which also appear on the list of chains. */
import { choose, THEMES, theme } from '../theme.ts'
import { Button } from './controls.tsx'

export function Logo() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect x="0" y="10" width="4.4" height="6" rx="1" />
      <rect x="5.8" y="5" width="4.4" height="11" rx="1" />
      <rect class="brand-open" x="11.6" y="0" width="4.4" height="16" rx="1" />
    </svg>
  )
}

const SIGNS = { system: '◐', light: '☀', dark: '☾' }

export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
  const name = `theme: ${theme.value}`
  return (
    <Button
      class="theme"
      aria-label={name}
      title={`${name}; next: ${next}`}
      onClick={() => choose(next)}
      text={SIGNS[theme.value]}
    />
  )
}
