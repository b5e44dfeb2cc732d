/** Console. */
import { Nothing } from '../../parts/Answer.tsx'

export function ConsoleView() {
  return (
    <>
      <h1>Console</h1>
      <Nothing>not here yet</Nothing>
    </>
  )
}
