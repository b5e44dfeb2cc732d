/** Parameters and results of a devnet's own client. */

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
  /**
   * The sender: a development account, an impersonated account, or an account whose key was imported. By default the
   * first development account.
   */
  readonly from?: Address | undefined
  /**
   * Gas limit of the transaction, which is then sent even if it will fail. By default the gas is estimated, and a
   * transaction that would fail is not sent.
   */
  readonly gas?: bigint | undefined
  /**
   * The state of the transaction at which the call returns. `accepted`: it waits in the pool. `preconfirmed`: a slice
   * has run it; the rhythm `manual` makes a tick for it, `interval` waits for one. `sealed` (the default): it is in a
   * sealed block, which is mined at once under every rhythm.
   */
  readonly until?: until | undefined
}

export interface SendParameters<until extends Until> extends SendOptions<until> {
  readonly to: Address
  /** Value in wei. */
  readonly value?: bigint | undefined
  readonly data?: Hex | undefined
}

/** The hash of a transaction and its receipt; `until: 'accepted'` has no receipt. */
export type Sent<until extends Until = Until> = until extends 'accepted'
  ? { readonly hash: Hash }
  : { readonly hash: Hash; readonly receipt: Receipt }

/** Code and ABI of a contract: the output of a compiler, or an object with the same members. */
export type Deployable<abi extends Abi> = {
  readonly abi: abi
  /** The places of libraries in the code, in Hardhat's form. */
  readonly linkReferences?: LinkReferences | undefined
} & (
  | {
      /**
       * Init code of the contract: hex as in artifacts of Hardhat and viem, or `{ object }` as in those of Foundry.
       */
      readonly bytecode: Creation
    }
  | {
      /** Init code as in the output of solc. */
      readonly evm: { readonly bytecode: Exclude<Creation, string> }
    }
)

export type DeployOptions<abi extends Abi, until extends Until> = SendOptions<until> &
  WithArgs<ConstructorArgs<abi>> & {
    /** Value in wei, if the constructor is payable. */
    readonly value?: ConstructorValue<abi> | undefined
    /** Addresses of the libraries in the code, by name: `{ Math: address }`, or `{ 'src/Math.sol:Math': address }`. */
    readonly libraries?: Readonly<Record<string, Address>> | undefined
  }

/** Options of `deploy` by name, whose constructor has no types. */
export interface DeployNamedOptions<until extends Until = Until> extends SendOptions<until> {
  /** Arguments of the constructor. */
  readonly args?: readonly unknown[] | undefined
  /** Value in wei, if the constructor is payable. */
  readonly value?: bigint | undefined
  /** Addresses of the libraries in the code, by name: `{ Math: address }`, or `{ 'src/Math.sol:Math': address }`. */
  readonly libraries?: Readonly<Record<string, Address>> | undefined
}

/** Parameters of `deploy`, optional if the constructor takes no arguments. */
export type Deploying<abi extends Abi, until extends Until> =
  readonly [] extends ConstructorArgs<abi>
    ? [options?: DeployOptions<abi, until>]
    : [options: DeployOptions<abi, until>]

export type Deployed<until extends Until = Until, abi extends Abi = Abi> = Sent<until> & {
  /** The address of the contract; with `until: 'accepted'`, the address that it will have. */
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
      /**
       * The events that the transaction emitted and the ABI describes, from any contract. The receipt has all logs.
       */
      readonly logs: readonly Event<abi>[]
    }

/** A balance: wei, or an amount of a token. */
export type Dealt =
  | { readonly wei: bigint; readonly token?: undefined; readonly amount?: undefined }
  | { readonly token: Address; readonly amount: bigint; readonly wei?: undefined }

/**
 * A block: a tag, a number, a hash, or an object of EIP-1898; with `slice`, the block under construction as it was
 * when that slice had been pre-confirmed.
 */
export type BlockSelector =
  | Tag
  | bigint
  | Hash
  | { readonly blockHash: Hash; readonly requireCanonical?: boolean | undefined }
  | { readonly blockNumber: bigint | Tag; readonly slice?: bigint | number | undefined }

/** @internal Returns the parsed selector and its JSON-RPC form. Throws a `TypeError`. */
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
