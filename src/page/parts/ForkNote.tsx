/** A remark for chains that were forked from a network. */
import type { ComponentChildren } from 'preact'
import { useAsked } from '../live/asked.ts'
import { source } from '../source/index.ts'

interface Metadata {
  readonly forkedNetwork: { readonly forkBlockNumber: number } | null
}

/** Resolves to the number of the block at which the chain was forked from a network; to `undefined` if it is no fork. */
export async function forkBlockNumber(): Promise<number | undefined> {
  const { forkedNetwork } = await source().request<Metadata>('hardhat_metadata', [])
  return forkedNetwork?.forkBlockNumber
}

/** Shows what is said of a forked chain; `children` are given the number of the fork block. Nothing where the chain is no fork, or they have nothing to say. */
export function ForkNote({ children }: { children: (forkBlock: number) => ComponentChildren }) {
  const asked = useAsked(forkBlockNumber, [])
  const forkBlock = asked.value.state === 'here' ? asked.value.value : undefined
  const said = forkBlock === undefined ? null : children(forkBlock)
  return said === null ? null : <p class="quiet">{said}</p>
}
