import { grouped } from '../../model/collections/grouped.ts'
import type { Compilation, CompiledContract, KnownContract } from './compilation.ts'
import { given } from './contractJson.ts'
import type { AstNode, SolcBytecode, SolcContract, SolcInput, SolcOutput, SolcRun } from './solcJson.ts'

/** A compilation reduced to some contracts and sources. The option `artifacts` accepts it. */
export interface Excerpt extends SolcRun {
  readonly input: SolcInput
  readonly output: SolcOutput
  readonly solcVersion: string
  readonly paths: Readonly<Record<string, string>>
}

/** Returns the data of `contracts`, with texts and ASTs of the sources for which `hasText` is true. */
export function excerptOf(
  compilation: Compilation,
  contracts: readonly CompiledContract[],
  hasText: (sourceName: string) => boolean,
): Excerpt {
  const { input, output, solcVersion, pathOf } = compilation
  const { optimizer, viaIR, evmVersion, remappings } = input.settings ?? {}
  const names = [...new Set(contracts.flatMap((contract) => sourcesOf(contract)))]
  const bySource = grouped(contracts, ({ sourceName }) => sourceName)
  return {
    solcVersion,
    input: {
      language: input.language,
      sources: fromNames(names, (name) => (hasText(name) ? sourceExcerpt(compilation, name).input : {})),
      settings: given({ optimizer, viaIR, evmVersion, remappings }),
    },
    output: {
      sources: fromNames(
        names.filter((name) => unitOf(output, name) !== undefined),
        (name) => (hasText(name) ? sourceExcerpt(compilation, name).unit! : { id: unitOf(output, name)!.id }),
      ),
      contracts: Object.fromEntries(
        [...bySource].map(([source, some]) => [
          source,
          Object.fromEntries(some.map((contract) => [contract.name, contractExcerpt(contract)])),
        ]),
      ),
    },
    paths: fromNames(
      names.filter((name) => pathOf(name) !== name),
      pathOf,
    ),
  }
}

export function contractExcerpt({ output }: CompiledContract): SolcContract {
  const { abi, storageLayout, transientStorageLayout, evm } = output
  return given({
    abi,
    storageLayout,
    transientStorageLayout,
    evm: given({
      bytecode: codeExcerpt(evm?.bytecode),
      deployedBytecode: codeExcerpt(evm?.deployedBytecode),
      methodIdentifiers: evm?.methodIdentifiers,
    }),
  })
}

function codeExcerpt(code: SolcBytecode | undefined): SolcBytecode | undefined {
  if (code === undefined) return undefined
  const { object, sourceMap, linkReferences, immutableReferences, functionDebugData } = code
  return given({ object, sourceMap, linkReferences, immutableReferences, functionDebugData })
}

export interface SourceExcerpt {
  readonly input: SolcInput['sources'][string]
  readonly unit: { readonly id: number; readonly ast?: AstNode } | undefined
}

export function sourceExcerpt({ input, output }: Compilation, sourceName: string): SourceExcerpt {
  const content = own(input.sources, sourceName)?.content
  const unit = unitOf(output, sourceName)
  return { input: given({ content }), unit: unit && given({ id: unit.id, ast: unit.ast }) }
}

/** Returns the names of a contract's source files: its own file, transitive imports, then others in its source maps. */
export function sourcesOf({ compilation, sourceName, output }: CompiledContract): readonly string[] {
  const { sources: units = {} } = compilation.output
  const names = new Map(Object.keys(units).map((name) => [units[name]!.id, name]))
  const mapped = [output.evm?.bytecode, output.evm?.deployedBytecode].flatMap((code) =>
    filesIn(code?.sourceMap ?? '').flatMap((id) => names.get(id) ?? []),
  )
  const found = new Set([sourceName])
  // `for` also visits elements that are added to the set during the loop.
  for (const name of found) for (const imported of importsOf(own(units, name)?.ast)) found.add(imported)
  for (const name of mapped) found.add(name)
  return [...found].filter((name) => own(units, name) ?? own(compilation.input.sources, name))
}

function importsOf(ast: AstNode | undefined): readonly string[] {
  const nodes = Array.isArray(ast?.nodes) ? (ast.nodes as readonly AstNode[]) : []
  return nodes.flatMap(({ nodeType, absolutePath }) =>
    nodeType === 'ImportDirective' && typeof absolutePath === 'string' ? [absolutePath] : [],
  )
}

/** Returns the source ids in a source map. The id is the third field of an entry, empty if unchanged. */
function filesIn(sourceMap: string): readonly number[] {
  const ids = sourceMap.split(';').map((entry) => entry.split(':')[2] ?? '')
  return [...new Set(ids.filter((id) => /^\d+$/.test(id)))].map(Number)
}

/** Returns those of `others` whose creation code is part of the code of `contract`, which can thus create them. */
export function createdBy(
  contract: KnownContract,
  others: readonly KnownContract[],
): readonly KnownContract[] {
  const code = contract.creation ?? contract.runtime
  if (code === undefined) return []
  const digits = code.digits()
  return others.filter(
    ({ creation }) =>
      creation !== undefined && creation.size < code.size && digits.includes(creation.digits()),
  )
}

function unitOf({ sources = {} }: SolcOutput, name: string) {
  return own(sources, name)
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function fromNames<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}
