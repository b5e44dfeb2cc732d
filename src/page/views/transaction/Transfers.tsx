/** Shows the ether and token transfers made by a transaction, except the transaction's own value. */
import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import type { RpcLog } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { type Token, tokenAmount, tokenAt } from '../../accounts/tokens.ts'
import { useContracts } from '../../decode/contracts.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { useKept } from '../../navigation.ts'
import { Account } from '../../parts/Account.tsx'
import { Wei } from '../../parts/amounts.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { More } from '../../parts/Tabs.tsx'
import { Text, TokenId } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { etherTransfers, type TokenTransfer, tokenTransfers } from './callTree.ts'

const FIRST = 20
const MOST_TOKENS = 20

interface TransfersProps {
  root: RpcCallFrame | undefined
  logs: readonly RpcLog[]
  at: string
}

/** `root` is the call trace. Without it, ether transfers between contracts are unknown. */
export function Transfers({ root, logs, at }: TransfersProps) {
  const shown = useKept('transfers shown', FIRST)
  const ether = root === undefined ? [] : etherTransfers(root)
  // The transfers are memoized, because there may be thousands of logs.
  const tokens = useMemo(() => tokenTransfers(logs), [logs])
  const all = [...ether, ...tokens]
  const visible = all.slice(0, shown.value)
  const known = useContracts(
    visible.flatMap(({ from, to }) => [from, to]),
    at,
  )
  const addresses = [...new Set(tokens.map(({ token }) => token))].slice(0, MOST_TOKENS)
  const told = useLoad(() => tokensAt(addresses, at), [addresses.join(), at])
  if (all.length === 0) return null
  const byAddress = loaded(told.value) ?? new Map<Hex, Token>()
  return (
    <>
      <h2>Transfers</h2>
      <ul class="plain-list" aria-label="transfers">
        {visible.map((each, i) => (
          <li key={i}>
            <Account address={each.from} known={known.value} /> <span class="quiet">to</span>{' '}
            <Account address={each.to} known={known.value} />{' '}
            {'token' in each ? (
              <TokenAmount transfer={each} token={byAddress.get(each.token)} />
            ) : (
              <Wei amount={each.amount} />
            )}
          </li>
        ))}
      </ul>
      <More count={all.length} shown={shown} what="transfers" />
    </>
  )
}

/** Shows an amount, an id, or both, with the token: `2.5 USD`, `number 7`, `3 × number 7`. */
function TokenAmount({ transfer, token }: { transfer: TokenTransfer; token: Token | undefined }) {
  const decimals = transfer.kind === 'amount' ? (token?.decimals ?? 0) : 0
  return (
    <>
      {transfer.kind !== 'id' && (
        <span class="number" title={String(transfer.amount)}>
          {tokenAmount(transfer.amount, decimals)}
        </span>
      )}{' '}
      {transfer.kind === 'amountOfId' && '× '}
      {transfer.kind !== 'amount' && <TokenId id={transfer.id} />}{' '}
      <Text limit={20}>{token?.symbol ?? ''}</Text> <span class="quiet">of</span>{' '}
      <AddressLink address={transfer.token} />
    </>
  )
}

async function tokensAt(addresses: readonly Hex[], at: string): Promise<ReadonlyMap<Hex, Token>> {
  const tokens = await Promise.all(addresses.map((address) => tokenAt(request, address, at)))
  return new Map(tokens.map((token) => [token.address, token]))
}
