/** The withdrawals of a block (EIP-4895). */
import { Count, Wei } from '../../parts/amounts.tsx'
import { AddressLink } from '../../parts/links.tsx'

export interface Withdrawal {
  readonly index: string
  readonly validatorIndex: string
  readonly address: string
  /** In gwei. */
  readonly amount: string
}

const MOST_SHOWN = 200

export function Withdrawals({ withdrawals }: { withdrawals: readonly Withdrawal[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">index</th>
          <th scope="col">validator</th>
          <th scope="col">address</th>
          <th scope="col">amount</th>
        </tr>
      </thead>
      <tbody>
        {withdrawals.slice(0, MOST_SHOWN).map(({ index, validatorIndex, address, amount }) => (
          <tr key={index}>
            <td>
              <Count value={index} />
            </td>
            <td>
              <Count value={validatorIndex} />
            </td>
            <td>
              <AddressLink address={address} />
            </td>
            <td>
              <Wei amount={`0x${(BigInt(amount) * 10n ** 9n).toString(16)}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
