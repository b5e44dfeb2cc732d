/** Links to blocks, transactions and accounts of both chains: to this page, or to the page of the other chain. */
import type { ComponentChildren } from 'preact'
import { pagePaths } from '../../../model/api/text.ts'
import { unlocked } from '../../accounts/names.ts'
import { shortened } from '../../format.ts'
import { bridge, type Layer, pageOf } from '../../live/bridge.ts'
import { AddressLink } from '../../parts/chain.tsx'
import { Copy } from '../../parts/controls.tsx'

interface PlaceProps {
  layer: Layer
  path: string
  class?: string | undefined
  title?: string | undefined
  children: ComponentChildren
}

/** A link to a path of a chain's page; only its text if the chain has no page. */
export function Place({ layer, path, children, ...others }: PlaceProps) {
  const page = pageOf(layer)
  if (page === undefined) return <span {...others}>{children}</span>
  return (
    <a href={page + path} {...others}>
      {children}
    </a>
  )
}

export function BlockOn({ layer, number }: { layer: Layer; number: string }) {
  return (
    <Place layer={layer} path={pagePaths.block(String(Number(number)))} class="id">
      {Number(number)}
    </Place>
  )
}

export function TransactionOn({ layer, hash }: { layer: Layer; hash: string }) {
  return (
    <Place layer={layer} path={pagePaths.transaction(hash)} class="id short-id" title={hash}>
      {shortened(hash)}
    </Place>
  )
}

interface AccountOnProps {
  layer: Layer
  address: string
  whole?: boolean
}

/** An account of a chain. Of the other chain, only the accounts that both chains have are known by name. */
export function AccountOn({ layer, address, whole = false }: AccountOnProps) {
  if (layer === bridge.value?.chain) return <AddressLink address={address} whole={whole} />
  const own = unlocked.value.find((one) => !one.isImpersonated && one.address.toLowerCase() === address)
  const path = pagePaths.account(address)
  if (own !== undefined)
    return (
      <Place layer={layer} path={path} class="contract-name" title={address}>
        {own.name}
      </Place>
    )
  return (
    <span class={whole ? 'id' : 'id short-id'}>
      <Place layer={layer} path={path} title={address}>
        {whole ? address : shortened(address)}
      </Place>
      {whole && <Copy text={address} what="the address" />}
    </span>
  )
}
