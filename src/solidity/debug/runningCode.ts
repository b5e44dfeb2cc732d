/** The contract of running code, its sources and storage layout, and decoding by its ABI. */

import { areEqual } from '../../bytes/bytes.ts'
import { type Hash, toHex, toQuantity } from '../../bytes/hex.ts'
import type { FrameExit } from '../../engine/engine.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import { type Codec, codecOf, valuesOf } from '../abi/codec.ts'
import type { Argument, Parameter } from '../abi/decoded.ts'
import {
  abiOf,
  bytecodeOf,
  type CompiledContract,
  creationOf,
  type FindCode,
} from '../artifacts/compilation.ts'
import type { StorageLayout } from '../artifacts/solcJson.ts'
import { nodesIn, textIn, typeStringOf } from '../source/ast.ts'
import {
  nameOfFunction,
  type SourceContract,
  type SourceFunction,
  sourceModelOf,
} from '../source/sourceModel.ts'
import { astLayoutsOf, declaredTypesOf } from './astLayout.ts'
import { CodeSource } from './codeSource.ts'
import type { DebugError, DebugGap, DebugVariable } from './debugRun.ts'
import { Layout, layoutFlaw } from './layout.ts'
import { NO_DATA, readValue } from './referenceValues.ts'
import { typeNames } from './values.ts'

interface Layouts {
  readonly storage: Layout | undefined
  readonly transient: Layout | undefined
  /** The defect of the compiler's layout because of which this layout is not used. */
  readonly flaw?: string | undefined
}

const NO_LAYOUTS: Layouts = { storage: undefined, transient: undefined }

export class RunningCode {
  readonly contract: CompiledContract | undefined
  /** `undefined` if the compiler output contains no AST. */
  readonly declared: SourceContract | undefined
  readonly source: CodeSource | undefined
  readonly layouts: Layouts
  readonly isCreation: boolean
  readonly gaps: readonly Omit<DebugGap, 'address'>[]
  readonly #codec: Codec | undefined
  readonly #bytes: Uint8Array
  #immutables: readonly DebugVariable[] | undefined

  constructor(find: FindCode, code: Uint8Array, isCreation: boolean) {
    this.isCreation = isCreation
    this.#bytes = code
    const match = find(code, isCreation)
    if (match?.kind !== 'contract') {
      this.layouts = NO_LAYOUTS
      this.gaps = [
        match === undefined
          ? { reason: 'unknownCode', contract: undefined, text: UNKNOWN }
          : { reason: 'ambiguous', contract: undefined, text: ambiguous(match.contracts) },
      ]
      return
    }
    const { contract } = match
    const { compilation, name, output } = contract
    this.contract = contract
    this.declared = sourceModelOf(compilation).contract(contract)
    this.layouts = layoutsOf(contract)
    const bytecode = bytecodeOf(contract, isCreation)
    if (bytecode?.sourceMap) this.source = new CodeSource(contract, bytecode)
    const hasText = compilation.input.sources[contract.sourceName]?.content !== undefined
    const gaps: Omit<DebugGap, 'address'>[] = []
    if (this.source === undefined || !hasText) {
      gaps.push({ reason: 'noSources', contract: name, text: noSources(name, hasText) })
    }
    if (this.layouts.storage === undefined && this.declared?.isLibrary !== true) {
      gaps.push({ reason: 'noStorageLayout', contract: name, text: noLayout(name, this.layouts.flaw) })
    }
    this.gaps = gaps
    if (output.abi !== undefined) {
      this.#codec = codecOf(abiOf(contract))
    }
  }

  /** Returns the function that a call with calldata `input` enters; for creations the constructor. */
  entry(input: Uint8Array): SourceFunction | undefined {
    const { declared } = this
    return this.isCreation ? declared?.constructorFunction : declared?.entered(input)
  }

  /** Returns the name of the function that a call with calldata `input` enters. Needs no AST. */
  entryName(input: Uint8Array): string | undefined {
    if (this.contract === undefined) return undefined
    if (this.isCreation) return 'constructor'
    const entry = this.entry(input)
    return entry === undefined ? this.#codec?.call(toHex(input))?.name : nameOfFunction(entry)
  }

  args(input: Uint8Array): readonly Argument[] | undefined {
    if (!this.isCreation) return this.#codec?.call(toHex(input))?.args
    const creation = this.contract && creationOf(this.contract)
    if (creation === undefined) return undefined
    const inputs = creation.constructorItem?.inputs ?? []
    return named(inputs, valuesOf(inputs, toHex(input.subarray(creation.codeSize))))
  }

  result(input: Uint8Array, output: Uint8Array): readonly Argument[] | undefined {
    return this.isCreation ? undefined : this.#codec?.result(toHex(input), toHex(output))?.args
  }

  /** The immutables of the contract and its bases, read from the code. `undefined` without an AST. */
  get immutables(): readonly DebugVariable[] | undefined {
    this.#immutables ??= this.#readImmutables()
    return this.#immutables
  }

  #readImmutables(): readonly DebugVariable[] | undefined {
    const { contract, declared } = this
    if (contract === undefined || declared === undefined) return undefined
    const { layout, idOf } = declaredTypesOf(sourceModelOf(contract.compilation))
    const places = bytecodeOf(contract, false)?.immutableReferences
    return declared.linearized.flatMap(({ node }) =>
      nodesIn(node, 'nodes')
        .filter(({ mutability }) => mutability === 'immutable')
        .map((one) => {
          const told = { name: textIn(one, 'name'), type: typeStringOf(one) }
          const [place] = places?.[one.id] ?? []
          if (this.isCreation) return { ...told, value: undefined, reason: 'assigned when creation ends' }
          if (places === undefined) return { ...told, value: undefined, reason: 'not in the artifacts' }
          if (place === undefined) return { ...told, value: undefined, reason: 'not in the code' }
          const word = toQuantity(this.#bytes.subarray(place.start, place.start + place.length))
          return { ...told, ...readValue(layout, idOf(one) ?? '', undefined, [word], NO_DATA) }
        }),
    )
  }

  event(topics: readonly Hash[], data: Uint8Array) {
    return this.#codec?.event(topics, toHex(data))
  }

  error({ failure, output }: FrameExit): DebugError | undefined {
    if (failure === undefined) return undefined
    const custom = this.#codec?.error(toHex(output))
    if (custom !== undefined) return custom
    return { text: revertReason(output) ?? failure.error, name: undefined, args: undefined }
  }
}

function named(inputs: readonly Parameter[], values: readonly unknown[] | undefined): Argument[] | undefined {
  return values && inputs.map(({ name = '', type }, i) => ({ name, type, value: values[i] }))
}

/** Returns the compiler's layouts or, if missing or invalid, layouts from the AST. Adds namespaces (ERC-7201). */
export const layoutsOf = oncePer((contract: CompiledContract): Layouts => {
  const { storageLayout, transientStorageLayout } = contract.output
  const model = sourceModelOf(contract.compilation)
  const names = typeNames(model)
  const declared = model.contract(contract)
  const own = declared && astLayoutsOf(declared, model)
  const of = (layout: StorageLayout | undefined) => layout && new Layout(layout, names)
  const flaw = storageLayout && layoutFlaw(storageLayout)
  const transientFlaw = transientStorageLayout && layoutFlaw(transientStorageLayout)
  const storage = flaw === undefined ? storageLayout : undefined
  const transient = transientFlaw === undefined ? transientStorageLayout : undefined
  return {
    storage: of(joined(storage ?? own?.storage, own?.namespaces)),
    transient: of(transient ?? own?.transient),
    flaw: flaw ?? transientFlaw,
  }
})

function joined(
  layout: StorageLayout | undefined,
  more: StorageLayout | undefined,
): StorageLayout | undefined {
  if (layout === undefined || more === undefined || more.storage.length === 0) return layout
  return { storage: [...layout.storage, ...more.storage], types: { ...more.types, ...layout.types } }
}

const UNKNOWN =
  'no known artifact has this code; compile it, or add its artifacts with devnet.artifacts.add or the option artifacts'

function ambiguous(contracts: readonly CompiledContract[]): string {
  const names = contracts.map(
    ({ compilation, sourceName, name }) => `${compilation.pathOf(sourceName)}:${name}`,
  )
  return `${names.length} contracts have this code, so none is assumed: ${names.join(', ')}`
}

function noSources(name: string, hasText: boolean): string {
  return hasText
    ? `the artifacts of ${name} have no source map; compile with build info`
    : `the artifacts of ${name} have no sources; give the compiler's input too, which Foundry (--build-info) and Hardhat write as build info`
}

function noLayout(name: string, flaw: string | undefined): string {
  return flaw === undefined
    ? `the artifacts of ${name} have neither a storage layout nor an AST, so storage is shown by slots; add storageLayout or ast to the compiler's outputSelection (Foundry: extra_output, ast)`
    : `the storage layout of ${name} is malformed (${flaw}), so storage is shown by slots; compile again`
}

/** Caches identified code, because a run may call the same contract many times. */
export class CodeCache {
  readonly #find: FindCode
  /** Code that was already identified, keyed by `isCreation` and length: at most `MOST_OF_A_LENGTH` for each key. */
  readonly #known = new Map<string, { readonly bytes: Uint8Array; readonly code: RunningCode }[]>()

  constructor(find: FindCode) {
    this.#find = find
  }

  of(bytes: Uint8Array, isCreation: boolean): RunningCode {
    const key = `${isCreation} ${bytes.length}`
    const group = this.#known.get(key) ?? []
    const known = group.find((one) => areEqual(one.bytes, bytes))
    if (known !== undefined) return known.code
    const code = new RunningCode(this.#find, bytes, isCreation)
    // Only the first `MOST_OF_A_LENGTH` are kept: hundreds of contracts, such as proxies, may have code of one length.
    if (group.length < MOST_OF_A_LENGTH) this.#known.set(key, [...group, { bytes, code }])
    return code
  }
}

const MOST_OF_A_LENGTH = 8
