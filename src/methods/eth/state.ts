import { toHex } from '../../bytes/hex.ts'
import { nextNonce } from '../../chain/moment.ts'
import { params, read } from '../../rpc/method.ts'
import { prove } from '../../state/accountReads.ts'
import { encodeCode, encodeQuantity, encodeWord, parseAddress, parseSlot } from '../../wire/hex.ts'
import { parseSelectorOrLatest } from '../../wire/selector.ts'
import { encodeProof, parseSlotsByAccount, parseStorageKeys } from '../../wire/storageKey.ts'

export const eth_getBalance = read(params(parseAddress, parseSelectorOrLatest), (context, owner, at) => {
  const { state } = context.at(at)
  return encodeQuantity(state.account(owner)?.balance ?? 0n)
})

export const eth_getCode = read(params(parseAddress, parseSelectorOrLatest), (context, owner, at) => {
  const { state } = context.at(at)
  return encodeCode(state.code(owner))
})

export const eth_getTransactionCount = read(
  params(parseAddress, parseSelectorOrLatest),
  (context, owner, at) => {
    const { state } = context.at(at)
    const countsPool = context.options.pendingNonce === 'pool'
    const withWaiting = countsPool ? context.pool.nextNonce.bind(context.pool) : undefined
    return encodeQuantity(nextNonce(state, at, owner, withWaiting))
  },
)

export const eth_getStorageAt = read(
  params(parseAddress, parseSlot, parseSelectorOrLatest),
  (context, owner, slot, at) => {
    const { state } = context.at(at)
    return encodeWord(state.storage(owner, slot))
  },
)

/**
 * Returns a proof against the state root. For `pending`, no header contains this root yet. For the fork block, the
 * proof shows the network's values, even if a cheat has changed these values.
 */
export const eth_getProof = read(
  params(parseAddress, parseStorageKeys, parseSelectorOrLatest),
  (context, owner, keys, at) => {
    const { block, state } = context.at(at)
    const proven = block.hash === context.network?.block.hash ? state.unchanged : state
    const slots = keys.map(({ slot }) => slot)
    return encodeProof(prove(proven, owner, slots), keys)
  },
)

/** Returns `null` for an account that does not exist, as reth does. */
export const eth_getAccount = read(params(parseAddress, parseSelectorOrLatest), (context, owner, at) => {
  const { state } = context.at(at)
  const record = state.record(owner)
  if (record === undefined) return null
  return {
    balance: encodeQuantity(record.balance),
    codeHash: toHex(record.codeHash),
    nonce: encodeQuantity(record.nonce),
    storageRoot: toHex(state.storageRoot(record)),
  }
})

export const eth_getAccountInfo = read(params(parseAddress, parseSelectorOrLatest), (context, owner, at) => {
  const { state } = context.at(at)
  const account = state.account(owner)
  return {
    balance: encodeQuantity(account?.balance ?? 0n),
    code: encodeCode(state.code(owner)),
    nonce: encodeQuantity(account?.nonce ?? 0n),
  }
})

/** Returns several slots of several accounts (execution-apis pull request 756). */
export const eth_getStorageValues = read(
  params(parseSlotsByAccount, parseSelectorOrLatest),
  (context, wanted, at) => {
    const { state } = context.at(at)
    return Object.fromEntries(
      wanted.map(({ address, slots }) => [
        address,
        slots.map((slot) => encodeWord(state.storage(address, slot))),
      ]),
    )
  },
)
