/** Types of the parameters and results of a devnet's own client. */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { Selector, Tag } from '../model/block/selector.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { LinkReferences } from '../solidity/artifacts/link.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import { parseSelector } from '../wire/selector.ts'
import type { Until } from './inclusion.ts'
import type { Receipt } from './receipt.ts'
import type {
  ConstructorArgs,
  ConstructorValue,
  Creation,
  Event,
  FunctionArgs,
  FunctionName,
  FunctionValue,
  Views,
  WithArgs,
  Writes,
} from './typed.ts'

/** Parameters of every transaction. */
interface SendOptions<until extends Until> {
  /** The sender: a development, impersonated or imported account. By default the first development account. */
  readonly from?: Address | undefined
  /** Gas limit, by default estimated. A transaction that would fail is sent only if `gas` is given. */
  readonly gas?: bigint | undefined
  /**
   * The state of the transaction at which the call returns. `accepted`: in the pool. `preconfirmed`: run in a slice;
   * under the rhythm `manual` the call makes ticks until then, under `interval` the call waits for a tick. `sealed`
   * (the default): in a sealed block. The call mines this block itself, under every rhythm.
   */
  readonly until?: until | undefined
}

export interface SendParameters<until extends Until> extends SendOptions<until> {
  readonly to: Address
  /** Value in wei. */
  readonly value?: bigint | undefined
  readonly data?: Hex | undefined
}

/** The hash of a transaction and its receipt. With `until: 'accepted'` there is no receipt. */
export type Sent<until extends Until = Until> = until extends 'accepted'
  ? { readonly hash: Hash }
  : { readonly hash: Hash; readonly receipt: Receipt }

/** Code and ABI of a contract: the artifact of a compiler, or an object with the same members. */
export type Deployable<abi extends Abi> = {
  readonly abi: abi
  /** The places in the code where addresses of libraries belong, in Hardhat's form. */
  readonly linkReferences?: LinkReferences | undefined
} /** Init code: hex as in artifacts of Hardhat and viem, or `{ object }` as in those of Foundry. */ & (
  | { readonly bytecode: Creation }
  /** Init code in the form of solc's output. */
  | { readonly evm: { readonly bytecode: Exclude<Creation, string> } }
)

interface CreationOptions<until extends Until, value> extends SendOptions<until> {
  /** Value in wei, if the constructor is payable. */
  readonly value?: value | undefined
  /** Addresses of libraries by name: `{ Math: address }` or `{ 'src/Math.sol:Math': address }`. */
  readonly libraries?: Readonly<Record<string, Address>> | undefined
}

export type DeployOptions<abi extends Abi, until extends Until> = WithArgs<ConstructorArgs<abi>> &
  CreationOptions<until, ConstructorValue<abi>>

/** Options for deploying a contract by name. The types of its constructor are not known. */
export interface DeployNamedOptions<until extends Until = Until> extends CreationOptions<until, bigint> {
  /** Arguments of the constructor. */
  readonly args?: readonly unknown[] | undefined
}

/** The parameter `options` of `deploy`, which may be absent if the constructor takes no arguments. */
export type Deploying<abi extends Abi, until extends Until> =
  readonly [] extends ConstructorArgs<abi>
    ? [options?: DeployOptions<abi, until>]
    : [options: DeployOptions<abi, until>]

export type Deployed<until extends Until = Until, abi extends Abi = Abi> = Sent<until> & {
  /** The address of the contract. With `until: 'accepted'`, the contract does not exist yet. */
  readonly address: Address
  /** The ABI of the artifact. */
  readonly abi: abi
}

export type ReadParameters<abi extends Abi, name extends FunctionName<abi, Views>, args> = {
  readonly abi: abi
  readonly address: Address
  /** The name of the function, or its signature if several have that name: `balanceOf(address)`. */
  readonly functionName: name | FunctionName<abi, Views>
  /** The sender of the call. By default the first development account. */
  readonly from?: Address | undefined
  /** The block whose state is read. By default `pending`. */
  readonly at?: BlockSelector | undefined
} & WithArgs<FunctionArgs<abi, Views, name>, args>

export type WriteParameters<
  abi extends Abi,
  name extends FunctionName<abi, Writes>,
  args,
  until extends Until,
> = SendOptions<until> & {
  readonly abi: abi
  readonly address: Address
  /** The name of the function, or its signature if several have that name: `transfer(address,uint256)`. */
  readonly functionName: name | FunctionName<abi, Writes>
  /** Value in wei, if the function is payable. */
  readonly value?: FunctionValue<abi, name> | undefined
} & WithArgs<FunctionArgs<abi, Writes, name>, args>

export type Written<abi extends Abi, until extends Until = Until> = until extends 'accepted'
  ? { readonly hash: Hash }
  : {
      readonly hash: Hash
      readonly receipt: Receipt
      /** The events of the transaction that the ABI describes, from any contract. The receipt has all logs. */
      readonly logs: readonly Event<abi>[]
    }

/** A balance to set: wei, or an amount of a token in its smallest unit. */
export type Dealt =
  | { readonly wei: bigint; readonly token?: undefined; readonly amount?: undefined }
  | { readonly token: Address; readonly amount: bigint; readonly wei?: undefined }

/** A block: a tag, a number, a hash, or an object (EIP-1898). `slice` selects the open block after that slice. */
export type BlockSelector =
  | Tag
  | bigint
  | Hash
  | { readonly blockHash: Hash; readonly requireCanonical?: boolean | undefined }
  | { readonly blockNumber: bigint | Tag; readonly slice?: bigint | number | undefined }

/** @internal Returns the parsed selector and its JSON-RPC form. Throws a `TypeError` for an invalid selector. */
export function selectorOf(at: BlockSelector, path: string): { selector: Selector; json: unknown } {
  const json = encode(at)
  try {
    return { selector: parseSelector(json, path), json }
  } catch (error) {
    throw error instanceof InvalidValue ? new TypeError(error.message) : error
  }
}

function encode(at: BlockSelector): unknown {
  if (typeof at === 'bigint') return encodeQuantity(at)
  if (typeof at !== 'object' || at === null || !('blockNumber' in at)) return at
  const { blockNumber, slice } = at
  return {
    blockNumber: typeof blockNumber === 'bigint' ? encodeQuantity(blockNumber) : blockNumber,
    ...(slice === undefined ? {} : { slice: encodeQuantity(slice) satisfies Hex }),
  }
}
