/** What a transaction moved besides its own value: ether between contracts, and tokens by their events. */
import { addressIn, multiTransfers } from '../../accounts/multiTokens.ts'
import type { CallFrame, Hex, LogAnswer } from '../../source/answers.ts'
import { callNodes } from './callTree.ts'

/** Ether that a call or creation within the transaction moved. */
export interface EtherTransfer {
  readonly from: Hex
  readonly to: Hex
  readonly amount: bigint
}

/** What the event of a token tells: that an amount moved (ERC-20), the one with an id (ERC-721), or an amount of an id (ERC-1155). */
export type TokenTransfer = {
  readonly token: Hex
  readonly from: Hex
  readonly to: Hex
} & (
  | { readonly kind: 'amount'; readonly amount: bigint }
  | { readonly kind: 'id'; readonly id: bigint }
  | { readonly kind: 'amountOfId'; readonly id: bigint; readonly amount: bigint }
)

/** Calls that move their value; of the others it is that of the call around them. */
const MOVING: ReadonlySet<string> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** Returns the transfers of ether within a transaction that were not undone, in their order. */
export function etherTransfers(root: CallFrame): readonly EtherTransfer[] {
  return callNodes(root).flatMap(({ depth, isUndone, frame: { type, from, to, value } }) =>
    depth === 0 ||
    isUndone ||
    to === undefined ||
    value === undefined ||
    !MOVING.has(type) ||
    BigInt(value) === 0n
      ? []
      : [{ from, to, amount: BigInt(value) }],
  )
}

/** `Transfer(address,address,uint256)`, of ERC-20 and of ERC-721. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Returns the transfers of tokens in logs, in their order. Events of the same name with other data or topics tell of none. */
export function tokenTransfers(logs: readonly LogAnswer[]): readonly TokenTransfer[] {
  return logs.flatMap((log): readonly TokenTransfer[] => {
    const { address: token, topics, data } = log
    if (topics[0] !== TRANSFER) {
      return multiTransfers(log).map((one) => ({ token, kind: 'amountOfId', ...one }))
    }
    const [, from, to] = topics.map(addressIn)
    if (from === undefined || to === undefined) return []
    const id = topics[3]
    if (id !== undefined) return data === '0x' ? [{ token, from, to, kind: 'id', id: BigInt(id) }] : []
    return data.length === 66 ? [{ token, from, to, kind: 'amount', amount: BigInt(data) }] : []
  })
}
