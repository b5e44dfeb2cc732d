/** The id of a token (ERC-721, ERC-1155), of any size: `number 7`. Long ones, such as hashes, are shortened. */
const MOST_DIGITS = 20

export function TokenId({ id }: { id: bigint }) {
  const digits = String(id)
  return (
    <span class="number" title={digits}>
      number {digits.length <= MOST_DIGITS ? digits : `${digits.slice(0, 6)}…${digits.slice(-4)}`}
    </span>
  )
}
