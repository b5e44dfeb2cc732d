import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import { type ContractList, contractsLike, listContracts, proxyText, unlocked } from '../../accounts/names.ts'
import { useContracts } from '../../decode/contracts.ts'
import { pagesOf, type Span, useLiveLoad } from '../../live/load.ts'
import type { Moment } from '../../moment.ts'
import { hrefOf, query, setQuery } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { AddressLink, Count, Wei } from '../../parts/chain.tsx'
import { TextField } from '../../parts/controls.tsx'
import { AnswerAt, ForkNote, MomentChoice, useMoment } from '../../parts/Moment.tsx'
import { VirtualRows } from '../../parts/tables.tsx'
import { Text } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { isNarrow } from '../../theme.ts'
import './contracts.css'

export function ContractsView() {
  const { moment, changes } = useMoment()
  const asked = useLiveLoad(() => listContracts(request, moment.block), [moment.text], changes)
  const withKeys = useMemo(() => unlocked.value.filter((one) => !one.isImpersonated), [unlocked.value])
  const impersonated = useMemo(() => unlocked.value.filter((one) => one.isImpersonated), [unlocked.value])
  return (
    <>
      <h1>Contracts</h1>
      <MomentChoice />
      <AnswerAt moment={moment} asked={asked.value}>
        {(list) => <Contracts list={list} moment={moment} />}
      </AnswerAt>
      <ForkNote>
        {(block) =>
          `The chain was forked from a network at block ${block}: contracts of the network are listed after they change here. Search for the address of others.`
        }
      </ForkNote>
      <h2>Accounts</h2>
      <p class="quiet">The devnet signs for these accounts.</p>
      <Accounts label="accounts" accounts={withKeys} moment={moment} changes={changes} />
      {impersonated.length > 0 && (
        <>
          <h2>Impersonated accounts</h2>
          <p class="quiet">These accounts send without a signature.</p>
          <Accounts label="impersonated accounts" accounts={impersonated} moment={moment} changes={changes} />
        </>
      )}
    </>
  )
}

const MOST_PROXIES = 50

function Contracts({ list, moment }: { list: ContractList; moment: Moment }) {
  const wanted = query.value.get('name') ?? ''
  const shown = contractsLike(list.contracts, wanted)
  const hasProxies = list.contracts.some(({ proxy }) => proxy !== null)
  const proxies = shown.filter(({ proxy }) => proxy !== null).slice(0, MOST_PROXIES)
  const known = useContracts(
    proxies.map(({ address }) => address),
    typeof moment.block === 'string' ? moment.block : undefined,
  )
  if (list.contracts.length === 0) return <Nothing>no contracts</Nothing>
  return (
    <>
      <form class="contracts-filter" onSubmit={(event) => event.preventDefault()}>
        <label>
          name or address{' '}
          <TextField
            value={wanted}
            onInput={({ currentTarget }) => setQuery({ name: currentTarget.value })}
          />
        </label>
        <span class="quiet" role="status">
          {shown.length} of {list.contracts.length}
          {list.isCut && ' (and more)'}
        </span>
      </form>
      <VirtualRows
        label="contracts"
        count={shown.length}
        keyOf={(i) => shown[i]!.address}
        columns={[
          { name: 'name', width: '33%' },
          { name: 'address', width: '8rem' },
          ...(hasProxies ? [{ name: 'proxy', class: 'wide' }] : []),
          { name: 'bytes', class: 'end', ...(hasProxies && { width: '5rem' }) },
        ]}
        row={(i) => {
          const { address, name, codeSize, proxy } = shown[i]!
          const target = known.value.get(address)?.info.proxies.at(-1)?.target
          return [
            name === null ? (
              <span class="quiet">unknown</span>
            ) : (
              <a key="name" href={hrefOf({ view: 'account', address })}>
                <Text limit={60}>{name}</Text>
              </a>
            ),
            <AddressLink key="address" address={address} isNamed={false} />,
            ...(hasProxies
              ? [
                  proxy !== null && (
                    <>
                      {proxyText(proxy)}
                      {target && (
                        <>
                          {' → '}
                          <AddressLink address={target.address} />
                        </>
                      )}
                    </>
                  ),
                ]
              : []),
            <Count key="size" value={codeSize} />,
          ]
        }}
      />
    </>
  )
}

interface AccountsProps {
  label: string
  accounts: typeof unlocked.value
  moment: Moment
  changes: number
}

function Accounts({ label, accounts, moment, changes }: AccountsProps) {
  const seen = useSignal<Span>({ first: 0, end: PAGE })
  const { first, end } = pagesOf(seen.value, accounts.length, PAGE)
  const asked = useLiveLoad(
    async () => ({
      first,
      states: await Promise.all(accounts.slice(first, end).map(({ address }) => stateOf(address, moment))),
    }),
    [accounts, moment.text, first, end],
    changes,
  )
  return (
    <AnswerAt moment={moment} asked={asked.value}>
      {({ first, states }) =>
        accounts.length === 0 ? (
          <Nothing>no accounts</Nothing>
        ) : (
          <VirtualRows
            label={label}
            rowRem={isNarrow.value ? 3.5 : 2}
            count={accounts.length}
            columns={[
              {
                name: <span title="number">#</span>,
                width: isNarrow.value ? '2.5rem' : '3rem',
                class: 'end',
              },
              isNarrow.value ? { name: 'address, balance' } : { name: 'address', width: '9rem' },
              { name: 'balance', class: 'end wide' },
              { name: 'nonce', width: isNarrow.value ? '4rem' : '5rem', class: 'end' },
            ]}
            onShown={(first, end) => (seen.value = { first, end })}
            row={(i) => {
              const state = states[i - first]
              const balance = state ? <Wei amount={state.balance} /> : <span class="nothing">…</span>
              return [
                <Count key="account" value={i} />,
                <>
                  <AddressLink address={accounts[i]!.address} isNamed={false} />
                  {isNarrow.value && <span class="second-line">{balance}</span>}
                </>,
                isNarrow.value ? '' : balance,
                state === undefined ? '' : <Count key="nonce" value={state.nonce} />,
              ]
            }}
          />
        )
      }
    </AnswerAt>
  )
}

/** Number of contracts whose balances and nonces are loaded together, when one of them becomes visible. */
const PAGE = 10

async function stateOf(address: Hex, { block }: Moment) {
  const [balance, nonce] = await Promise.all([
    request<Hex>('eth_getBalance', [address, block]),
    request<Hex>('eth_getTransactionCount', [address, block]),
  ])
  return { balance, nonce }
}
