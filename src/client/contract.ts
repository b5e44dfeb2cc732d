/** A contract's ABI, prepared for use: finds functions, encodes calldata, and decodes results, events and errors. */
import type { Hex } from '../bytes/hex.ts'
import { nearest } from '../model/api/text.ts'
import type { Abis } from '../solidity/abi/abis.ts'
import type { Codec, Item } from '../solidity/abi/codec.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { Decoded, Parameter } from '../solidity/abi/decoded.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type { CompiledArtifact } from '../solidity/artifacts/contractByName.ts'
import { type Libraries, type LinkReferences, linked } from '../solidity/artifacts/link.ts'
import { checkArgument, unexpected } from './argument.ts'
import { addressOf } from './fields.ts'
import type { Log } from './receipt.ts'
import type { Creation } from './typed.ts'

type Encoding = typeof import('../solidity/abi/codec.ts')

/** The encoder. It is loaded with the first ABI, because most functions of a devnet do not need it. */
let encoding: Encoding | undefined

const contracts = new WeakMap<Abi, ContractAbi>()

/** Returns the parsed form of an ABI. `what` is the calling function, whose name begins error messages. */
export async function contractOf(abi: Abi, what: string): Promise<ContractAbi> {
  if (!Array.isArray(abi)) {
    throw unexpected(`${what}: abi`, 'an ABI (an array, as compilers write it)', abi)
  }
  encoding ??= await import('../solidity/abi/codec.ts')
  const contract = contracts.get(abi) ?? new ContractAbi(encoding, abi)
  contracts.set(abi, contract)
  return contract
}

export interface Callable extends Item {
  readonly name: string
  readonly inputs: readonly Parameter[]
  readonly outputs: readonly Parameter[]
}

export class ContractAbi {
  readonly #encoding: Encoding
  readonly #codec: Codec
  readonly #functions = new Map<string, Callable[]>()
  readonly #creator: Item | undefined
  /** The selectors of functions. They are kept, because computing a selector takes longer than encoding arguments. */
  readonly #selectors = new Map<Callable, Hex>()

  constructor(encoding: Encoding, abi: Abi) {
    this.#encoding = encoding
    this.#codec = encoding.codecOf({ abi, ...NOTHING_ELSE })
    const items = encoding.itemsOf(abi)
    this.#creator = items.find(({ type }) => type === 'constructor')
    for (const { name = '', inputs = [], outputs = [], type, stateMutability } of items) {
      if (type !== 'function') continue
      const one = { type, name, inputs, outputs, stateMutability }
      for (const key of [name, encoding.signatureOf(one)]) {
        this.#functions.set(key, [...(this.#functions.get(key) ?? []), one])
      }
    }
  }

  /** Returns the function that `name` and `args` select, and its calldata. Throws a `TypeError` if none matches. */
  call(name: string, args: readonly unknown[], what: string): { callable: Callable; data: Hex } {
    const callable = this.#find(name, args, what)
    checkArguments(callable.inputs, args, `${what}: ${name}`)
    return { callable, data: `${this.selector(callable)}${this.#encode(callable.inputs, args)}` }
  }

  /** Returns the parameters of the function with this name or signature. Throws a `TypeError` unless there is one. */
  inputs(name: string, what: string): readonly Parameter[] {
    const only = this.only(name)
    if (only !== undefined) return only.inputs
    const all = this.#functions.get(name)
    if (all === undefined) throw this.#unknown(name, what)
    throw new TypeError(
      `${what}: functionName: ${name} is ${all.length} functions; give one of ${this.#signatures(all)}`,
    )
  }

  /** Returns the function with this name or signature; `undefined` unless there is one. */
  only(name: string): Callable | undefined {
    const all = this.#functions.get(name)
    return all?.length === 1 ? all[0] : undefined
  }

  selector(callable: Callable): Hex {
    const selector = this.#selectors.get(callable) ?? this.#encoding.selectorOf(callable)
    this.#selectors.set(callable, selector)
    return selector
  }

  /** Whether the constructor is payable. The default constructor is not. */
  get isPayable(): boolean {
    return isPayable(this.#creator)
  }

  /** Returns the init code with the encoded arguments. Throws a `TypeError` for invalid code or arguments. */
  creation(bytecode: Creation, args: readonly unknown[], what: string): Hex {
    const inputs = this.#creator?.inputs ?? []
    const code = codeOf(bytecode, what)
    checkArguments(inputs, args, `${what}: the constructor`)
    return `${code}${this.#encode(inputs, args)}`
  }

  /** Returns `{ value }`: `undefined`, the only value, or an array. Returns `undefined` if decoding is impossible. */
  result({ outputs }: Callable, data: Hex): { value: unknown } | undefined {
    if (outputs.length === 0) return { value: undefined }
    const values = this.#encoding.valuesOf(outputs, data)
    return values && { value: outputs.length === 1 ? values[0] : values }
  }

  events(logs: readonly Log[]): unknown[] {
    return logs.flatMap(({ address, logIndex, topics, data }) => {
      const event = this.#codec.event(topics, data)
      return event === undefined ? [] : [{ eventName: event.name, args: argsOf(event), address, logIndex }]
    })
  }

  error(data: Hex): Decoded | undefined {
    return this.#codec.error(data)
  }

  #encode(inputs: readonly Parameter[], args: readonly unknown[]): string {
    return inputs.length === 0 ? '' : this.#encoding.encodeValues(inputs, args).slice(2)
  }

  #find(name: string, args: readonly unknown[], what: string): Callable {
    const all = this.#functions.get(name)
    if (all === undefined) throw this.#unknown(name, what)
    if (all.length === 1) return all[0]!
    const fitting = all.filter(({ inputs }) => fits(inputs, args))
    if (fitting.length === 1) return fitting[0]!
    throw new TypeError(
      `${what}: functionName: ${name} is ${all.length} functions, and the arguments fit ${fitting.length} of them; give one of ${this.#signatures(all)}`,
    )
  }

  #signatures(all: readonly Callable[]): string {
    return all.map((one) => this.#encoding.signatureOf(one)).join(', ')
  }

  #unknown(name: unknown, what: string): TypeError {
    const names = [...this.#functions.keys()].filter((key) => !key.includes('('))
    const close = typeof name === 'string' ? nearest(name, names) : undefined
    const hint = close === undefined ? `it has ${names.join(', ') || 'none'}` : `did you mean ${close}?`
    return unexpected(`${what}: functionName`, 'a function of the ABI', name, hint)
  }
}

/** Returns whether a function is payable. If the ABI does not state it, returns true. */
export function isPayable(item: Item | undefined): boolean {
  const { stateMutability = 'payable' } = item ?? { stateMutability: 'nonpayable' }
  return stateMutability === 'payable'
}

const NOTHING_ELSE = { name: undefined, address: undefined, creation: undefined, runtime: undefined }

function fits(inputs: readonly Parameter[], args: readonly unknown[]): boolean {
  try {
    checkArguments(inputs, args, '')
    return true
  } catch {
    return false
  }
}

function checkArguments(inputs: readonly Parameter[], args: readonly unknown[], what: string): void {
  if (!Array.isArray(args)) throw unexpected(`${what}: args`, 'an array', args)
  if (args.length !== inputs.length) {
    const wanted = inputs.map(({ type, name }) => (name ? `${type} ${name}` : type)).join(', ')
    const count = inputs.length === 1 ? '1 argument' : `${inputs.length} arguments`
    throw new TypeError(`${what} takes ${count} (${wanted}), got ${args.length}`)
  }
  for (const [i, input] of inputs.entries()) {
    checkArgument(input, args[i], `${what}: args[${i}]${input.name ? ` (${input.name})` : ''}`)
  }
}

/** Returns the arguments as an object if all have names, otherwise as an array, as viem does. */
function argsOf({ args }: Decoded): unknown {
  const areNamed = args.every(({ name }) => name !== '')
  return areNamed
    ? Object.fromEntries(args.map(({ name, value }) => [name, value]))
    : args.map(({ value }) => value)
}

function codeOf(bytecode: Creation, what: string): Hex {
  const text = typeof bytecode === 'object' ? bytecode?.object : bytecode
  const digits = typeof text === 'string' ? text.replace(/^0x/, '') : undefined
  if (digits?.includes('__$')) {
    throw new TypeError(`${what}: bytecode: a library is not linked yet: ${/__\$.*?\$__/.exec(digits)?.[0]}`)
  }
  if (!digits || digits.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(digits)) {
    throw unexpected(`${what}: bytecode`, 'the code that creates the contract, in hex', text)
  }
  return `0x${digits}`
}

const BUILT_IN: Abi = ['error Error(string message)', 'error Panic(uint256 code)']

/** Returns the decoded error: of the called contract's ABI, of a registered ABI, or a built-in error of Solidity. */
export async function errorOf(
  data: Hex,
  abis: Abis,
  called: ContractAbi | undefined,
): Promise<Decoded | undefined> {
  if (data === '0x') return undefined
  return (
    called?.error(data) ??
    (await abis.decodeError(data)) ??
    (await contractOf(BUILT_IN, 'an error')).error(data)
  )
}

/** An artifact as Foundry, Hardhat and solc write it. */
interface AnyDeployable {
  readonly bytecode?: Creation
  readonly evm?: { readonly bytecode: Creation }
  readonly linkReferences?: LinkReferences | undefined
}

/** Returns the artifact with this name. Throws a `TypeError` if the contract has no code, such as an interface. */
export async function compiledOf(name: string, artifacts: Artifacts): Promise<CompiledArtifact> {
  const { contractByName } = await import('../solidity/artifacts/contractByName.ts')
  const compiled = await contractByName(name, artifacts, 'deploy')
  if (!/^(0x)?$/.test(compiled.bytecode.object)) return compiled
  throw new TypeError(
    `deploy: expected a contract that has code, got ${name}, which has none, as interfaces and abstract contracts`,
  )
}

/** Returns the code that creates a contract, with its libraries linked if the artifact has link references. */
export function creationOf(contract: AnyDeployable, libraries: Libraries): Creation {
  const bytecode = contract.bytecode ?? contract.evm?.bytecode
  const code = typeof bytecode === 'object' ? bytecode?.object : bytecode
  if (typeof libraries !== 'object' || libraries === null) {
    throw unexpected('deploy: libraries', 'addresses by the names of libraries, { Math: address }', libraries)
  }
  for (const [name, address] of Object.entries(libraries)) addressOf(address, `deploy: libraries.${name}`)
  const references = (typeof bytecode === 'object' && bytecode?.linkReferences) || contract.linkReferences
  return typeof code === 'string' ? linked(code, references || undefined, libraries, 'deploy') : bytecode!
}

export function requireDeployable(contract: unknown): void {
  if (typeof contract === 'object' && contract !== null && 'abi' in contract) return
  throw unexpected('deploy', 'what a compiler wrote of a contract, { abi, bytecode }', contract)
}
