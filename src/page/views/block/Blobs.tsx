/** The blobs of a block's transactions (EIP-4844): by their versioned hashes. */
import { TransactionLink } from '../../parts/links.tsx'
import type { TransactionAnswer } from '../../source/answers.ts'

export function Blobs({ transactions }: { transactions: readonly TransactionAnswer[] }) {
  const blobs = transactions.flatMap(({ hash, blobVersionedHashes }) =>
    ((blobVersionedHashes ?? []) as readonly string[]).map((blob) => ({ hash, blob })),
  )
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">versioned hash</th>
          <th scope="col">transaction</th>
        </tr>
      </thead>
      <tbody>
        {blobs.map(({ hash, blob }, index) => (
          <tr key={blob + String(index)}>
            <td>{index}</td>
            <td>
              <span class="id">{blob}</span>
            </td>
            <td>
              <TransactionLink hash={hash} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
