/**
 * What a test may bend: the next block, who may send without a key, the state of the newest moments. Pure: the sequencer
 * holds a `Cheats` and makes a new one for each change, so that a snapshot takes it along for a pointer.
 */
import type { ChainState } from '../chain/chain.ts'
import type { Header } from '../model/block/header.ts'
import type { Address, Hash } from '../model/bytes/hex.ts'
import type { AccountChange, State } from '../state/state.ts'

/** What is withOverrides of one block: of the open one while it is empty, else of the next. */
export interface NextBlock {
  /** Seconds since 1970; the clock is set to it with the block. */
  readonly timestamp?: bigint
  /** Wei; later blocks follow from it (EIP-1559). */
  readonly baseFeePerGas?: bigint
  readonly prevRandao?: Hash
  /** Later blocks inherit it. */
  readonly gasLimit?: bigint
}

export interface Cheats {
  readonly next: NextBlock
  /** Of all that runs from now on; absent: that of the chain's beginning. */
  readonly chainId: bigint | undefined
  /** Of all blocks from now on; absent: that of the options. */
  readonly coinbase: Address | undefined
  /** Of all blocks from now on; absent: none. */
  readonly extraData: Uint8Array | undefined
  /** Seconds between each block and its parent; absent: the clock tells. */
  readonly timestampInterval: bigint | undefined
  /** Who may send without a key. */
  readonly impersonated: ReadonlySet<Address>
  /** Whether everybody may. */
  readonly impersonatesAll: boolean
  /** How many reorgs there were: blocks of another branch are other blocks. */
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

/** The cheats that a chain begins with. */
export function firstCheats({ autoImpersonates = false }: { readonly autoImpersonates?: boolean }): Cheats {
  return autoImpersonates ? { ...NO_CHEATS, impersonatesAll: true } : NO_CHEATS
}

/** The cheats once a block took what was withOverrides of the next. */
export function withoutNextOverrides(cheats: Cheats): Cheats {
  return cheats.next === NO_OVERRIDES ? cheats : { ...cheats, next: NO_OVERRIDES }
}

/** The cheats once `account` may send without a key. */
export function impersonating(cheats: Cheats, account: Address): Cheats {
  return { ...cheats, impersonated: new Set([...cheats.impersonated, account]) }
}

/** The cheats once it may no more. */
export function notImpersonating(cheats: Cheats, account: Address): Cheats {
  return { ...cheats, impersonated: new Set([...cheats.impersonated].filter((other) => other !== account)) }
}

export function isImpersonated({ impersonated, impersonatesAll }: Cheats, sender: Address): boolean {
  return impersonatesAll || impersonated.has(sender)
}

/** When the block after `parent` is made, which `seconds` of the clock would say otherwise. */
export function blockSeconds({ next, timestampInterval }: Cheats, parent: Header, seconds: bigint): bigint {
  if (next.timestamp !== undefined) return next.timestamp
  return timestampInterval === undefined ? seconds : parent.timestamp + timestampInterval
}

/** The header of an empty block, with what is withOverrides of it. */
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

/** What is to change about accounts, seen from a state: what is added depends on what was there. */
export type StateCheat = (state: State) => readonly AccountChange[]

/**
 * The chain with accounts changed in its newest moments, latest and pre-confirmed. Their headers stay: the latest one's
 * state root is that of the state before, and the next block's contains the change. No other node could run such a chain
 * again from its blocks.
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
  return state.with(cheat(state).filter((change) => state.account(change.address) || isSomething(change)))
}

/** An account that has nothing does not exist (EIP-161): to set zeros must not make one. */
function isSomething({ balance = 0n, nonce = 0n, code, storage }: AccountChange): boolean {
  const isSet = [...(storage ?? [])].some(([, value]) => value !== 0n)
  return balance > 0n || nonce > 0n || (code?.length ?? 0) > 0 || isSet
}
