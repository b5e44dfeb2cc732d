/** What the devnet says of a transaction, in words. */
import { TransactionLink } from './links.tsx'
import { Text } from './Text.tsx'

const HASH = /(0x[0-9a-f]{64})/

/** Shows a text of the devnet in which hashes are those of transactions: they lead there. */
export function Reason({ children }: { children: string }) {
  return (
    <>
      {children.split(HASH).map((part, i) =>
        HASH.test(part) ? (
          <TransactionLink key={i} hash={part} />
        ) : (
          <Text key={i} limit={600}>
            {part}
          </Text>
        ),
      )}
    </>
  )
}
