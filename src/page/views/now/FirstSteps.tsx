/** What a reader can do to see a transaction, where none was seen yet. */
import { useAsked } from '../../live/asked.ts'
import { hrefOf } from '../../navigation.ts'
import { AddressLink } from '../../parts/links.tsx'
import { source } from '../../source/index.ts'

export function FirstSteps() {
  const asked = useAsked(() => source().request<readonly string[]>('eth_accounts'), [])
  const first = asked.value.state === 'here' ? asked.value.value[0] : undefined
  return (
    <ul class="first-steps">
      <li>send to this URL from a wallet, a library or a test: it is the JSON-RPC of the chain,</li>
      {first !== undefined && (
        <li>
          <a href={hrefOf({ view: 'account', address: first }, new URLSearchParams({ tab: 'transfer' }))}>
            send ether
          </a>{' '}
          from <AddressLink address={first} />, a development account, or
        </li>
      )}
      <li>
        call a function of one of the <a href={hrefOf({ view: 'contracts' })}>contracts</a>.
      </li>
    </ul>
  )
}
