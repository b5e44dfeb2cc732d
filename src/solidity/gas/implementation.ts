/** Whose code runs at an address: proxies pass each call to another contract, after which people name them. */
import { type Address, fromHex, toHex } from '../../model/bytes/hex.ts'
import type { StateView } from '../../state/view.ts'

/** Where the code of a proxy has the address of the code that it runs. */
type Proxy =
  | { readonly kind: 'inCode'; readonly target: Address }
  | { readonly kind: 'inSlot'; readonly slot: bigint }
  | { readonly kind: 'none' }

const known = new WeakMap<Uint8Array, Proxy>()

/** Code and where it is. */
export interface Implementation {
  readonly address: Address
  readonly code: Uint8Array
}

/**
 * Returns the code that a call of `address` runs: that of the implementation of a proxy (EIP-1167, EIP-1967), of the
 * delegate of an account (EIP-7702), otherwise `own`, the code of the account itself.
 */
export function implementationOf(state: StateView, address: Address, own: Uint8Array): Implementation {
  const target = targetOf(state, address, own)
  const code = target === undefined ? own : state.code(target)
  return target === undefined || code.length === 0 ? { address, code: own } : { address: target, code }
}

function targetOf(state: StateView, address: Address, code: Uint8Array): Address | undefined {
  let proxy = known.get(code)
  if (proxy === undefined) {
    proxy = proxyIn(code)
    known.set(code, proxy)
  }
  switch (proxy.kind) {
    case 'inCode':
      return proxy.target
    case 'inSlot':
      return addressIn(state.storage(address, proxy.slot))
    case 'none':
      return undefined
  }
}

/** keccak-256 of `eip1967.proxy.implementation`, minus 1 (EIP-1967). */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const SLOT_BYTES = fromHex(IMPLEMENTATION_SLOT)
/** EIP-7702: the code of an account that runs the code of the address behind these bytes. */
const DELEGATION = fromHex('0xef0100')
/** EIP-1167: the code before and after the address. */
const BEFORE_TARGET = fromHex('0x363d3d373d3d3d363d73')
const AFTER_TARGET = fromHex('0x5af43d82803e903d91602b57fd5bf3')
const ADDRESS_BYTES = 20

function proxyIn(code: Uint8Array): Proxy {
  if (code.length === DELEGATION.length + ADDRESS_BYTES && isAt(code, DELEGATION, 0)) {
    return { kind: 'inCode', target: addressAt(code, DELEGATION.length) }
  }
  const after = BEFORE_TARGET.length + ADDRESS_BYTES
  if (isAt(code, BEFORE_TARGET, 0) && isAt(code, AFTER_TARGET, after)) {
    return { kind: 'inCode', target: addressAt(code, BEFORE_TARGET.length) }
  }
  for (let at = code.indexOf(SLOT_BYTES[0]!); at !== -1; at = code.indexOf(SLOT_BYTES[0]!, at + 1)) {
    if (isAt(code, SLOT_BYTES, at)) return { kind: 'inSlot', slot: BigInt(IMPLEMENTATION_SLOT) }
  }
  return { kind: 'none' }
}

function isAt(code: Uint8Array, bytes: Uint8Array, at: number): boolean {
  return bytes.every((byte, i) => byte === code[at + i])
}

function addressAt(code: Uint8Array, at: number): Address {
  return toHex(code.subarray(at, at + ADDRESS_BYTES)) as Address
}

function addressIn(word: bigint): Address | undefined {
  if (word === 0n) return undefined
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}` as Address
}
