/** The view *Transactions*: all of the chain, newest first. The address bar contains the filter, for links. */
import { useMemo } from 'preact/hooks'
import type { Item } from '../../../solidity/abi/codec.ts'
import { areNamesHere, namedContracts, names } from '../../accounts/names.ts'
import { contracts, useContracts } from '../../decode/contracts.ts'
import { query, setQuery } from '../../navigation.ts'
import { ADDRESSES, KnownAddresses } from '../../parts/Account.tsx'
import { Loading } from '../../parts/Answer.tsx'
import { FilterField } from '../../parts/Fields.tsx'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { Text } from '../../parts/Value.tsx'
import { FoundTransactions } from './FoundTransactions.tsx'
import { STATES, searchOf, type Wanted, wantedOf } from './search.ts'

export function TransactionsView() {
  const wanted = wantedOf(query.value)
  const known = useContracts(namedContracts.value)
  const items = useMemo(
    () => [
      ...[...known.value.values()].flatMap(({ info }) => info.abi as readonly Item[]),
      ...contracts()
        .seen()
        .flatMap((codec) => [...codec.all('function'), ...codec.all('event')]),
    ],
    [known.value],
  )
  const search = searchOf(wanted, items, names.value)
  return (
    <>
      <h1>Transactions</h1>
      <Filter key={query.value.toString()} wanted={wanted} />
      <KnownAddresses />
      {'problem' in search && !areNamesHere.value ? (
        // The filter may contain a name that has not loaded yet.
        <Loading />
      ) : 'problem' in search ? (
        <p class="problem" role="alert">
          <Text limit={2_000}>{search.problem}</Text>
        </p>
      ) : (
        <FoundTransactions key={JSON.stringify(search)} search={search} />
      )}
    </>
  )
}

function Filter({ wanted }: { wanted: Wanted }) {
  const apply = (form: HTMLFormElement) => setQuery(wantedOf(new FormData(form)))
  const field = (name: 'address' | 'function' | 'event', placeholder: string, list?: string) => (
    <FilterField name={name} label={name} value={wanted[name]} placeholder={placeholder} list={list} />
  )
  return (
    <form
      class="transactions-filter"
      onSubmit={(event) => {
        event.preventDefault()
        apply(event.currentTarget)
      }}
    >
      <label class="filter-field">
        state
        <select
          name="state"
          value={wanted.state}
          onChange={({ currentTarget }) => apply(currentTarget.form!)}
        >
          <option value="">in blocks</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {STATE_WORDS[state]}
            </option>
          ))}
        </select>
      </label>
      {field('address', 'sender, recipient or contract', ADDRESSES)}
      {field('function', 'name, signature or selector')}
      {field('event', 'name, signature or topic')}
      <button type="submit" class="primary">
        show
      </button>
    </form>
  )
}
