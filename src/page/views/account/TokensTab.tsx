/** What an account has of the tokens that are known. */
import { listContracts } from '../../accounts/contracts.ts'
import { amountText, isToken, type Token, tokenAt, tokenBalance } from '../../accounts/tokens.ts'
import { contracts } from '../../decode/index.ts'
import { grouped } from '../../format/quantity.ts'
import { useAsked } from '../../live/asked.ts'
import { useFollowed } from '../../live/followed.ts'
import type { Moment } from '../../moment.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { Text } from '../../parts/Text.tsx'
import { source } from '../../source/index.ts'
import { WideTable } from './WideTable.tsx'

/** So many contracts with names are looked at. */
const MOST_CONTRACTS = 50

const request = <T,>(method: string, params?: readonly unknown[]) => source().request<T>(method, params)

export function TokensTab({
  address,
  moment,
  changes,
}: {
  address: string
  moment: Moment
  changes: number
}) {
  const tokens = useAsked(() => knownTokens(moment), [moment.text])
  return (
    <Answer asked={tokens.value}>
      {(all) =>
        all.length === 0 ? (
          <Nothing>no known contract is an ERC-20 token</Nothing>
        ) : (
          <Balances address={address} tokens={all} moment={moment} changes={changes} />
        )
      }
    </Answer>
  )
}

async function knownTokens({ block }: Moment): Promise<readonly Token[]> {
  const { contracts: listed } = await listContracts(request, block)
  const named = listed.filter(({ name }) => name !== null).slice(0, MOST_CONTRACTS)
  const at = typeof block === 'string' ? block : block.blockNumber
  const found = await Promise.all(
    named.map(async ({ address }) => {
      const contract = await contracts().find(address, at)
      return contract !== undefined && isToken(contract.codec) ? tokenAt(request, address, block) : undefined
    }),
  )
  return found.filter((token) => token !== undefined)
}

function Balances({
  address,
  tokens,
  moment,
  changes,
}: {
  address: string
  tokens: readonly Token[]
  moment: Moment
  changes: number
}) {
  const asked = useFollowed(
    () => Promise.all(tokens.map((token) => tokenBalance(request, token.address, address, moment.block))),
    [address, tokens, moment.text],
    changes,
  )
  return (
    <Answer asked={asked.value}>
      {(balances) => (
        <WideTable label="tokens">
          <table>
            <thead>
              <tr>
                <th scope="col">token</th>
                <th scope="col">balance</th>
                <th scope="col">contract</th>
              </tr>
            </thead>
            <tbody>
              {tokens.map(({ address: contract, name, symbol, decimals }, i) => (
                <tr key={contract}>
                  <td>
                    <Text limit={60}>{name}</Text>
                  </td>
                  <td>
                    {balances[i] === undefined ? (
                      <span class="quiet">not told</span>
                    ) : (
                      <span class="number" title={String(balances[i])}>
                        {shown(balances[i], decimals)} <Text limit={20}>{symbol ?? ''}</Text>
                      </span>
                    )}
                  </td>
                  <td>
                    <AddressLink address={contract} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </Answer>
  )
}

function shown(amount: bigint, decimals: number): string {
  const [whole = '0', rest] = amountText(amount, decimals).split('.')
  return rest === undefined ? grouped(BigInt(whole)) : `${grouped(BigInt(whole))}.${rest}`
}
