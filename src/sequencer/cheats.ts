/** The settings of cheat methods, as an immutable value that snapshots share. */

import type { Address, Hash } from '../bytes/hex.ts'
import type { ChainState } from '../chain/chain.ts'
import type { Header } from '../model/block/header.ts'
import type { AccountChange, State } from '../state/state.ts'

/** Overrides of one block: of the open block while it is empty, otherwise of the block after it. */
export interface NextBlock {
  /** Seconds since 1970. Making the block sets the clock to this time. */
  readonly timestamp?: bigint
  /** The base fee in wei. The base fees of later blocks are computed from it (EIP-1559). */
  readonly baseFeePerGas?: bigint
  readonly prevRandao?: Hash
  /** The gas limit. Later blocks inherit it. */
  readonly gasLimit?: bigint
}

export interface Cheats {
  readonly next: NextBlock
  /** The chain id of transactions and calls; `undefined` to use the initial chain id. */
  readonly chainId: bigint | undefined
  /** The coinbase of new blocks; `undefined` to use the option `coinbase`. */
  readonly coinbase: Address | undefined
  readonly extraData: Uint8Array | undefined
  /** Seconds between each block and its parent; `undefined` if blocks have the time of the clock. */
  readonly timestampInterval: bigint | undefined
  readonly impersonated: ReadonlySet<Address>
  readonly impersonatesAll: boolean
  /** Number of reorgs so far. `prevRandao` depends on it, so that new blocks differ from removed ones. */
  readonly branch: number
}

const NO_OVERRIDES: NextBlock = {}

export const NO_CHEATS: Cheats = {
  next: NO_OVERRIDES,
  chainId: undefined,
  coinbase: undefined,
  extraData: undefined,
  timestampInterval: undefined,
  impersonated: new Set(),
  impersonatesAll: false,
  branch: 0,
}

export function firstCheats({ autoImpersonates = false }: { readonly autoImpersonates?: boolean }): Cheats {
  return autoImpersonates ? { ...NO_CHEATS, impersonatesAll: true } : NO_CHEATS
}

/** Returns the cheats without the overrides of the next block, or `cheats` itself if there are none. */
export function withoutNextOverrides(cheats: Cheats): Cheats {
  const isNothingSet = Object.values(cheats.next).every((value) => value === undefined)
  return isNothingSet ? cheats : { ...cheats, next: NO_OVERRIDES }
}

export function impersonating(cheats: Cheats, account: Address): Cheats {
  return { ...cheats, impersonated: new Set([...cheats.impersonated, account]) }
}

export function notImpersonating(cheats: Cheats, account: Address): Cheats {
  return { ...cheats, impersonated: new Set([...cheats.impersonated].filter((other) => other !== account)) }
}

export function isImpersonated({ impersonated, impersonatesAll }: Cheats, sender: Address): boolean {
  return impersonatesAll || impersonated.has(sender)
}

/** Returns the timestamp of the block after `parent`. `seconds` is the clock's time. */
export function blockSeconds({ next, timestampInterval }: Cheats, parent: Header, seconds: bigint): bigint {
  if (next.timestamp !== undefined) return next.timestamp
  return timestampInterval === undefined ? seconds : parent.timestamp + timestampInterval
}

export function withOverrides(header: Header, { next, coinbase, extraData }: Cheats): Header {
  if (next === NO_OVERRIDES && coinbase === undefined && extraData === undefined) return header
  return {
    ...header,
    coinbase: coinbase ?? header.coinbase,
    extraData: extraData ?? header.extraData,
    gasLimit: next.gasLimit ?? header.gasLimit,
    prevRandao: next.prevRandao ?? header.prevRandao,
    baseFeePerGas: next.baseFeePerGas ?? header.baseFeePerGas,
  }
}

/** Computes account changes, such as an added balance, from the state that they apply to. */
export type StateCheat = (state: State) => readonly AccountChange[]

/**
 * Returns the chain with accounts changed in its latest and its pre-confirmed state. The change is not in the state
 * root of the latest block, but in that of the next block, so other nodes cannot re-execute this chain.
 */
export function withAccounts(chain: ChainState, cheat: StateCheat): ChainState {
  const { history, preconfirmed, open } = chain
  const { latest } = history
  const grown = open && { ...open, state: changed(open.state, cheat) }
  return {
    ...chain,
    history: history.withLatest({ ...latest, state: changed(latest.state, cheat) }),
    preconfirmed:
      preconfirmed === open
        ? grown
        : preconfirmed && { ...preconfirmed, state: changed(preconfirmed.state, cheat) },
    open: grown,
  }
}

function changed(state: State, cheat: StateCheat): State {
  const changes = cheat(state)
  state.requireAccounts(changes.map(({ address }) => address))
  return state.with(changes.filter((change) => state.account(change.address) || existsAfter(change)))
}

/** Returns whether the account exists after the change. An empty account does not exist (EIP-161). */
function existsAfter({ balance = 0n, nonce = 0n, code, storage }: AccountChange): boolean {
  const isSet = [...(storage ?? [])].some(([, value]) => value !== 0n)
  return balance > 0n || nonce > 0n || (code?.length ?? 0) > 0 || isSet
}
