/** The view *Transactions*: all of the chain, newest first. The address bar contains the filter, for links. */
import { useMemo } from 'preact/hooks'
import type { Item } from '../../../solidity/abi/codec.ts'
import { areNamesHere, namedContracts, names } from '../../accounts/names.ts'
import { contracts, useContracts } from '../../decode/contracts.ts'
import type { Names } from '../../input/abiInput.ts'
import { query, setQuery } from '../../navigation.ts'
import { Loading } from '../../parts/Answer.tsx'
import { STATE_WORDS } from '../../parts/chain.tsx'
import { Button, FilterField, Select } from '../../parts/controls.tsx'
import { FoundTransactions } from '../../parts/TransactionList.tsx'
import { ADDRESSES, KnownAddresses, Text } from '../../parts/Value.tsx'
import type { Search } from '../../source/source.ts'
import { addressOf, textsOf, topicsOf, wrongAddress } from '../logs/logQuery.ts'
import './transactions.css'

const STATES = ['failed', 'preconfirmed', 'sealed', 'waiting', 'dropped', 'reorged'] as const

const CHOICES = [['', 'in blocks'], ...STATES.map((state) => [state, STATE_WORDS[state]] as const)] as const

const FIELDS = ['state', 'address', 'function', 'event'] as const

/** The text of each field. An empty field restricts nothing. */
type Wanted = Readonly<Record<(typeof FIELDS)[number], string>>

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
    <FilterField name={name} text={name} defaultValue={wanted[name]} placeholder={placeholder} list={list} />
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
        <Select name="state" value={wanted.state} options={CHOICES} onChosen={(_, form) => apply(form!)} />
      </label>
      {field('address', 'sender, recipient or contract', ADDRESSES)}
      {field('function', 'name, signature or selector')}
      {field('event', 'name, signature or topic')}
      <Button type="submit" class="primary" text="show" />
    </form>
  )
}

function wantedOf(input: URLSearchParams | FormData): Wanted {
  return textsOf(FIELDS, input)
}

/** Converts the fields of the filter to the parameter of `preseal_searchTransactions`. */
function searchOf(
  wanted: Wanted,
  items: readonly Item[],
  names: Names,
): Search | { readonly problem: string } {
  const search: { -readonly [Name in keyof Search]: Search[Name] } = {}
  const state = STATES.find((one) => one === wanted.state)
  if (state !== undefined) search.state = state
  else if (wanted.state !== '')
    return { problem: `expected a state (${STATES.join(', ')}), got ${wanted.state}` }
  if (wanted.address !== '') {
    const address = addressOf(wanted.address, names)
    if (address === undefined) return wrongAddress(wanted.address)
    search.address = address
  }
  for (const kind of ['function', 'event'] as const) {
    const text = wanted[kind]
    if (text === '') continue
    const isSelector = kind === 'function' && /^0x[0-9a-f]{8}$/i.test(text)
    const found = isSelector ? [text] : topicsOf(text, items, kind)
    if (found === undefined)
      return {
        problem: `no known ABI has the ${kind} ${text}: enter its signature, such as ${EXAMPLES[kind]}`,
      }
    if (found.length > 1)
      return { problem: `several of the known ABIs have a ${kind} ${text}: enter its signature` }
    if (kind === 'function') search.selector = found[0]!.slice(0, 10)
    else search.topic = found[0]!
  }
  return search
}

const EXAMPLES = {
  function: 'transfer(address,uint256), or its selector',
  event: 'Transfer(address,address,uint256), or its topic',
}
