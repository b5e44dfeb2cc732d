/** The tree of a transaction's calls (`callTracer`), in the order of its rows. */
import type { Hex } from '../../../bytes/hex.ts'
import { PRECOMPILES } from '../../../model/hardfork/ruleTables.ts'
import type { RpcLog } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { addressIn, multiTransfers } from '../../accounts/tokens.ts'

/** A call in the tree. */
export interface CallNode {
  /** Its place among all calls, in the order in which they began. */
  readonly index: number
  readonly parent: number | undefined
  readonly depth: number
  readonly frame: RpcCallFrame
  /** The indexes of its own calls. */
  readonly children: readonly number[]
  /** The index behind its last descendant. */
  readonly end: number
  /** Whether it, or a call around it, failed: what it did is undone. */
  readonly isUndone: boolean
  /** Without what its calls used. */
  readonly ownGas: number
  /** The gas that began before it, in the whole run: where it stands in a flame graph. */
  readonly startGas: number
}

const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67'

/** Returns whether a call is one of `console.log`. */
export function isConsole({ to }: RpcCallFrame): boolean {
  return to === CONSOLE
}

/** Returns the address whose code a call hands its whole input to, as proxies do; `undefined`: none. */
export function delegateOf({ input, calls = [] }: RpcCallFrame): string | undefined {
  return calls.find((call) => call.type === 'DELEGATECALL' && call.input === input)?.to
}

/** Returns the name of the precompile at an address; `undefined`: there is none under any hardfork. */
export function precompileAt(address: string | undefined): string | undefined {
  return PRECOMPILES.find((precompile) => precompile.address === address)?.label
}

/** Returns all calls in the order in which they began. */
export function callNodes(root: RpcCallFrame): CallNode[] {
  const nodes: CallNode[] = []
  add(nodes, root, undefined, 0, false, 0)
  return nodes
}

function add(
  nodes: CallNode[],
  frame: RpcCallFrame,
  parent: number | undefined,
  depth: number,
  isAroundUndone: boolean,
  startGas: number,
): number {
  const index = nodes.length
  const isUndone = isAroundUndone || frame.error !== undefined
  nodes.push(undefined as never)
  const children: number[] = []
  let used = 0
  for (const call of frame.calls ?? []) {
    children.push(add(nodes, call, index, depth + 1, isUndone, startGas + used))
    used += Number(call.gasUsed)
  }
  const ownGas = Math.max(0, Number(frame.gasUsed) - used)
  nodes[index] = { index, parent, depth, frame, children, end: nodes.length, isUndone, ownGas, startGas }
  return index
}

/** Returns the indexes of the calls that are seen: all but those within `closed` ones. */
export function visibleNodes(nodes: readonly CallNode[], closed: ReadonlySet<number>): number[] {
  const shown: number[] = []
  for (let index = 0; index < nodes.length; index = closed.has(index) ? nodes[index]!.end : index + 1) {
    shown.push(index)
  }
  return shown
}

/** A move in the tree by a key: which call is chosen then, and which are closed. */
export interface TreeState {
  readonly chosen: number
  readonly closed: ReadonlySet<number>
}

/**
 * Returns the tree after a key, as the pattern of ARIA for trees has it: up and down go through what is seen, right opens or goes
 * into, left closes or goes out, Home and End go to the first and last, `*` opens all. `undefined` for other keys.
 */
export function afterKey(
  key: string,
  { chosen, closed }: TreeState,
  nodes: readonly CallNode[],
): TreeState | undefined {
  const shown = visibleNodes(nodes, closed)
  const at = shown.indexOf(chosen)
  const node = nodes[chosen]!
  const to = (next: number | undefined) => ({ chosen: next ?? chosen, closed })
  switch (key) {
    case 'ArrowDown':
      return to(shown[at + 1])
    case 'ArrowUp':
      return to(shown[at - 1])
    case 'Home':
      return to(shown[0])
    case 'End':
      return to(shown.at(-1))
    case 'ArrowRight':
      if (node.children.length === 0) return to(undefined)
      return closed.has(chosen) ? toggled({ chosen, closed }, chosen) : to(node.children[0])
    case 'ArrowLeft':
      return node.children.length > 0 && !closed.has(chosen)
        ? toggled({ chosen, closed }, chosen)
        : to(node.parent)
    case 'Enter':
    case ' ':
      return node.children.length > 0 ? toggled({ chosen, closed }, chosen) : to(undefined)
    case '*':
      return { chosen, closed: new Set() }
    default:
      return undefined
  }
}

/** Returns the tree with a call opened that was closed, or the other way round. */
export function toggled({ chosen, closed }: TreeState, index: number): TreeState {
  const next = new Set(closed)
  if (!next.delete(index)) next.add(index)
  return { chosen, closed: next }
}

/** A rectangle of the flame graph: parts of the whole width, and the row. */
export interface FlameBox {
  readonly index: number
  readonly row: number
  /** From 0 to 1. */
  readonly left: number
  readonly width: number
}

/** Returns whether some call within the whole uses enough of its gas to be seen in a flame graph. */
export function hasFlame(nodes: readonly CallNode[]): boolean {
  return flameBoxes(nodes, 0).length > 1
}

/** A box that is narrower than this part of the width is not drawn: nobody would see it. */
const NARROWEST = 1 / 1500

/** Returns the boxes of the calls within the one at `zoomed`, and of those around it, which take the whole width. */
export function flameBoxes(nodes: readonly CallNode[], zoomed: number): FlameBox[] {
  const top = nodes[zoomed]!
  const whole = Math.max(1, Number(top.frame.gasUsed))
  const boxes: FlameBox[] = []
  for (let around = top.parent; around !== undefined; around = nodes[around]!.parent) {
    boxes.unshift({ index: around, row: nodes[around]!.depth, left: 0, width: 1 })
  }
  for (let index = zoomed; index < top.end; ) {
    const node = nodes[index]!
    const left = (node.startGas - top.startGas) / whole
    const width = Math.min(Number(node.frame.gasUsed) / whole, 1 - left)
    const isSeen = index === zoomed || width >= NARROWEST
    if (isSeen) boxes.push({ index, row: node.depth, left, width: index === zoomed ? 1 : width })
    index = isSeen ? index + 1 : node.end
  }
  return boxes
}

/** Ether that a call or creation within the transaction moved. */
interface EtherTransfer {
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
export function etherTransfers(root: RpcCallFrame): readonly EtherTransfer[] {
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
export function tokenTransfers(logs: readonly RpcLog[]): readonly TokenTransfer[] {
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
