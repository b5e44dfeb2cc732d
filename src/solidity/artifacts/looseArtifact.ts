/** Artifacts of single contracts, as Hardhat and Foundry write them beside their build info. */
import type { Abi } from '../abi/contract.ts'
import type { JsonPart } from './jsonPart.ts'
import type { RunParts } from './run.ts'
import type { SolcBytecode, SolcContract } from './solcJson.ts'
import { codeOfPart } from './writtenCode.ts'

/** A contract, and what ties it to a run of the compiler. */
export interface LooseArtifact {
  readonly contract: RunParts['contracts'][number]
  /** The id of its source file in the run; `undefined` where the artifact does not say it. */
  readonly sourceId: number | undefined
  readonly root: JsonPart
}

/** Returns the artifact in a file; `name` is the contract's name by the file, for artifacts that do not say it. */
export function looseArtifactOf(root: JsonPart, name: string): LooseArtifact {
  const text = (...path: readonly string[]) => {
    const value = root.at(...path)?.parse()
    return typeof value === 'string' ? value : undefined
  }
  const [target] = root.at('metadata', 'settings', 'compilationTarget')?.members.keys() ?? []
  const sourceName =
    text('inputSourceName') ?? text('sourceName') ?? target ?? text('ast', 'absolutePath') ?? ''
  const code = (member: string, references: string) => {
    // Hex (Hardhat), or an object as of solc (Foundry).
    const found = root.at(member) ?? root.at('evm', member)
    const isObject = found?.at('object') !== undefined
    return codeOfPart(
      isObject ? found?.at('object') : found,
      (isObject ? found?.at('linkReferences') : undefined) ?? root.at(references),
      (isObject ? found?.at('immutableReferences') : undefined) ?? root.at('immutableReferences'),
    )
  }
  const id = root.at('id')?.parse()
  return {
    root,
    sourceId: typeof id === 'number' ? id : undefined,
    contract: {
      sourceName,
      name: text('contractName') ?? name,
      creation: code('bytecode', 'linkReferences'),
      runtime: code('deployedBytecode', 'deployedLinkReferences'),
      abi: () => root.at('abi')?.parse() as Abi | undefined,
      metadata: () => root.at('rawMetadata')?.parse(),
      output: () => solcContractOf(root.parse() as AnyArtifact | undefined),
    },
  }
}

interface AnyArtifact {
  readonly abi?: Abi
  readonly bytecode?: unknown
  readonly deployedBytecode?: unknown
  readonly evm?: SolcContract['evm']
  readonly linkReferences?: SolcBytecode['linkReferences']
  readonly deployedLinkReferences?: SolcBytecode['linkReferences']
  readonly immutableReferences?: SolcBytecode['immutableReferences']
  readonly methodIdentifiers?: NonNullable<SolcContract['evm']>['methodIdentifiers']
  readonly storageLayout?: SolcContract['storageLayout']
  readonly rawMetadata?: string
}

/** Returns an artifact as solc would say it. */
function solcContractOf(artifact: AnyArtifact = {}): SolcContract {
  const { abi, evm, storageLayout, rawMetadata: metadata, methodIdentifiers } = artifact
  const code = (value: unknown, references: Partial<SolcBytecode>) =>
    typeof value === 'string'
      ? { ...references, object: value.replace(/^0x/, '') }
      : unprefixed(value as SolcBytecode | undefined)
  const bytecode = code(
    artifact.bytecode ?? evm?.bytecode,
    given({ linkReferences: artifact.linkReferences }),
  )
  const deployedBytecode = code(
    artifact.deployedBytecode ?? evm?.deployedBytecode,
    given({
      linkReferences: artifact.deployedLinkReferences,
      immutableReferences: artifact.immutableReferences,
    }),
  )
  return {
    ...given({ abi, storageLayout, metadata }),
    evm: given({
      ...evm,
      methodIdentifiers: methodIdentifiers ?? evm?.methodIdentifiers,
      bytecode,
      deployedBytecode,
    }),
  }
}

function unprefixed(code: SolcBytecode | undefined): SolcBytecode | undefined {
  return code && { ...code, object: String(code.object ?? '').replace(/^0x/, '') }
}

/** Without the members that are `undefined`. */
function given<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never
}
