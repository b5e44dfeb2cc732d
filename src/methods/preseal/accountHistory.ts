import { type Address, type Hash, toHex } from '../../bytes/hex.ts'
import { type AccountStep, accountHistory } from '../../chain/accountHistory.ts'
import { params, read } from '../../rpc/method.ts'
import { type AccountRecord, EMPTY_CODE_HASH } from '../../state/state.ts'
import { changesBetween } from '../../state/trieChanges.ts'
import { encodeQuantity, encodeWord, parseAddress, parseUint64 } from '../../wire/hex.ts'
import { type JsonObject, optional } from '../../wire/parser.ts'
import { limitOf, partOf } from '../../wire/parts.ts'

const MOST_SLOTS = 100

const parsePart = partOf({ limit: limitOf(20, 100), before: optional(parseUint64) })

/** Returns an account's changes, newest first. `next` is the value of the parameter `before` for the next page. */
export const preseal_getAccountHistory = read.long(
  params(parseAddress, parsePart),
  async ({ chain, work }, address, { limit, before: end }) => {
    const { steps, next } = await accountHistory(chain, address, { limit, end }, () => work.pause())
    const changes = steps.map((step) => encodeStep(address, step))
    return { changes, next: next === undefined ? null : encodeQuantity(next) }
  },
)

function encodeStep(address: Address, step: AccountStep): JsonObject {
  const { moment, before, after, slice, isSealed } = step
  const { number, timestamp } = moment.block.header
  const storage = storageOf(address, step)
  return {
    blockNumber: encodeQuantity(number),
    slice: slice === undefined ? null : encodeQuantity(slice),
    timestamp: encodeQuantity(timestamp),
    isSealed,
    transactions: transactionsOf(address, step),
    ...changed('balance', encodeQuantity(before?.balance ?? 0n), encodeQuantity(after?.balance ?? 0n)),
    ...changed('nonce', encodeQuantity(before?.nonce ?? 0n), encodeQuantity(after?.nonce ?? 0n)),
    ...(codeHashOf(before) === codeHashOf(after)
      ? {}
      : { code: { before: encodeCode(before), after: encodeCode(after) } }),
    ...(storage.slots.length === 0 ? {} : { storage }),
  }
}

function changed(name: string, before: string, after: string): JsonObject {
  return before === after ? {} : { [name]: { before, after } }
}

function codeHashOf(record: AccountRecord | undefined): Hash {
  return toHex(record?.codeHash ?? EMPTY_CODE_HASH)
}

function encodeCode(record: AccountRecord | undefined): JsonObject {
  return { hash: codeHashOf(record), size: encodeQuantity(record?.code.length ?? 0) }
}

function storageOf(address: Address, { earlier, before, after, moment }: AccountStep) {
  const slots: JsonObject[] = []
  for (const [, was, is] of changesBetween(before?.slots, after?.slots)) {
    const { slot } = (is ?? was)!
    const values = [earlier?.storage(address, slot) ?? 0n, moment.state.storage(address, slot)] as const
    if (values[0] === values[1]) continue
    if (slots.length === MOST_SLOTS) return { slots, isCut: true }
    slots.push({ slot: encodeWord(slot), before: encodeWord(values[0]), after: encodeWord(values[1]) })
  }
  return { slots, isCut: false }
}

function transactionsOf(address: Address, { moment: { block }, first }: AccountStep): readonly Hash[] {
  return block.transactions.slice(first).flatMap(({ hash, from, to }, i) => {
    const { contractAddress, logs } = block.receipts[first + i]!
    const names = from === address || to === address || contractAddress === address
    return names || logs.some((log) => log.address === address) ? [hash] : []
  })
}
