/** Finds the code behind proxies (EIP-1167, EIP-1967), delegations (EIP-7702) and diamonds (EIP-2535). */

import { type Address, fromHex, type Hex, toDigits, toHex } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { delegateOf } from '../../model/account/account.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
import type { CodeMatch, FindCode } from './compilation.ts'

export interface AccountsView {
  code(address: Address): Uint8Array
  storage(address: Address, slot: bigint): bigint
}

export interface Implementation {
  readonly address: Address
  readonly code: Uint8Array
}

/** Returns a proxy's implementation (for a diamond, of `selector`); for other accounts, `address` and `own`. */
export function implementationOf(
  state: AccountsView,
  address: Address,
  own: Uint8Array,
  selector?: Hex | undefined,
): Implementation {
  return proxySteps(state, address, own, selector).at(-1) ?? { address, code: own }
}

export type ProxyKind = 'eip7702' | 'eip1167' | 'eip1967' | 'beacon' | 'diamond'

export interface ProxyStep extends Implementation {
  readonly kind: ProxyKind
}

/** Returns the steps from a proxy to the code that its calls run; empty for other accounts. */
export function proxySteps(
  state: AccountsView,
  address: Address,
  own: Uint8Array,
  selector?: Hex | undefined,
): readonly ProxyStep[] {
  const steps: ProxyStep[] = []
  // An implementation may be a proxy itself. All code runs with the storage of the first account.
  while (steps.length < MOST_PROXIES) {
    const target = targetOf(state, address, steps.at(-1)?.code ?? own, selector)
    const code = target === undefined ? undefined : state.code(target.address)
    if (code === undefined || code.length === 0) break
    steps.push({ ...target!, code })
  }
  return steps
}

/** Returns whether code contains the storage slot of diamond proxies (EIP-2535). */
export function isDiamond(code: Uint8Array): boolean {
  const proxy = proxyOf(code)
  return proxy.kind === 'inStorage' && proxy.kinds.some(({ kind }) => kind === 'diamond')
}

const MOST_PROXIES = 4

/** Returns the contract of a proxy's implementation, or of the account's own code; `undefined` if both are unknown. */
export function contractAt(
  state: AccountsView,
  address: Address,
  find: FindCode,
  selector?: Hex | undefined,
): CodeMatch | undefined {
  const own = state.code(address)
  const { code } = implementationOf(state, address, own, selector)
  return find(code, false) ?? (code === own ? undefined : find(own, false))
}

type Proxy =
  | { readonly kind: 'inCode'; readonly target: Target }
  | { readonly kind: 'inStorage'; readonly kinds: readonly StorageKind[] }

type Target = Pick<ProxyStep, 'address' | 'kind'>

function targetOf(
  state: AccountsView,
  address: Address,
  code: Uint8Array,
  selector: Hex | undefined,
): Target | undefined {
  const proxy = proxyOf(code)
  if (proxy.kind === 'inCode') return proxy.target
  for (const { kind, read } of proxy.kinds) {
    const target = read(state, address, selector)
    if (target !== undefined) return { kind, address: target }
  }
  return undefined
}

const proxyOf = oncePer(proxyIn)

/** Code of EIP-1167 proxies before and after the implementation's address. Solady's and Vyper's code is shorter. */
const CLONES = [
  ['363d3d373d3d3d363d73', '5af43d82803e903d91602b57fd5bf3'],
  ['3d3d3d3d363d3d37363d73', '5af43d3d93803e602a57fd5bf3'],
  ['365f5f375f5f365f73', '5af43d5f5f3e5f3d91602a57fd5bf3'],
  ['5f5f365f5f37365f73', '5af43d5f5f3e6029573d5ffd5b3d5ff3'],
] as const

/** Matches EIP-1167 code; immutable arguments may follow. */
const CLONE = new RegExp(CLONES.map(([before, after]) => `^${before}([0-9a-f]{40})${after}`).join('|'))

/** A kind of proxy that stores its implementation's address. */
interface StorageKind {
  readonly kind: ProxyKind
  /** Parts of code in hex. Storage is read only if the proxy's code contains one of these parts. */
  readonly signs: readonly string[]
  read(state: AccountsView, proxy: Address, selector: Hex | undefined): Address | undefined
}

/** Slots of EIP-1967: keccak-256 of `eip1967.proxy.implementation` and of `eip1967.proxy.beacon`, minus 1. */
const IMPLEMENTATION: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

const BEACON: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

/** keccak-256 of `diamond.standard.diamond.storage`, the slot of EIP-2535's reference implementations. */
const DIAMOND: Hex = '0xc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c'

const STORAGE_KINDS: readonly StorageKind[] = [
  {
    kind: 'eip1967',
    signs: [IMPLEMENTATION.slice(2)],
    read: (state, proxy) => codeAddress(state, state.storage(proxy, BigInt(IMPLEMENTATION))),
  },
  {
    kind: 'beacon',
    // OpenZeppelin's proxy has the beacon as an immutable, and pushes the selector of `implementation()` with PUSH4.
    signs: [BEACON.slice(2), '635c60da1b'],
    read(state, proxy) {
      const beacon = codeAddress(state, state.storage(proxy, BigInt(BEACON)))
      return beacon && implementationOfBeacon(state, beacon)
    },
  },
  {
    kind: 'diamond',
    signs: [DIAMOND.slice(2)],
    read(state, proxy, selector) {
      if (selector === undefined) return undefined
      const slot = mappingSlot(selector, DIAMOND)
      const entry = state.storage(proxy, slot)
      // The third reference implementation of EIP-2535 stores the address in the lower bytes, the others in the upper.
      return codeAddress(state, BigInt.asUintN(160, entry)) ?? codeAddress(state, entry >> 96n)
    },
  },
]

/** Slots in which beacons store the implementation: OpenZeppelin with an owner, without an owner, Solady. */
const BEACON_SLOTS = [1n, 0n, 0x911c5a209f08d5ec5en]

function proxyIn(code: Uint8Array): Proxy {
  const delegate = delegateOf(code)
  if (delegate !== undefined) return { kind: 'inCode', target: { kind: 'eip7702', address: delegate } }
  const digits = toDigits(code)
  const clone = CLONE.exec(digits)
    ?.slice(1)
    .find((address) => address !== undefined)
  if (clone !== undefined) return { kind: 'inCode', target: { kind: 'eip1167', address: `0x${clone}` } }
  const kinds = STORAGE_KINDS.filter(({ signs }) => signs.some((sign) => digits.includes(sign)))
  return { kind: 'inStorage', kinds }
}

function codeAddress(state: AccountsView, word: bigint): Address | undefined {
  if (word === 0n || word >> 160n !== 0n) return undefined
  const address: Address = `0x${word.toString(16).padStart(40, '0')}`
  return state.code(address).length > 0 ? address : undefined
}

/** Returns the implementation in one of `BEACON_SLOTS`. Skips slots that are not fetched yet. */
function implementationOfBeacon(state: AccountsView, beacon: Address): Address | undefined {
  for (const slot of BEACON_SLOTS) {
    try {
      const address = codeAddress(state, state.storage(beacon, slot))
      if (address !== undefined) return address
    } catch {}
  }
  return undefined
}

/** Returns the slot of `selector` in the mapping at `slot`. */
function mappingSlot(selector: Hex, slot: Hex): bigint {
  const key = selector.slice(2, 10).padEnd(64, '0')
  return BigInt(toHex(keccak256(fromHex(`0x${key}${slot.slice(2)}`))))
}
