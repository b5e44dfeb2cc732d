/** The sign of preseal: a block that slices fill, of which the newest is not sealed yet. */
export function Logo() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect x="0" y="10" width="4.4" height="6" rx="1" />
      <rect x="5.8" y="5" width="4.4" height="11" rx="1" />
      <rect class="brand-open" x="11.6" y="0" width="4.4" height="16" rx="1" />
    </svg>
  )
}
