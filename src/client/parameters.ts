/** What a devnet's own client is given, and what it answers. */
import type { Abi } from '../abi/contract.ts'
import type { Address, Hash, Hex } from '../model/bytes/hex.ts'
import type { BlockSelector } from './at.ts'
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

/** What can be said of any transaction. */
interface SendOptions<until extends Until> {
  /** A development account, an impersonated one, or one whose key was imported. The first development account, if left out. */
  readonly from?: Address | undefined
  /** Sends with this much gas, whatever becomes of it. Left out, it is estimated, and what would fail is not sent. */
  readonly gas?: bigint | undefined
  /**
   * When it is answered: `accepted`, when the transaction waits in the pool; `preconfirmed`, when a slice ran it, for which
   * the rhythm `manual` makes a tick and `interval` waits for one; `sealed`, when it is in a block, which is mined at once
   * under every rhythm. `sealed`, if left out.
   */
  readonly until?: until | undefined
}

export interface SendParameters<until extends Until> extends SendOptions<until> {
  readonly to: Address
  /** Wei. */
  readonly value?: bigint | undefined
  readonly data?: Hex | undefined
}

/** What is answered about a transaction: its receipt, unless nobody waited for one. */
export type Sent<until extends Until = Until> = until extends 'accepted'
  ? { readonly hash: Hash }
  : { readonly hash: Hash; readonly receipt: Receipt }

/** Code and ABI: what a compiler wrote, or the same members from anywhere. */
export type Deployable<abi extends Abi> = {
  readonly abi: abi
} & (
  | {
      /** The code that creates the contract: hex, as Hardhat and viem have it, or `{ object }`, as Foundry has it. */
      readonly bytecode: Creation
    }
  | {
      /** The same, as solc has it. */
      readonly evm: { readonly bytecode: { readonly object: string } }
    }
)

export type DeployOptions<abi extends Abi, until extends Until> = SendOptions<until> &
  WithArgs<ConstructorArgs<abi>> & {
    /** Wei, for a constructor that is payable. */
    readonly value?: ConstructorValue<abi> | undefined
  }

/** Options that may be left out where the constructor takes nothing. */
export type Deploying<abi extends Abi, until extends Until> =
  readonly [] extends ConstructorArgs<abi>
    ? [options?: DeployOptions<abi, until>]
    : [options: DeployOptions<abi, until>]

export type Deployed<until extends Until = Until> = Sent<until> & {
  /** Where the contract is, or will be. */
  readonly address: Address
}

export type ReadParameters<abi extends Abi, name extends FunctionName<abi, Views>, args> = {
  readonly abi: abi
  readonly address: Address
  /** A function's name; of several with the same name, its signature: `balanceOf(address)`. */
  readonly functionName: name | FunctionName<abi, Views>
  /** Who asks. The first development account, if left out. */
  readonly from?: Address | undefined
  /** The block that is asked. `pending`, if left out. */
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
  /** A function's name; of several with the same name, its signature: `transfer(address,uint256)`. */
  readonly functionName: name | FunctionName<abi, Writes>
  /** Wei, for a function that is payable. */
  readonly value?: FunctionValue<abi, name> | undefined
} & WithArgs<FunctionArgs<abi, Writes, name>, args>

export type Written<abi extends Abi, until extends Until = Until> = until extends 'accepted'
  ? { readonly hash: Hash }
  : {
      readonly hash: Hash
      readonly receipt: Receipt
      /** The events of the ABI that the transaction emitted, whichever contract it was. All logs are in the receipt. */
      readonly logs: readonly Event<abi>[]
    }

/** Wei, or tokens. */
export type Dealt =
  | { readonly wei: bigint; readonly token?: undefined; readonly amount?: undefined }
  | { readonly token: Address; readonly amount: bigint; readonly wei?: undefined }
