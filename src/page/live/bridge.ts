/** The other chain of an L1 and its L2, which has a page of its own. */
import { signal } from '@preact/signals'
import type { RpcBridge } from '../../wire/bridgeMessages.ts'
import { base, hasManyChains } from '../environment.ts'

export type Layer = RpcBridge['chain']

/** The bridge of this chain; `null` if there is none. `undefined` while it loads. */
export const bridge = signal<RpcBridge | null | undefined>(undefined)

export function otherEnd({ chain }: RpcBridge): Layer {
  return chain === 'l1' ? 'l2' : 'l1'
}

/** Returns the URL of the page of a chain, with a slash at its end. `undefined` if the chain has no page. */
export function pageOf(layer: Layer): string | undefined {
  if (!bridge.value) return undefined
  if (layer === bridge.value.chain) return `${base}/`
  if (hasManyChains) return layer === 'l1' ? `${base}/l1/` : base.replace(/l1$/, '')
  const { pageUrl } = bridge.value[layer]
  if (pageUrl === null) return undefined
  // This page may have been opened by another name of the machine.
  const url = new URL(pageUrl)
  url.hostname = location.hostname
  return url.href
}
