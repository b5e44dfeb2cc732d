/** A remark for chains that were forked from a network. */
import type { ComponentChildren } from 'preact'
import { useAsked } from '../live/asked.ts'
import { source } from '../source/index.ts'

interface Metadata {
  readonly forkedNetwork: { readonly forkBlockNumber: number } | null
}

/** Shows what is said of a forked chain; `children` are given the number of the fork block. Nothing where the chain is no fork, or they have nothing to say. */
export function ForkNote({ children }: { children: (forkBlock: number) => ComponentChildren }) {
  const asked = useAsked(() => source().request<Metadata>('hardhat_metadata', []), [])
  const fork = asked.value.state === 'here' ? asked.value.value.forkedNetwork : null
  const said = fork === null ? null : children(fork.forkBlockNumber)
  return said === null ? null : <p class="quiet">{said}</p>
}
