/** Collects the contracts of a report from artifacts and added ABIs, compressed and limited in size. */

import { type Codes, codesOf } from '../chain/codes.ts'
import { grouped } from '../model/collections/grouped.ts'
import type { RecordedDevnet } from '../recording/record.ts'
import type { Abis } from '../solidity/abi/abis.ts'
import { type AddedContract, addedOf, type Contract, isCodeOf } from '../solidity/abi/contract.ts'
import type { ArtifactIndex } from '../solidity/artifacts/artifactIndex.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type {
  Compilation,
  CompiledContract,
  FindCode,
  KnownContract,
} from '../solidity/artifacts/compilation.ts'
import {
  contractExcerpt,
  createdBy,
  type Excerpt,
  excerptOf,
  sourceExcerpt,
  sourcesOf,
} from '../solidity/artifacts/excerpt.ts'

// `node:util` is not imported: the main entry point reaches this file, and bundlers for browsers follow imports.
const { promisify } = process.getBuiltinModule('node:util')
const { gzip, gzipSync } = process.getBuiltinModule('node:zlib')

/** The parts of a `Devnet` that a report contains. */
export interface ReportedDevnet extends RecordedDevnet {
  readonly abis: Abis
  readonly artifacts: Artifacts
}

export interface KnownToReport {
  /** Values for the option `artifacts`. */
  readonly artifacts: readonly Excerpt[]
  /** Values for `devnet.abis.add`, newest first. */
  readonly abis: readonly AddedContract[]
}

export interface ReportContracts {
  /** `KnownToReport` as JSON, compressed by gzip. */
  readonly gzip: Uint8Array
  /** Number of contracts from artifacts. */
  readonly contracts: number
  /** Number of source files whose texts are included. */
  readonly sources: number
  /** Parts left out because of their size, such as `the sources of Vault`. */
  readonly leftOut: readonly string[]
}

/** Maximum compressed size of contracts, in bytes. A report of a few thousand transactions has 3 MB at this limit. */
const MOST_BYTES = 1_000_000

export interface ReportContractsOptions {
  /** Artifacts that are already read. By default, the devnet's artifacts are read. */
  readonly library?: ArtifactIndex | undefined
  /** Maximum compressed size in bytes. By default `MOST_BYTES`. */
  readonly mostBytes?: number | undefined
}

/** Resolves to known contracts whose code the chain has or had. Omits source texts first if contracts are too large. */
export async function contractsOf(
  devnet: ReportedDevnet,
  { library, mostBytes = MOST_BYTES }: ReportContractsOptions = {},
): Promise<ReportContracts | undefined> {
  const { chain, pool } = devnet.wires.context
  const waiting = [...pool.contents.byHash.entries()].map(([, { transaction }]) => transaction)
  const codes = codesOf(chain.state, waiting)
  const all = library?.contracts ?? (await devnet.artifacts.contracts())
  const find = library?.find.bind(library) ?? devnet.artifacts.find
  const matched = knownIn(all, find, codes)
  const added = addedIn(devnet.abis, codes)
  const whole = await compressed(
    matched,
    added,
    textsOf(matched, () => true),
    [],
  )
  return whole === undefined || whole.gzip.length <= mostBytes
    ? whole
    : partOf(matched, added, budgetOf(mostBytes))
}

function partOf(
  matched: readonly KnownContract[],
  added: readonly AddedContract[],
  take: (value: unknown) => boolean,
): Promise<ReportContracts | undefined> {
  const contracts = matched.filter((contract) => take(contractExcerpt(contract)))
  const abis = added.filter(take)
  const texts = textsOf(contracts, take)
  const lost = matched.length - contracts.length
  const leftOut = [
    ...(lost > 0 ? [`${lost} of ${matched.length} contracts`] : []),
    ...(texts.without.length > 0 ? [`the sources of ${listed(texts.without)}`] : []),
  ]
  return compressed(contracts, abis, texts, leftOut)
}

async function compressed(
  contracts: readonly KnownContract[],
  abis: readonly AddedContract[],
  texts: Texts,
  leftOut: readonly string[],
): Promise<ReportContracts | undefined> {
  if (contracts.length === 0 && abis.length === 0) return undefined
  const known: KnownToReport = {
    artifacts: [...grouped(contracts, (one) => one.compilation)].map(([compilation, some]) =>
      excerptOf(compilation, some, (name) => texts.of(compilation).has(name)),
    ),
    abis,
  }
  const zipped = await promisify(gzip)(JSON.stringify(known), { level: 9 })
  return { gzip: zipped, contracts: contracts.length, sources: texts.count, leftOut }
}

const MOST_NAMES = 10

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Returns a function that subtracts a value's compressed size from `bytes`, or returns `false` if too large. */
function budgetOf(bytes: number): (value: unknown) => boolean {
  let left = bytes
  return (value) => {
    const size = gzipSync(JSON.stringify(value)).length
    if (size > left) return false
    left -= size
    return true
  }
}

/** Returns, in the order of `all`, the contracts that match code of the chain or that such a contract creates. */
function knownIn(
  all: readonly KnownContract[],
  find: FindCode,
  { runtime, creation }: Codes,
): readonly KnownContract[] {
  const matches = [
    ...[...runtime].map((code) => find(code, false)),
    ...[...creation].map((code) => find(code, true)),
  ]
  const found = new Set<CompiledContract>(
    matches.flatMap((match) =>
      match === undefined ? [] : match.kind === 'contract' ? [match.contract] : match.contracts,
    ),
  )
  for (const contract of all) {
    if (!found.has(contract)) continue
    const others = all.filter(({ compilation }) => compilation === contract.compilation)
    for (const created of createdBy(contract, others)) found.add(created)
  }
  return all.filter((contract) => found.has(contract))
}

/** Returns the added ABIs, except those that were added for a code that is not on the chain. */
function addedIn(abis: Iterable<Contract>, { runtime, creation }: Codes): readonly AddedContract[] {
  const codes = [...runtime, ...creation]
  return [...abis]
    .filter(
      (contract) =>
        contract.address !== undefined ||
        (contract.runtime === undefined && contract.creation === undefined) ||
        codes.some((code) => isCodeOf(contract, code)),
    )
    .map(addedOf)
}

interface Texts {
  of(compilation: Compilation): ReadonlySet<string>
  /** Names of the contracts whose sources are left out. */
  readonly without: readonly string[]
  readonly count: number
}

/** Returns the source texts that `take` accepts. Includes either all source files of a contract or none. */
function textsOf(contracts: readonly KnownContract[], take: (value: unknown) => boolean): Texts {
  const included = new Map<Compilation, Set<string>>()
  const of = (compilation: Compilation) => {
    const names = included.get(compilation) ?? new Set()
    included.set(compilation, names)
    return names
  }
  const without: string[] = []
  for (const contract of contracts) {
    const { compilation, name } = contract
    const names = of(compilation)
    const missing = sourcesOf(contract).filter((source) => !names.has(source))
    if (take(missing.map((source) => sourceExcerpt(compilation, source)))) {
      for (const source of missing) names.add(source)
    } else {
      without.push(name)
    }
  }
  const count = [...included].reduce(
    (sum, [{ input }, names]) =>
      sum + [...names].filter((name) => input.sources[name]?.content !== undefined).length,
    0,
  )
  return { of, without, count }
}
