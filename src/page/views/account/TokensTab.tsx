import { listContracts } from '../../accounts/names.ts'
import { isToken, multiBalances, type Token, tokenAt, tokenBalance } from '../../accounts/tokens.ts'
import { contracts } from '../../decode/contracts.ts'
import { decimal, shortened } from '../../format.ts'
import { useLoad } from '../../live/load.ts'
import type { BlockParameter, Moment } from '../../moment.ts'
import { hrefOf } from '../../navigation.ts'
import { Answer, Nothing, Problem } from '../../parts/Answer.tsx'
import { useMoment, useStateLoad } from '../../parts/Moment.tsx'
import { DataTable } from '../../parts/tables.tsx'
import { Text, TokenId } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'

const MOST_CONTRACTS = 50

export function TokensTab({ address }: { address: string }) {
  const { moment } = useMoment()
  const tokens = useLoad(() => knownTokens(moment), [moment.text])
  return <Answer asked={tokens.value}>{(known) => <Balances address={address} tokens={known} />}</Answer>
}

/** Resolves to the named contracts that are ERC-20 tokens. */
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

function Balances({ address, tokens }: { address: string; tokens: readonly Token[] }) {
  const asked = useStateLoad((block) => balancesAt(block, address, tokens), [address, tokens])
  return (
    <Answer asked={asked.value}>
      {({ rows, isCut, problem }) => (
        <>
          {rows.length === 0 ? (
            <Nothing>
              no known contract is an ERC-20 token, and the account has received no ERC-1155 tokens
            </Nothing>
          ) : (
            <DataTable label="tokens" class="token-list" columns={COLUMNS} rows={rows.map(cellsOf)} />
          )}
          {isCut && <p class="quiet">Only the ERC-1155 tokens received last are listed.</p>}
          {problem && <Problem error={problem} />}
        </>
      )}
    </Answer>
  )
}

interface TokenBalance {
  readonly token: Token
  /** The id of an ERC-1155 token. Absent for ERC-20. */
  readonly id?: bigint
  readonly balance: bigint | undefined
}

/** Resolves to all token balances of `owner`. `problem` says why ERC-1155 balances are missing. */
async function balancesAt(block: BlockParameter, owner: string, tokens: readonly Token[]) {
  const [rows, multi] = await Promise.all([
    Promise.all(
      tokens.map(async (token): Promise<TokenBalance> => {
        return { token, balance: await tokenBalance(request, token.address, owner, block) }
      }),
    ),
    multiBalances(request, owner, block).catch((error: Error) => error),
  ])
  if (multi instanceof Error) return { rows, isCut: false, problem: multi }
  const named = new Map<string, Promise<Token>>()
  for (const { contract } of multi.balances)
    named.set(contract, named.get(contract) ?? tokenAt(request, contract, block))
  const others = multi.balances.map(async ({ contract, ...one }) => ({
    ...one,
    token: await named.get(contract)!,
  }))
  return { rows: [...rows, ...(await Promise.all(others))], isCut: multi.isCut }
}

const COLUMNS = [{ name: 'token' }, { name: 'balance', class: 'end' }]

function cellsOf({ token, id, balance }: TokenBalance) {
  const { address, name, symbol, decimals } = token
  return [
    <>
      <a href={hrefOf({ view: 'account', address })} title={address}>
        <Text limit={60}>{name}</Text>
      </a>{' '}
      {id !== undefined && <TokenId id={id} />} <span class="quiet short-id">{shortened(address)}</span>
    </>,
    balance === undefined ? (
      <span class="quiet">unknown</span>
    ) : (
      <span class="number" title={String(balance)}>
        {decimal(balance, id === undefined ? decimals : 0)} <Text limit={20}>{symbol ?? ''}</Text>
      </span>
    ),
  ]
}
