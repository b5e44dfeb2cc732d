/**
 * The names of the fields that the client's functions accept. An unknown field is refused with a hint at the right
 * one, since ignoring it would silently change the request.
 */

import type { Address, Hex } from '../bytes/hex.ts'
import { type KnownNames, namesOf, requireKnown } from '../model/api/arguments.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { shown } from '../wire/parser.ts'
import { checkArgument, unexpected } from './argument.ts'

interface Sending {
  readonly from: unknown
  readonly value: unknown
  readonly gas: unknown
  readonly until: unknown
}

interface Calling {
  readonly abi: unknown
  readonly address: unknown
  readonly functionName: unknown
  readonly args: unknown
}

interface Debugging {
  readonly at: unknown
  readonly to: unknown
  readonly data: unknown
}

const SENDING = { from: true, value: true, gas: true, until: true } as const
const CALLING = { abi: true, address: true, functionName: true, args: true } as const

/**
 * Fields of compiler output and of the result of `deploy`: ignored in parameters that take a contract, so that it can
 * be spread into them: `{ ...Token, ...deployed, functionName }`.
 */
const OF_CONTRACTS: KnownNames = new Set([
  'hash',
  'receipt',
  'bytecode',
  'deployedBytecode',
  'contractName',
  'sourceName',
  'inputSourceName',
  'linkReferences',
  'deployedLinkReferences',
  'immutableReferences',
  'buildInfoId',
  '_format',
  'methodIdentifiers',
  'metadata',
  'rawMetadata',
  'devdoc',
  'userdoc',
  'evm',
  'ast',
  'id',
])

const FIELDS = {
  deploy: namesOf<Sending & { readonly args: unknown; readonly libraries: unknown }>({
    ...SENDING,
    args: true,
    libraries: true,
  }),
  read: namesOf<Calling & { readonly from: unknown; readonly at: unknown }>({
    ...CALLING,
    from: true,
    at: true,
  }),
  write: namesOf<Calling & Sending>({ ...CALLING, ...SENDING }),
  send: namesOf<Sending & { readonly to: unknown; readonly data: unknown }>({
    ...SENDING,
    to: true,
    data: true,
  }),
  debug: namesOf<Calling & Omit<Sending, 'until'> & Debugging>({
    ...CALLING,
    from: true,
    value: true,
    gas: true,
    at: true,
    to: true,
    data: true,
  }),
  deal: new Set(['wei', 'token', 'amount']),
} satisfies Readonly<Record<string, KnownNames>>

/** Throws a `TypeError` if `given` is not an object, or has a field that the function `what` does not accept. */
export function requireOwnFields(what: keyof typeof FIELDS, given: unknown): void {
  if (Array.isArray(given)) {
    const list = `[${given.map(shown).join(', ')}]`
    const hint = what === 'deploy' ? `; the arguments of the constructor are its args: { args: ${list} }` : ''
    throw new TypeError(`${what}: expected an object such as ${EXAMPLES[what]}, got ${list}${hint}`)
  }
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what}: expected an object such as ${EXAMPLES[what]}, got ${shown(given)}`)
  }
  requireKnown(what, given, FIELDS[what], { ignored: IGNORED[what], instead: INSTEAD[what] ?? OF_OTHERS })
}

const EXAMPLES = {
  deploy: '{ args: [5n] }',
  read: "{ abi, address, functionName: 'balanceOf', args: [owner] }",
  write: "{ abi, address, functionName: 'transfer', args: [to, 5n] }",
  send: '{ to, value: 5n }',
  debug: "{ abi, address, functionName: 'transfer', args: [to, 5n] }",
  deal: '{ wei: 5n }',
} as const

const FILLED_IN = 'it is filled in; to set it, use devnet.request with eth_sendTransaction'
const FUNCTION = 'the function is functionName'
const BLOCK = 'the block is at'

/**
 * Fields of viem, ethers and JSON-RPC that have another name here, and fields that only requests take; each with a
 * hint.
 */
const OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['account', 'the sender is from: an address'],
  ['gasLimit', 'the gas limit is gas'],
  ['input', 'the calldata is data'],
  ['amount', 'the amount in wei is value'],
  ['wei', 'the amount in wei is value'],
  ['name', FUNCTION],
  ['method', FUNCTION],
  ['params', 'args are the arguments of the function'],
  ['contract', 'the contract is address and abi'],
  ['block', BLOCK],
  ['blockNumber', BLOCK],
  ['blockHash', BLOCK],
  ['blockTag', BLOCK],
  ['nonce', FILLED_IN],
  ['gasPrice', FILLED_IN],
  ['maxFeePerGas', FILLED_IN],
  ['maxPriorityFeePerGas', FILLED_IN],
  ['accessList', FILLED_IN],
  ['authorizationList', FILLED_IN],
  ['blobs', FILLED_IN],
])

const IGNORED: Partial<Record<keyof typeof FIELDS, KnownNames>> = {
  read: OF_CONTRACTS,
  write: OF_CONTRACTS,
  debug: OF_CONTRACTS,
}

const INSTEAD: Partial<Record<keyof typeof FIELDS, ReadonlyMap<string, string>>> = {
  deal: new Map([['value', 'the amount in wei is wei']]),
}

/** Returns the address in lower case. */
export function addressOf(value: unknown, path: string): Address {
  const { address } = (typeof value === 'object' && value) as { address?: unknown }
  if (address !== undefined) throw unexpected(path, 'an address', value, 'give its .address')
  checkArgument({ type: 'address' }, value, path)
  return (value as Address).toLowerCase() as Address
}

/** Returns the number as JSON-RPC has it. */
export function quantityOf(value: unknown, path: string): Hex {
  checkArgument({ type: 'uint256' }, value, path)
  return encodeQuantity(value as bigint)
}

/** Returns the wei if they are more than 0. */
export function weiOf(value: unknown): bigint | undefined {
  return value === undefined || BigInt(value as bigint) === 0n ? undefined : BigInt(value as bigint)
}
