/** Types that TypeScript derives from an ABI. An ABI that is not `as const` allows any names and arguments. */
import type {
  AbiEvent,
  AbiFunction,
  AbiParameter,
  AbiParametersToPrimitiveTypes,
  AbiParameterToPrimitiveType,
  ExtractAbiEvents,
  ExtractAbiFunctions,
  ParseAbi,
  Abi as TypedAbi,
} from 'abitype'
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { LinkReferences } from '../solidity/artifacts/link.ts'

/** State mutability of functions that cannot change state. */
export type Views = 'pure' | 'view'
/** State mutability of functions that may change state. */
export type Writes = 'nonpayable' | 'payable'
export type Mutability = Views | Writes

/** The functions, events and errors of an ABI, including an ABI in human-readable form. */
type ItemsOf<abi extends Abi> = abi extends TypedAbi
  ? abi
  : abi extends readonly string[]
    ? ParseAbi<abi>
    : TypedAbi

type IsUntyped<abi extends Abi> = TypedAbi extends ItemsOf<abi> ? true : false

/** The names of functions; for overloaded names, also the signatures. */
export type FunctionName<abi extends Abi, mutability extends Mutability> =
  IsUntyped<abi> extends true ? string : NamesOf<ExtractAbiFunctions<ItemsOf<abi>, mutability>>

type NamesOf<all extends AbiFunction> =
  | all['name']
  | { [name in all['name']]: OverloadsOf<Extract<all, { name: name }>> }[all['name']]

type OverloadsOf<same extends AbiFunction> = IsUnion<same> extends true ? SignatureOf<same> : never

type IsUnion<all, one = all> = one extends all ? ([all] extends [one] ? false : true) : never

/** The signature of a function, such as `transfer(address,uint256)`. */
type SignatureOf<one extends AbiFunction> = one extends AbiFunction
  ? `${one['name']}(${TypesOf<one['inputs']>})`
  : never

type TypesOf<parameters extends readonly AbiParameter[]> = parameters extends readonly [
  infer first extends AbiParameter,
  ...infer rest extends readonly AbiParameter[],
]
  ? rest extends readonly []
    ? TypeOf<first>
    : `${TypeOf<first>},${TypesOf<rest>}`
  : ''

type TypeOf<parameter extends AbiParameter> = parameter extends {
  type: `tuple${infer dimensions}`
  components: infer components extends readonly AbiParameter[]
}
  ? `(${TypesOf<components>})${dimensions}`
  : parameter['type']

/** The functions that a name or a signature selects. */
type Called<abi extends Abi, mutability extends Mutability, name> =
  IsUntyped<abi> extends true ? AbiFunction : BySignature<ExtractAbiFunctions<ItemsOf<abi>, mutability>, name>

type BySignature<one extends AbiFunction, name> = one extends AbiFunction
  ? name extends one['name'] | SignatureOf<one>
    ? one
    : never
  : never

/** The arguments of a function. For an overloaded name, those of any of its functions. */
export type FunctionArgs<abi extends Abi, mutability extends Mutability, name> = InputsOf<
  Called<abi, mutability, name>
>

type InputsOf<one> = one extends AbiFunction
  ? AbiParametersToPrimitiveTypes<one['inputs'], 'inputs', true>
  : never

/** The result of a function: `undefined`, its only value, or an array of its values. */
export type FunctionResult<abi extends Abi, mutability extends Mutability, name, args> =
  IsUntyped<abi> extends true ? unknown : ResultOf<Called<abi, mutability, name>, args>

type ResultOf<one extends AbiFunction, args> = one extends AbiFunction
  ? args extends InputsOf<one>
    ? Unwrapped<AbiParametersToPrimitiveTypes<one['outputs'], 'outputs', true>>
    : never
  : never

type Unwrapped<values> = values extends readonly []
  ? undefined
  : values extends readonly [infer only]
    ? only
    : values

/** The type of `value`, the wei to send: `undefined` if the function is known not to be payable. */
export type FunctionValue<abi extends Abi, name> =
  IsUntyped<abi> extends true
    ? bigint
    : 'payable' extends Called<abi, Writes, name>['stateMutability']
      ? bigint
      : undefined

type ConstructorOf<abi extends Abi> = Extract<ItemsOf<abi>[number], { type: 'constructor' }>

/** The arguments of the constructor; none if the ABI has no constructor. */
export type ConstructorArgs<abi extends Abi> =
  IsUntyped<abi> extends true
    ? readonly unknown[]
    : [ConstructorOf<abi>] extends [never]
      ? readonly []
      : AbiParametersToPrimitiveTypes<ConstructorOf<abi>['inputs'], 'inputs', true>

/** The type of `value`, the wei to send: `undefined` if the constructor is known not to be payable. */
export type ConstructorValue<abi extends Abi> =
  IsUntyped<abi> extends true
    ? bigint
    : 'payable' extends ConstructorOf<abi>['stateMutability']
      ? bigint
      : undefined

/** An object with the arguments as its property `args`, which is optional if no arguments are required. */
export type WithArgs<all, args = all> = readonly [] extends all
  ? { readonly args?: args | undefined }
  : { readonly args: args }

/** A decoded event of an ABI, with the address and index of its log. */
export type Event<abi extends Abi> =
  IsUntyped<abi> extends true
    ? Emitted & { readonly eventName: string; readonly args: unknown }
    : EventOf<ExtractAbiEvents<ItemsOf<abi>>>

interface Emitted {
  /** The address of the contract that emitted the event. It may be any contract. */
  readonly address: Address
  readonly logIndex: number
}

type EventOf<one extends AbiEvent> = one extends AbiEvent
  ? Emitted & { readonly eventName: one['name']; readonly args: EventArgs<one['inputs']> }
  : never

type EventArgs<inputs extends readonly AbiParameter[]> = inputs extends readonly []
  ? Record<string, never>
  : inputs[number] extends { name: infer name extends string }
    ? '' extends name
      ? EventValues<inputs>
      : { readonly [input in inputs[number] as input['name'] & string]: EventValue<input> }
    : EventValues<inputs>

type EventValues<inputs extends readonly AbiParameter[]> = {
  readonly [index in keyof inputs]: EventValue<inputs[index]>
}

/** The value of an indexed argument, or the hash of the value if values of this type do not fit into a topic. */
type EventValue<input extends AbiParameter> = input extends { indexed: true; type: HashedType }
  ? Hash
  : AbiParameterToPrimitiveType<input, 'outputs'>

type HashedType = 'string' | 'bytes' | `tuple${string}` | `${string}]`

/** Init code of a contract, in the forms that compilers write. */
export type Creation =
  | Hex
  | string
  | { readonly object: string; readonly linkReferences?: LinkReferences | undefined }
