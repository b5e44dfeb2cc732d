/** The id of a token (ERC-721, ERC-1155), of any size: `number 7`. Long ones, such as hashes, are shortened. */
import { Hint } from './Hint.tsx'

const MOST_DIGITS = 20

export function TokenId({ id }: { id: bigint }) {
  const digits = String(id)
  if (digits.length <= MOST_DIGITS) return <span class="number">number {digits}</span>
  return (
    <span class="number">
      number <Hint text={digits}>{`${digits.slice(0, 6)}…${digits.slice(-4)}`}</Hint>
    </span>
  )
}
