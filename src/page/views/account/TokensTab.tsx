/** Token balances of an account. */
import { listContracts } from '../../accounts/contracts.ts'
import {
  isToken,
  type MultiBalance,
  multiBalances,
  type Token,
  tokenAmount,
  tokenAt,
  tokenBalance,
} from '../../accounts/tokens.ts'
import { contracts } from '../../decode/contracts.ts'
import { shortened } from '../../format.ts'
import { useLoad } from '../../live/load.ts'
import type { BlockParameter, Moment } from '../../moment.ts'
import { hrefOf } from '../../navigation.ts'
import { Answer, Nothing, Problem } from '../../parts/Answer.tsx'
import { useMoment, useStateLoad } from '../../parts/Moment.tsx'
import { TableHead, WideTable } from '../../parts/Table.tsx'
import { Text, TokenId } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'

/** The named contracts that are checked. */
const MOST_CONTRACTS = 50

export function TokensTab({ address }: { address: string }) {
  const { moment } = useMoment()
  const tokens = useLoad(() => knownTokens(moment), [moment.text])
  const { value: asked } = useStateLoad((block) => namedBalances(address, block), [address])
  if (asked.state === 'loading') return <Answer asked={asked}>{() => null}</Answer>
  const sent = asked.state === 'here' ? asked.value : NOTHING_SENT
  return (
    <>
      <Answer asked={tokens.value}>
        {(all) =>
          all.length === 0 && sent.rows.length === 0 ? (
            <Nothing>
              no known contract is an ERC-20 token, and the account has received no ERC-1155 tokens
            </Nothing>
          ) : (
            <Balances address={address} tokens={all} sent={sent} />
          )
        }
      </Answer>
      {asked.state === 'failed' && <Problem error={asked.error} />}
    </>
  )
}

/** Balances of ERC-1155 tokens. */
interface NamedBalances {
  readonly rows: readonly (MultiBalance & { readonly token: Token })[]
  readonly isCut: boolean
}

const NOTHING_SENT: NamedBalances = { rows: [], isCut: false }

async function namedBalances(address: string, block: BlockParameter): Promise<NamedBalances> {
  const { balances, isCut } = await multiBalances(request, address, block)
  const addresses = [...new Set(balances.map(({ contract }) => contract))]
  const tokens = await Promise.all(addresses.map((contract) => tokenAt(request, contract, block)))
  const byAddress = new Map(tokens.map((token) => [token.address, token]))
  return { rows: balances.map((one) => ({ ...one, token: byAddress.get(one.contract)! })), isCut }
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

interface BalancesProps {
  address: string
  tokens: readonly Token[]
  sent: NamedBalances
}

function Balances({ address, tokens, sent }: BalancesProps) {
  const asked = useStateLoad(
    (block) => Promise.all(tokens.map((token) => tokenBalance(request, token.address, address, block))),
    [address, tokens],
  )
  return (
    <Answer asked={asked.value}>
      {(balances) => (
        <>
          <WideTable label="tokens">
            <table class="token-list">
              <TableHead names={['token']} numbers={['balance']} />
              <tbody>
                {tokens.map((token, i) => (
                  <Row key={token.address} token={token} balance={balances[i]} />
                ))}
                {sent.rows.map(({ token, id, balance }) => (
                  <Row key={`${token.address} ${id}`} token={token} id={id} balance={balance} />
                ))}
              </tbody>
            </table>
          </WideTable>
          {sent.isCut && <p class="quiet">Only the ERC-1155 tokens received last are listed.</p>}
        </>
      )}
    </Answer>
  )
}

/** `id`: of an ERC-1155 token, whose amounts have no decimals. */
function Row({ token, id, balance }: { token: Token; id?: bigint; balance: bigint | undefined }) {
  const { address, name, symbol, decimals } = token
  return (
    <tr>
      <td>
        <a href={hrefOf({ view: 'account', address })} title={address}>
          <Text limit={60}>{name}</Text>
        </a>{' '}
        {id !== undefined && <TokenId id={id} />} <span class="quiet short-id">{shortened(address)}</span>
      </td>
      <td class="end">
        {balance === undefined ? (
          <span class="quiet">unknown</span>
        ) : (
          <span class="number" title={String(balance)}>
            {tokenAmount(balance, id === undefined ? decimals : 0)} <Text limit={20}>{symbol ?? ''}</Text>
          </span>
        )}
      </td>
    </tr>
  )
}
