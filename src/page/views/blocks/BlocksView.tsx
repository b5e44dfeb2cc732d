/** Blocks. */
import { Nothing } from '../../parts/Answer.tsx'

export function BlocksView() {
  return (
    <>
      <h1>Blocks</h1>
      <Nothing>not here yet</Nothing>
    </>
  )
}
