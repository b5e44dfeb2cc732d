/** How long before now something was, on the line of what happens. */
export function Age({ ms, nowMs }: { ms: number; nowMs: number | undefined }) {
  const seconds = Math.max(0, ((nowMs ?? ms) - ms) / 1_000)
  const text =
    seconds < 100
      ? `${seconds.toFixed(1)} s`
      : seconds < 6_000
        ? `${Math.floor(seconds / 60)} min`
        : `${Math.floor(seconds / 3_600)} h`
  return <span class="number">{text}</span>
}
