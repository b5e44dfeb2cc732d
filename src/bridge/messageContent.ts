/** The content of a message: its sender and recipient, also if the messengers or the standard bridges carry it. */
import { type Address, toHex, toQuantity } from '../bytes/hex.ts'
import type { BridgeMessage, MessageContent } from '../model/l2/bridgeMessage.ts'
import { L2_CROSS_DOMAIN_MESSENGER, L2_STANDARD_BRIDGE } from '../model/l2/l2.ts'

/** The call that a message makes on the other chain. */
interface Call {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
}

/** `relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message)` */
const RELAY_MESSAGE = '0xd764ad0b'
/** `finalizeBridgeETH(address from, address to, uint256 amount, bytes extraData)` */
const FINALIZE_BRIDGE_ETH = '0x1635f5fd'
/** `finalizeBridgeERC20(address localToken, address remoteToken, address from, address to, uint256 amount, bytes extraData)` */
const FINALIZE_BRIDGE_ERC20 = '0x0166a07a'

/** Returns the content of the call that a message makes. The messenger and the bridge are recognized at their end on L2. */
export function contentOf(kind: BridgeMessage['kind'], call: Call): MessageContent {
  const onL2 = kind === 'deposit' ? 'to' : 'from'
  const { selector, args } = functionOf(call.data)
  if (call[onL2] !== L2_CROSS_DOMAIN_MESSENGER || selector !== RELAY_MESSAGE) return plain(call)
  const relayed = plain({ from: addressAt(args, 1), to: addressAt(args, 2), value: wordAt(args, 3) })
  return relayed[onL2] === L2_STANDARD_BRIDGE ? bridgedOf(kind, relayed, bytesAt(args, 5)) : relayed
}

function bridgedOf(kind: BridgeMessage['kind'], relayed: MessageContent, data: Uint8Array): MessageContent {
  const { selector, args } = functionOf(data)
  switch (selector) {
    case FINALIZE_BRIDGE_ETH:
      return { ...relayed, from: addressAt(args, 0), to: addressAt(args, 1) }
    case FINALIZE_BRIDGE_ERC20: {
      const [local, remote] = [addressAt(args, 0), addressAt(args, 1)]
      const [l1, l2] = kind === 'deposit' ? [remote, local] : [local, remote]
      const token = { l1, l2, amount: wordAt(args, 4) }
      return { ...relayed, from: addressAt(args, 2), to: addressAt(args, 3), token }
    }
    default:
      return relayed
  }
}

function plain({ from, to, value }: Omit<Call, 'data'>): MessageContent {
  return { from, to, value, token: undefined }
}

function functionOf(data: Uint8Array): { readonly selector: string; readonly args: Uint8Array } {
  return { selector: toHex(data.subarray(0, 4)), args: data.subarray(4) }
}

/** Returns the word at `index` of ABI-encoded arguments. Missing bytes are 0. */
export function wordAt(args: Uint8Array, index: number): bigint {
  const word = new Uint8Array(32)
  word.set(args.subarray(32 * index, 32 * index + 32))
  return toQuantity(word)
}

export function addressAt(args: Uint8Array, index: number): Address {
  return `0x${wordAt(args, index).toString(16).padStart(40, '0').slice(-40)}`
}

/** Returns the argument of type `bytes` at `index`. */
export function bytesAt(args: Uint8Array, index: number): Uint8Array {
  const start = Number(wordAt(args, index))
  const length = Number(toQuantity(args.subarray(start, start + 32)))
  return args.subarray(start + 32, start + 32 + length)
}
