import { type Address, toHex } from '../../bytes/hex.ts'
import { accountHistory } from '../../chain/accountHistory.ts'
import type { Moment } from '../../chain/moment.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { proxySteps } from '../../solidity/artifacts/proxies.ts'
import type { LikelyKeys } from '../../solidity/debug/accountStorage.ts'
import type { Layout } from '../../solidity/debug/layout.ts'
import { readTogether } from '../../state/fetchingView.ts'
import { slotKey } from '../../state/hashedKey.ts'
import type { AccountRecord } from '../../state/state.ts'
import { entries, entriesAfter } from '../../state/trie.ts'
import { encodeWord, parseAddress, parseSlot } from '../../wire/hex.ts'
import { InvalidValue, type JsonObject, text } from '../../wire/parser.ts'
import { pageOf } from '../../wire/parts.ts'
import { parseSelectorOrLatest } from '../../wire/selector.ts'
import { plain } from '../solidity/sourceTracer.ts'

/**
 * Returns a variable of an account, such as `balances[0x…]` or `items[3].note`. Returns all members of a struct,
 * but only the first elements of an array. For a proxy, uses the variables of its implementation.
 */
export const preseal_getVariable = read.long(
  params(parseAddress, text, parseSelectorOrLatest),
  async (context, address, name, at) => {
    await context.artifacts?.load()
    const moment = context.at(at)
    const { state } = moment
    const { contract, layouts } = await layoutsAt(context, moment, address)
    const { storedVariable } = await import('../../solidity/debug/accountStorage.ts')
    const word = (slot: bigint) => state.storage(address, slot)
    const found = storedVariable(layouts, name, { address, word })
    if (found.kind === 'none') {
      const { message: detail } = new InvalidValue('params[1]', found.expected, name)
      throw new Problem({ kind: 'invalidParams', argument: 1, detail })
    }
    // On a fork, all slots are fetched in one batch.
    readTogether(state, (view) => found.slots.map((slot) => view.storage(address, slot)))
    const entries = found.slots.map((slot) => encodeEntry(slot, word(slot), found.variablesIn(slot)))
    return { contract: contract ?? null, name: found.name, type: found.type, entries, isCut: found.isCut }
  },
)

const MOST_SLOTS = 20_000

/**
 * Returns the variables of an account in the order of their declarations, followed by at most `limit` other
 * non-zero slots, such as elements of arrays and mappings. Later pages have only such other slots; on a fork, only
 * those that the devnet changed. Mapping keys come from the transactions that changed the account, and their logs.
 * For other elements of the variables in `keyed`, use `preseal_getVariable`.
 */
export const preseal_getStorage = read.long(
  params(parseAddress, parseSelectorOrLatest, pageOf(parseSlot, 100, 1_000)),
  async (context, address, at, { limit, after }) => {
    await context.artifacts?.load()
    const moment = context.at(at)
    const { state } = moment
    const record = state.record(address)
    const { contract, layouts } = await layoutsAt(context, moment, address)
    const plainSlots = [...new Set(layouts.flatMap((layout) => [...layout.slots()]))]
    const { others, next } = otherSlots(record, new Set(plainSlots), limit, after)
    const shown = after === undefined ? [...plainSlots, ...others] : others
    // On a fork, all slots are fetched in one batch.
    readTogether(state, (view) => shown.map((slot) => view.storage(address, slot)))
    const set = new Set(slotsOf(record))
    const slots = {
      address,
      word: (slot: bigint) => state.storage(address, slot),
      isSet: (slot: bigint) => set.has(slot),
    }
    const { storageNaming } = await import('../../solidity/debug/accountStorage.ts')
    const keys = layouts.length === 0 ? NO_KEYS : await likelyKeys(context, moment, address)
    const variablesIn = await storageNaming(layouts, slots, keys, () => context.work.pause())
    const encoded: JsonObject[] = []
    for (const slot of shown) {
      await context.work.pause()
      encoded.push(encodeEntry(slot, slots.word(slot), variablesIn(slot)))
    }
    return {
      contract: contract ?? null,
      entries: encoded,
      keyed: layouts.flatMap(keyedIn),
      next: next === undefined ? null : encodeWord(next),
      isPartial: record?.remote !== undefined,
    }
  },
)

function encodeEntry(
  slot: bigint,
  word: bigint,
  variables: readonly { readonly name: string; readonly type: string; readonly value?: unknown }[],
): JsonObject {
  return {
    slot: encodeWord(slot),
    word: encodeWord(word),
    variables: variables.map(({ name, type, value }) => ({ name, type, value: plain(value) ?? null })),
  }
}

/** Returns the storage layout of the code that a call of the account runs; for a proxy, also the proxy's own. */
export async function layoutsAt(
  { artifacts }: ReadContext,
  { state }: Moment,
  address: Address,
): Promise<{ readonly contract: string | undefined; readonly layouts: readonly Layout[] }> {
  const own = state.code(address)
  if (artifacts === undefined || own.length === 0) return { contract: undefined, layouts: [] }
  const codes = [own, ...proxySteps(state, address, own).map(({ code }) => code)].reverse()
  const { layoutsOf } = await import('../../solidity/debug/runningCode.ts')
  const contracts = codes.flatMap((code) => {
    const match = artifacts.find(code, false)
    return match?.kind === 'contract' ? [match.contract] : []
  })
  const layouts = contracts.flatMap((one) => layoutsOf(one).storage ?? [])
  return { contract: contracts[0]?.name, layouts }
}

function keyedIn(layout: Layout): JsonObject[] {
  return layout.variables.flatMap(({ label: name, type: id }) => {
    const type = layout.type(id)
    const isKeyed = type?.encoding === 'mapping' || type?.encoding === 'dynamic_array'
    return isKeyed ? [{ name, type: type.label }] : []
  })
}

function otherSlots(
  record: AccountRecord | undefined,
  plainSlots: ReadonlySet<bigint>,
  limit: number,
  after: bigint | undefined,
): { readonly others: readonly bigint[]; readonly next: bigint | undefined } {
  const others: bigint[] = []
  const found = after === undefined ? entries(record?.slots) : entriesAfter(record?.slots, slotKey(after))
  for (const [, { slot, value }] of found) {
    if (value === 0n || plainSlots.has(slot)) continue
    if (others.length === limit) return { others, next: others.at(-1) }
    others.push(slot)
  }
  return { others, next: undefined }
}

function* slotsOf(record: AccountRecord | undefined): Generator<bigint> {
  let count = 0
  for (const [, { slot, value }] of entries(record?.slots)) {
    if (++count > MOST_SLOTS) return
    if (value !== 0n) yield slot
  }
}

const NO_KEYS: LikelyKeys = { words: [], texts: [] }
/** The search for mapping keys has these limits, so that it ends in a short time. */
const MOST_BLOCKS = 100
const MOST_TRANSACTIONS = 500
const MOST_BYTES = 2_048
const MOST_WORDS = 5_000
const MOST_ACCOUNTS = 500
const SMALL_NUMBERS = 256

/** Returns possible mapping keys: addresses, small numbers, and words of the account's transactions and their logs. */
async function likelyKeys(
  { chain, work }: ReadContext,
  moment: Moment,
  address: Address,
): Promise<LikelyKeys> {
  const words = new Set<bigint>()
  const texts = new Map<string, Uint8Array>()
  const read = (data: Uint8Array, from: number) => {
    const end = Math.min(data.length, from + MOST_BYTES)
    for (let at = from; at + 32 <= end && words.size < MOST_WORDS; at += 32) {
      const word = BigInt(toHex(data.subarray(at, at + 32)))
      words.add(word)
      // If the key is bytes or a string, the word may be its length, and the key's bytes follow the word.
      const bytes =
        word > 0n && word <= MOST_TEXT ? data.subarray(at + 32, at + 32 + Number(word)) : undefined
      if (bytes?.length === Number(word)) texts.set(toHex(bytes), bytes)
    }
  }
  const end = moment.block.header.number + 1n
  const { steps } = await accountHistory(chain, address, { limit: MOST_BLOCKS, end }, () => work.pause())
  let count = 0
  for (const { moment: changed, first } of steps) {
    const { transactions, receipts } = changed.block
    for (let index = first; index < transactions.length && count < MOST_TRANSACTIONS; index++, count++) {
      const { from, to, data } = transactions[index]!
      words.add(BigInt(from))
      if (to !== undefined) words.add(BigInt(to))
      read(data, to === undefined ? data.length % 32 : 4)
      for (const log of receipts[index]!.logs) {
        for (const topic of log.topics.slice(1)) words.add(BigInt(topic))
        read(log.data, 0)
      }
    }
  }
  let accounts = 0
  for (const { address: account } of moment.state.records()) {
    if (++accounts > MOST_ACCOUNTS) break
    words.add(BigInt(account))
  }
  for (let number = 0n; number < SMALL_NUMBERS; number++) words.add(number)
  return { words: [...words], texts: [...texts.values()] }
}

const MOST_TEXT = 256n
