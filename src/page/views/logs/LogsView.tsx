/** Logs. */
import { Nothing } from '../../parts/Answer.tsx'

export function LogsView() {
  return (
    <>
      <h1>Logs</h1>
      <Nothing>not here yet</Nothing>
    </>
  )
}
