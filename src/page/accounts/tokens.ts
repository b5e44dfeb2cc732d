/** Loads token balances of an account: ERC-20, and ERC-1155 (found by its transfer events). */
import type { Hex } from '../../bytes/hex.ts'
import { type Codec, encodeValues, eventValues, valuesOf } from '../../solidity/abi/codec.ts'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import type { RpcLog } from '../../wire/encode.ts'
import type { BlockParameter } from '../moment.ts'
import { type Ask, forkBlockNumber } from '../source/source.ts'

export interface Token {
  readonly address: Hex
  readonly name: string
  readonly symbol: string | undefined
  readonly decimals: number
}

const BALANCE_OF = '0x70a08231'

/** Returns whether an ABI has `balanceOf` and `transfer`, like ERC-20. An ERC-721 token has no `transfer`. */
export function isToken(codec: Codec): boolean {
  return codec.signature(BALANCE_OF) !== undefined && codec.signature('0xa9059cbb') !== undefined
}

/** Resolves to the token at `address`. If `decimals()` fails, `decimals` is 0. */
export async function tokenAt(request: Ask, address: Hex, block: BlockParameter): Promise<Token> {
  const [name, symbol, decimals] = await Promise.all([
    called(request, address, '0x06fdde03', block, 'string'),
    called(request, address, '0x95d89b41', block, 'string'),
    called(request, address, '0x313ce567', block, 'uint8'),
  ])
  // Some old tokens return their name as `bytes32`, which does not decode as `string`. Such a token has no name here.
  return {
    address,
    name: (name as string | undefined) ?? '',
    symbol: symbol as string | undefined,
    decimals: (decimals as number | undefined) ?? 0,
  }
}

export async function tokenBalance(
  request: Ask,
  token: Hex,
  owner: string,
  block: BlockParameter,
): Promise<bigint | undefined> {
  const data = `${BALANCE_OF}${owner.slice(2).padStart(64, '0')}`
  return (await called(request, token, data, block, 'uint256')) as bigint | undefined
}

interface MultiTransfer {
  readonly from: Hex
  readonly to: Hex
  readonly id: bigint
  readonly amount: bigint
}

/** The balance of one token id. `balance` is `undefined` if the call failed. */
export interface MultiBalance {
  readonly contract: Hex
  readonly id: bigint
  readonly balance: bigint | undefined
}

/** The topic of `TransferSingle(address,address,address,uint256,uint256)`. */
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** The topic of `TransferBatch(address,address,address,uint256[],uint256[])`. */
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

const PARTIES: readonly Parameter[] = ['operator', 'from', 'to'].map((name) => ({
  name,
  type: 'address',
  indexed: true,
}))
const NOBODY = `0x${'0'.repeat(40)}`

/** Decodes an ERC-1155 log. A transfer of 0 from and to the zero address only announces that the id exists. */
export function multiTransfers({ topics: [event, ...parties], data }: RpcLog): readonly MultiTransfer[] {
  // A `TransferSingle` event has exactly two words of data.
  if (event !== BATCH && (event !== SINGLE || data.length !== 2 + 2 * 64)) return []
  const type = event === BATCH ? 'uint256[]' : 'uint256'
  const values = eventValues([...PARTIES, { type }, { type }], parties, data)
  const [ids = [], amounts = []] = (values?.slice(3) ?? []).map((each) => [each].flat() as bigint[])
  const [, from, to] = parties.map(addressIn)
  if (from === undefined || to === undefined || ids.length !== amounts.length) return []
  return ids
    .map((id, i) => ({ from, to, id, amount: amounts[i]! }))
    .filter(({ amount }) => amount !== 0n || from !== NOBODY || to !== NOBODY)
}

/** Returns the address in a topic. `undefined` if the topic is another value. */
export function addressIn(topic: Hex): Hex | undefined {
  return /^0x0{24}[0-9a-f]{40}$/.test(topic) ? `0x${topic.slice(-40)}` : undefined
}

/** Maximum number of ERC-1155 tokens of an account whose balances are requested. */
const MOST = 100

/**
 * Resolves to the balances of ERC-1155 tokens that `owner` received since genesis (or the fork block). Includes only
 * contracts that declare ERC-1155 by ERC-165, because other contracts may emit events with the same signatures.
 */
export async function multiBalances(
  request: Ask,
  owner: string,
  block: BlockParameter,
): Promise<{ readonly balances: readonly MultiBalance[]; readonly isCut: boolean }> {
  const toBlock = typeof block === 'string' ? block : block.blockNumber
  const fromBlock = await firstOwn(request, toBlock)
  if (fromBlock === undefined) return { balances: [], isCut: false }
  const topics = [[SINGLE, BATCH], null, null, `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`]
  const logs = await request<readonly RpcLog[]>('eth_getLogs', [{ fromBlock, toBlock, topics }])
  const idsOf = new Map<Hex, Set<bigint>>()
  let count = 0
  for (const log of logs.toReversed()) {
    for (const { id } of multiTransfers(log)) {
      const ids = idsOf.get(log.address) ?? new Set()
      if (ids.has(id)) continue
      count++
      if (count <= MOST) idsOf.set(log.address, ids.add(id))
    }
  }
  const balances = await Promise.all(
    [...idsOf].map(([contract, ids]) => balancesOf(request, contract, owner, [...ids].sort(byValue), block)),
  )
  return { balances: balances.flat().filter(({ balance }) => balance !== 0n), isCut: count > MOST }
}

/** Resolves to the first block after the fork block (`earliest` without a fork); `undefined` if it is after `last`. */
async function firstOwn(request: Ask, last: string): Promise<string | undefined> {
  const forkBlock = await forkBlockNumber({ request })
  if (forkBlock === undefined) return 'earliest'
  const first = forkBlock + 1
  const end = await request<{ readonly number: Hex } | null>('eth_getBlockByNumber', [last, false])
  return end === null || Number(end.number) < first ? undefined : `0x${first.toString(16)}`
}

function byValue(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Calldata of `supportsInterface(0xd9b67a26)`. The argument is the interface id of ERC-1155. */
const IS_MULTI_TOKEN = `0x01ffc9a7d9b67a26${'0'.repeat(56)}`
/** The selector of `balanceOfBatch(address[],uint256[])`. */
const BALANCE_OF_BATCH = '0x4e1273f4'

/** Resolves to the balances of the token ids `ids`, or to an empty array if the contract does not declare ERC-1155. */
async function balancesOf(
  request: Ask,
  contract: Hex,
  owner: string,
  ids: readonly bigint[],
  block: BlockParameter,
): Promise<readonly MultiBalance[]> {
  if ((await called(request, contract, IS_MULTI_TOKEN, block, 'bool')) !== true) return []
  const values = encodeValues([{ type: 'address[]' }, { type: 'uint256[]' }], [ids.map(() => owner), ids])
  const data = `${BALANCE_OF_BATCH}${values.slice(2)}`
  const balances = (await called(request, contract, data, block, 'uint256[]')) as bigint[] | undefined
  return ids.map((id, i) => ({ contract, id, balance: balances?.[i] }))
}

/** Resolves to a call's result of type `type`; `undefined` if the call fails or the result does not decode. */
async function called(
  request: Ask,
  to: Hex,
  data: string,
  block: BlockParameter,
  type: string,
): Promise<unknown> {
  const bytes = await request<Hex>('eth_call', [{ to, data }, block]).catch(() => '0x' as Hex)
  return valuesOf([{ type }], bytes)?.[0]
}
