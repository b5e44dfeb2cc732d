/** Contracts. */
import { Nothing } from '../../parts/Answer.tsx'

export function ContractsView() {
  return (
    <>
      <h1>Contracts</h1>
      <Nothing>not here yet</Nothing>
    </>
  )
}
