/** Controls. */
import { Nothing } from '../../parts/Answer.tsx'

export function ControlsView() {
  return (
    <>
      <h1>Controls</h1>
      <Nothing>not here yet</Nothing>
    </>
  )
}
