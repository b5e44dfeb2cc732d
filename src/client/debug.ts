/** `devnet.debug`: runs a transaction or call again, and describes the run at the level of Solidity. */
import { type Address, fromHex, type Hash, type Hex, ZERO_ADDRESS } from '../bytes/hex.ts'
import { debugCall, debugTransaction } from '../methods/solidity/sourceTracer.ts'
import { namesOf, requireOptions } from '../model/api/arguments.ts'
import type { Call } from '../model/execution/call.ts'
import type { RpcContext } from '../rpc/context.ts'
import { inProcess } from '../rpc/dispatch.ts'
import { toRpcError } from '../rpc/errors/errors.ts'
import { problemOf } from '../rpc/errors/problem.ts'
import { providerError } from '../rpc/provider.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { DebugOptions, DebugRun } from '../solidity/debug/debugRun.ts'
import { Work } from '../work/work.ts'
import { checkArgument, unexpected } from './argument.ts'
import { contractOf } from './contract.ts'
import { addressOf, quantityOf, requireOwnFields } from './fields.ts'
import { type BlockSelector, selectorOf } from './parameters.ts'
import type { AnyParameters } from './transactions.ts'

/** A call for `debug`: the call of a function by its ABI, or a call with encoded calldata. */
export type DebugCall = {
  /** The sender. By default the first development account. */
  readonly from?: Address | undefined
  /** Value in wei. */
  readonly value?: bigint | undefined
  readonly gas?: bigint | undefined
  /** The block on whose state the call runs. By default `pending`. */
  readonly at?: BlockSelector | undefined
} & (
  | {
      readonly abi: Abi
      readonly address: Address
      /** The name of the function, or its signature if several have that name: `transfer(address,uint256)`. */
      readonly functionName: string
      readonly args?: readonly unknown[] | undefined
    }
  | {
      /** The called contract. If absent, `data` creates a contract. */
      readonly to?: Address | undefined
      readonly data?: Hex | undefined
    }
)

type SenderOf = (from: unknown) => Address | undefined

type AnyCall = Partial<Omit<AnyParameters, 'to'>> & { readonly to?: unknown }

const OPTIONS = namesOf<DebugOptions>({ limit: true, disableStorage: true })

export async function debugRun(
  context: RpcContext,
  what: Hash | DebugCall,
  options: DebugOptions,
  senderOf: SenderOf,
): Promise<DebugRun> {
  requireOptions('debug', options, OPTIONS)
  if (typeof what === 'string') {
    const hash = hashOf(what)
    return answered(context, (own) => debugTransaction(own, hash, options))
  }
  requireOwnFields('debug', what)
  const given = what as AnyCall
  const call = { ...NO_CALL, ...(await calledBy(given)), ...paid(given, senderOf) }
  const { selector } = selectorOf(given.at ?? 'pending', 'debug: at')
  return answered(context, (own) => debugCall(own, call, selector, options))
}

const NO_CALL = {
  fee: { kind: 'none' },
  accessList: [],
  authorizationList: [],
  blobVersionedHashes: [],
} as const

function hashOf(text: string): Hash {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hash
  throw unexpected('debug', 'the hash of a transaction (0x and 64 hex digits), or a call', text)
}

async function calledBy(given: AnyCall): Promise<Pick<Call, 'to' | 'data'>> {
  const { abi, address, functionName, args = [], to, data } = given
  if (abi === undefined && functionName === undefined) {
    if (data !== undefined) checkArgument({ type: 'bytes' }, data, 'debug: data')
    const called = to ?? address
    return {
      to: called === undefined ? undefined : addressOf(called, 'debug: to'),
      data: fromHex((data ?? '0x') as Hex),
    }
  }
  const contract = await contractOf(abi as Abi, 'debug')
  const callable = contract.call(functionName as string, args, 'debug')
  return { to: addressOf(address ?? to, 'debug: address'), data: fromHex(callable.data) }
}

function paid({ from, value, gas }: AnyCall, senderOf: SenderOf): Pick<Call, 'from' | 'value' | 'gas'> {
  return {
    from: senderOf(from) ?? ZERO_ADDRESS,
    value: BigInt(quantityOf(value ?? 0n, 'debug: value')),
    gas: gas === undefined ? undefined : BigInt(quantityOf(gas, 'debug: gas')),
  }
}

/** Returns the result of `act`. If `act` fails, rejects with the same error as a request would. */
async function answered(context: RpcContext, act: (own: RpcContext) => Promise<DebugRun>): Promise<DebugRun> {
  const work = new Work({ owner: context })
  const own = context.withWork(context.sequencer.queue.isWatched ? work.withoutPauses() : work)
  try {
    return await inProcess(own.work, () => act(own))
  } catch (cause) {
    const error = toRpcError(problemOf(cause), context.options.dialect)
    throw providerError({ kind: 'error', error, cause })
  }
}
