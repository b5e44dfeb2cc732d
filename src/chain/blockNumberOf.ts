/** The numbers of blocks that selectors name. */
import type { Selector } from '../model/selector.ts'
import type { Chain } from './chain.ts'

/** Returns the number of the block that a selector names, whether or not there is one; those of the network included. */
export function blockNumberOf({ latest, pending, options }: Chain, selector: Selector): bigint {
  const head = latest.block.header.number
  const before = (distance: number) => (head > BigInt(distance) ? head - BigInt(distance) : 0n)
  if (selector.kind === 'number' || selector.kind === 'slice') return selector.number
  if (selector.kind === 'hash') throw new TypeError('a hash is no number')
  switch (selector.tag) {
    case 'latest':
      return head
    case 'pending':
      return pending.block.header.number
    case 'earliest':
      return 0n
    case 'safe':
      return before(options.safeDistance)
    case 'finalized':
      return before(options.finalizedDistance)
  }
}
