/** What a chain that was forked from a network cannot do, because most of its accounts are not here. */
import type { RpcContext } from '../context.ts'
import { Problem } from '../problem.ts'

/** Returns the reason as text. */
export function partialText(network: string): string {
  return `the chain was forked from a network (${network}), and has of its accounts only those that were asked for; a devnet without the option fork has all of them`
}

/** Returns the reason for what proofs make possible. */
export function unprovenText(network: string): string {
  return `${partialText(network)}, and one with fork: { proofs: true } has the roots of all`
}

/** Throws a `Problem` if the chain was forked from a network. */
export function requireWhole({ network }: RpcContext, action: string): void {
  if (network === undefined) return
  throw new Problem({ kind: 'unsupported', detail: `${action}: ${partialText(network.name)}` })
}
