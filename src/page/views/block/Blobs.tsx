/** The blobs of a block's transactions (EIP-4844): by their versioned hashes. */
import { Copy } from '../../parts/Copy.tsx'
import { TransactionLink } from '../../parts/links.tsx'
import { TableHead } from '../../parts/TableHead.tsx'
import { WideTable } from '../../parts/WideTable.tsx'
import type { Blob } from '../../source/blockContent.ts'

export function Blobs({ blobs }: { blobs: readonly Blob[] }) {
  return (
    <WideTable label="blobs">
      <table aria-label="blobs">
        <TableHead names={['#', 'transaction', 'versioned hash']} />
        <tbody>
          {blobs.map(({ versionedHash, transactionHash }, index) => (
            <tr key={versionedHash + String(index)}>
              <td class="number">{index}</td>
              <td>
                <TransactionLink hash={transactionHash} />
              </td>
              <td>
                <span class="id bytes">{versionedHash}</span>{' '}
                <Copy text={versionedHash} what="the versioned hash" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
