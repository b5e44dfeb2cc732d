/** The contracts that the chain has, by name, and the accounts for which the devnet signs. */

import { type ContractList, contractsLike, listContracts, proxyText } from '../../accounts/contracts.ts'
import { unlocked, useNames } from '../../accounts/names.ts'
import { useContracts } from '../../decode/index.ts'
import { useFollowed } from '../../live/followed.ts'
import type { Moment } from '../../moment.ts'
import { query, setQuery } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { MomentChoice, useMoment } from '../../parts/Moment.tsx'
import { Text } from '../../parts/Text.tsx'
import { VirtualRows } from '../../parts/VirtualRows.tsx'
import type { Hex } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import './contracts.css'

export function ContractsView() {
  useNames()
  const { moment, changes } = useMoment()
  const asked = useFollowed(
    () => listContracts((method, params) => source().request(method, params), moment.block),
    [moment.text],
    changes,
  )
  return (
    <>
      <h1>Contracts</h1>
      <MomentChoice />
      <Answer asked={asked.value}>{(list) => <Contracts list={list} moment={moment} />}</Answer>
      <h2>Accounts</h2>
      <p class="quiet">The devnet signs for these.</p>
      <Accounts addresses={unlocked.value} moment={moment} changes={changes} />
    </>
  )
}

/** Implementations are asked of no more proxies than that. */
const MOST_PROXIES = 50

function Contracts({ list, moment }: { list: ContractList; moment: Moment }) {
  const wanted = query.value.get('name') ?? ''
  const shown = contractsLike(list.contracts, wanted)
  const proxies = shown.filter(({ proxy }) => proxy !== null).slice(0, MOST_PROXIES)
  const known = useContracts(
    proxies.map(({ address }) => address),
    typeof moment.block === 'string' ? moment.block : undefined,
  )
  if (list.contracts.length === 0) return <Nothing>no account has code at this moment</Nothing>
  return (
    <>
      <form class="contracts-filter" onSubmit={(event) => event.preventDefault()}>
        <label>
          name or address{' '}
          <input
            type="text"
            value={wanted}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setQuery({ name: currentTarget.value })}
          />
        </label>
        <span class="quiet" role="status">
          {shown.length} of {list.contracts.length}
          {list.isCut && ' (and more, which are not listed)'}
        </span>
      </form>
      <VirtualRows
        label="contracts"
        count={shown.length}
        keyOf={(i) => shown[i]!.address}
        columns={[
          { name: 'name' },
          { name: 'address', width: '11rem' },
          { name: 'proxy', class: 'wide' },
          { name: 'bytes', width: '5rem', class: 'end' },
        ]}
        row={(i) => {
          const { address, name, codeSize, proxy } = shown[i]!
          const target = known.value.get(address)?.info.proxies.at(-1)?.target
          return [
            name === null ? <span class="quiet">unknown</span> : <Text limit={60}>{name}</Text>,
            <AddressLink key="address" address={address} />,
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
            <Count key="size" value={codeSize} />,
          ]
        }}
      />
    </>
  )
}

interface AccountState {
  readonly balance: Hex
  readonly nonce: Hex
}

function Accounts({
  addresses,
  moment,
  changes,
}: {
  addresses: readonly Hex[]
  moment: Moment
  changes: number
}) {
  const asked = useFollowed(
    () => Promise.all(addresses.slice(0, MOST_ACCOUNTS).map((address) => stateOf(address, moment))),
    [addresses, moment.text],
    changes,
  )
  return (
    <Answer asked={asked.value}>
      {(states) =>
        addresses.length === 0 ? (
          <Nothing>the devnet signs for nobody</Nothing>
        ) : (
          <VirtualRows
            label="accounts"
            count={states.length}
            columns={[
              { name: 'account', width: '4.5rem', class: 'end' },
              { name: 'address', width: '9rem' },
              { name: 'balance', class: 'end' },
              { name: 'nonce', width: '5rem', class: 'end wide' },
            ]}
            row={(i) => [
              <Count key="account" value={i} />,
              <AddressLink key="address" address={addresses[i]!} />,
              <Wei key="balance" amount={states[i]!.balance} />,
              <Count key="nonce" value={states[i]!.nonce} />,
            ]}
          />
        )
      }
    </Answer>
  )
}

/** A devnet may have any number of accounts; the balances of so many are asked for. */
const MOST_ACCOUNTS = 100

async function stateOf(address: Hex, { block }: Moment): Promise<AccountState> {
  const [balance, nonce] = await Promise.all([
    source().request<Hex>('eth_getBalance', [address, block]),
    source().request<Hex>('eth_getTransactionCount', [address, block]),
  ])
  return { balance, nonce }
}
