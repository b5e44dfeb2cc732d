/** The authorizations of a transaction (EIP-7702): who delegates to whom. */
import { useAsked } from '../../live/asked.ts'
import { Count } from '../../parts/amounts.tsx'
import { Field } from '../../parts/Fields.tsx'
import { AddressLink } from '../../parts/links.tsx'
import type { Hex } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { type Authorization, authorityIn, recoveryOf } from './authorization.ts'

export function Authorizations({ list }: { list: readonly Authorization[] }) {
  return (
    <Field name="authorizations" hint="accounts that take the code of others (EIP-7702)">
      <ul class="plain-list">
        {list.map((authorization, i) => (
          <li key={i}>
            <OneAuthorization authorization={authorization} />
          </li>
        ))}
      </ul>
    </Field>
  )
}

function OneAuthorization({ authorization }: { authorization: Authorization }) {
  const { chainId, address, nonce } = authorization
  const recovery = recoveryOf(authorization)
  const asked = useAsked(
    () =>
      source()
        .request<Hex>('eth_call', [recovery, 'latest'])
        .then(authorityIn, () => undefined),
    [recovery.data],
  )
  const authority = asked.value.state === 'here' ? asked.value.value : undefined
  return (
    <>
      {authority === undefined ? <span class="quiet">somebody</span> : <AddressLink address={authority} />}{' '}
      {/^0x0*$/.test(address) ? (
        'delegates no more'
      ) : (
        <>
          delegates to <AddressLink address={address} />
        </>
      )}
      , nonce <Count value={nonce} />,{' '}
      {BigInt(chainId) === 0n ? 'on any chain' : `on chain ${BigInt(chainId)}`}
    </>
  )
}
