/** Reads contracts from JSON: from the output of solc, and from artifacts of Hardhat, Foundry and similar tools. */

import { isRecord } from '../../model/api/arguments.ts'
import type { Abi } from '../abi/contract.ts'
import type { ContractData } from './compilation.ts'
import { compiledCodeIn } from './compiledCode.ts'
import type { Json, Shape } from './jsonSlice.ts'
import type { SolcBytecode, SolcContract } from './solcJson.ts'

const CODE_SHAPE: Shape = { object: true, linkReferences: true, immutableReferences: true }

export const AST_SHAPE = { absolutePath: true, id: true } satisfies Shape

export const CONTRACT_SHAPE = {
  abi: true,
  metadata: true,
  evm: { bytecode: CODE_SHAPE, deployedBytecode: CODE_SHAPE },
} satisfies Shape

export const ARTIFACT_SHAPE = {
  ...CONTRACT_SHAPE,
  metadata: { settings: { compilationTarget: { '*': true } } },
  rawMetadata: true,
  bytecode: CODE_SHAPE,
  deployedBytecode: CODE_SHAPE,
  linkReferences: true,
  deployedLinkReferences: true,
  immutableReferences: true,
  contractName: true,
  sourceName: true,
  inputSourceName: true,
  ast: AST_SHAPE,
} satisfies Shape

export function contractIn(json: Json): ContractData {
  const code = (member: string, references: string) => {
    // `found` is a hex string (Hardhat), or an object with the code (Foundry, solc).
    const found = json.at(member) ?? json.at('evm', member)
    return compiledCodeIn(
      found?.at('object') ?? found,
      found?.at('linkReferences') ?? json.at(references),
      found?.at('immutableReferences') ?? json.at('immutableReferences'),
    )
  }
  return {
    creation: code('bytecode', 'linkReferences'),
    runtime: code('deployedBytecode', 'deployedLinkReferences'),
    abi: () => json.at('abi')?.parse() as Abi | undefined,
    metadata: () => (json.at('rawMetadata') ?? json.at('metadata'))?.parse(),
    output: () => solcContractOf(json.parse()),
  }
}

export function namesIn(artifact: Json): {
  readonly name: string | undefined
  readonly source: string | undefined
} {
  const [target] = artifact.at('metadata', 'settings', 'compilationTarget')?.members.keys() ?? []
  return {
    name: textAt(artifact, 'contractName'),
    source: textAt(artifact, 'sourceName') ?? target ?? textAt(artifact, 'ast', 'absolutePath'),
  }
}

/** Returns the string at a path of members; `undefined` for any other value. */
export function textAt(json: Json, ...path: readonly string[]): string | undefined {
  const value = json.at(...path)?.parse()
  return typeof value === 'string' ? value : undefined
}

type Artifact = SolcContract & {
  readonly bytecode?: unknown
  readonly deployedBytecode?: unknown
  readonly linkReferences?: SolcBytecode['linkReferences']
  readonly deployedLinkReferences?: SolcBytecode['linkReferences']
  readonly immutableReferences?: SolcBytecode['immutableReferences']
  readonly methodIdentifiers?: NonNullable<SolcContract['evm']>['methodIdentifiers']
  readonly rawMetadata?: string
}

export function solcContractOf(json: unknown): SolcContract {
  const artifact: Artifact = isRecord(json) ? json : {}
  const { abi, storageLayout, rawMetadata: metadata, evm, linkReferences, immutableReferences } = artifact
  if (artifact.bytecode === undefined && artifact.deployedBytecode === undefined) return artifact
  return given({
    abi,
    storageLayout,
    metadata,
    evm: given({
      ...evm,
      methodIdentifiers: artifact.methodIdentifiers ?? evm?.methodIdentifiers,
      bytecode: codeOf(artifact.bytecode ?? evm?.bytecode, given({ linkReferences })),
      deployedBytecode: codeOf(
        artifact.deployedBytecode ?? evm?.deployedBytecode,
        given({ linkReferences: artifact.deployedLinkReferences, immutableReferences }),
      ),
    }),
  })
}

function codeOf(code: unknown, references: Partial<SolcBytecode>): SolcBytecode | undefined {
  if (typeof code === 'string') return { ...references, object: code.replace(/^0x/, '') }
  if (!isRecord(code) || typeof code.object !== 'string') return undefined
  return { ...code, object: code.object.replace(/^0x/, '') }
}

/** Returns a copy of an object without the members that are `undefined`. */
export function given<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never
}
