/** The call tree of a transaction (`callTracer`): rows, keyboard navigation, flame graph and transfers. */
import { fromHex, type Hex } from '../../../bytes/hex.ts'
import { PRECOMPILES } from '../../../model/hardfork/ruleTables.ts'
import { consoleText, consoleValues } from '../../../solidity/abi/consoleLog.ts'
import type { RpcLog } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { addressIn, multiTransfers } from '../../accounts/tokens.ts'

export interface CallNode {
  readonly index: number
  readonly parent: number | undefined
  readonly depth: number
  readonly frame: RpcCallFrame
  readonly children: readonly number[]
  /** Index after the last call within this call. Calls are in the order of execution. */
  readonly end: number
  /** Whether this call or an outer call was reverted. */
  readonly isUndone: boolean
  /** Gas used by this call, without inner calls. */
  readonly ownGas: number
  /** Gas used by earlier calls, which is the horizontal position in the flame graph. */
  readonly startGas: number
}

const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67'

export function isConsole({ to }: RpcCallFrame): boolean {
  return to === CONSOLE
}

/** Returns the text printed by a call of `console.log`. Returns the calldata if console.sol has no such function. */
export function consoleLine(input: Hex): string {
  const values = consoleValues(fromHex(input))
  return values === undefined ? input : consoleText(values)
}

/** Returns the implementation to which a proxy forwards a call, recognized by a DELEGATECALL with the same input. */
export function delegateOf({ input, calls = [] }: RpcCallFrame): string | undefined {
  return calls.find((call) => call.type === 'DELEGATECALL' && call.input === input)?.to
}

/** Returns the name of the precompile at an address, in any hardfork. */
export function precompileAt(address: string | undefined): string | undefined {
  return PRECOMPILES.find((precompile) => precompile.address === address)?.label
}

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
  nodes[index] = {
    index,
    parent,
    depth,
    frame,
    children,
    end: nodes.length,
    isUndone,
    ownGas,
    startGas,
  }
  return index
}

/** Returns the indexes of the visible calls: those without a closed ancestor. */
export function visibleNodes(nodes: readonly CallNode[], closed: ReadonlySet<number>): number[] {
  const shown: number[] = []
  for (let index = 0; index < nodes.length; index = closed.has(index) ? nodes[index]!.end : index + 1) {
    shown.push(index)
  }
  return shown
}

export interface TreeState {
  readonly chosen: number
  readonly closed: ReadonlySet<number>
}

/**
 * Returns the tree state after a keyboard key of the ARIA tree pattern; `undefined` for other keys. Right opens a call
 * or moves to its first inner call. Left closes a call or moves to its caller. `*` opens all calls.
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

export function toggled({ chosen, closed }: TreeState, index: number): TreeState {
  const next = new Set(closed)
  if (!next.delete(index)) next.add(index)
  return { chosen, closed: next }
}

interface FlameBox {
  readonly index: number
  readonly row: number
  /** Position of the left edge, from 0 to 1. */
  readonly left: number
  /** Width, from 0 to 1. */
  readonly width: number
}

export function hasFlame(nodes: readonly CallNode[]): boolean {
  return flameBoxes(nodes, 0).length > 1
}

/** Minimum width of a box. Narrower boxes would be invisible. */
const NARROWEST = 1 / 1500

/** Returns a box for each call within `zoomed`, and a box of full width for each of its ancestors. */
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

/** A token transfer, found by its event: of an amount (ERC-20), an id (ERC-721), or an amount of an id (ERC-1155). */
type TokenTransfer = {
  readonly token: Hex
  readonly from: Hex
  readonly to: Hex
} & (
  | { readonly kind: 'amount'; readonly amount: bigint }
  | { readonly kind: 'id'; readonly id: bigint }
  | { readonly kind: 'amountOfId'; readonly id: bigint; readonly amount: bigint }
)

/** Calls that transfer ether. A DELEGATECALL has the value of its caller but transfers nothing. */
const MOVING: ReadonlySet<string> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** Returns the ether transfers of inner calls in order, except reverted ones. */
export function etherTransfers(root: RpcCallFrame) {
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

/** Topic of `Transfer(address,address,uint256)`, which ERC-20 and ERC-721 share. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Returns the token transfers in logs, in order. Ignores events of this signature that match no token standard. */
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
