/** Now. */
import { Nothing } from '../../parts/Answer.tsx'

export function NowView() {
  return (
    <>
      <h1>Now</h1>
      <Nothing>not here yet</Nothing>
    </>
  )
}
