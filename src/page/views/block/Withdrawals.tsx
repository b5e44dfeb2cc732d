/** The withdrawals of a block (EIP-4895). */
import { Wei } from '../../parts/amounts.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { TableHead } from '../../parts/TableHead.tsx'
import { WideTable } from '../../parts/WideTable.tsx'

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
    <>
      <p class="quiet">
        Stakes and rewards that the consensus layer paid to accounts at the end of the block: no transactions,
        and no gas (EIP-4895).
      </p>
      <WideTable label="withdrawals">
        <table class="withdrawals" aria-label="withdrawals">
          <TableHead names={['address']} numbers={['amount', 'validator', 'index']} />
          <tbody>
            {withdrawals.slice(0, MOST_SHOWN).map(({ index, validatorIndex, address, amount }) => (
              <tr key={index}>
                <td>
                  <AddressLink address={address} />
                </td>
                <td class="end">
                  <Wei amount={`0x${(BigInt(amount) * 10n ** 9n).toString(16)}`} />
                </td>
                <td class="end number">{String(BigInt(validatorIndex))}</td>
                <td class="end number">{String(BigInt(index))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {withdrawals.length > MOST_SHOWN && (
        <p class="quiet">{withdrawals.length - MOST_SHOWN} more are in the tab JSON.</p>
      )}
    </>
  )
}
