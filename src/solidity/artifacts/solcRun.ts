/** Runs of solc from its standard JSON: values, or parts of JSON texts. */
import type { Abi } from '../abi/contract.ts'
import type { JsonPart, Shape } from './jsonPart.ts'
import type { Lazy, Run, RunParts } from './run.ts'
import { runOf } from './run.ts'
import type { AstNode, SolcContract, SolcInput, SolcOutput } from './solcJson.ts'
import { codeOfPart, codeOfValue } from './writtenCode.ts'

/** What the standard JSON does not say. */
export type RunContext = Pick<RunParts, 'solcVersion' | 'pathOf' | 'sourceOnDisk'>

export const CODE_SHAPE: Shape = { object: true, linkReferences: true, immutableReferences: true }
/** The parts that `runOfParts` reads. */
export const INPUT_SHAPE: Shape = { language: true, sources: { '*': true }, settings: true }
export const OUTPUT_SHAPE: Shape = {
  contracts: {
    '*': { '*': { abi: true, metadata: true, evm: { bytecode: CODE_SHAPE, deployedBytecode: CODE_SHAPE } } },
  },
  sources: { '*': true },
}

/** Returns the run whose input and output are values. */
export function runOfValues(input: SolcInput | undefined, output: SolcOutput, context: RunContext): Run {
  const contracts = Object.entries(output.contracts ?? {}).flatMap(([sourceName, named]) =>
    Object.entries(named ?? {}).map(([name, contract]) => ({
      sourceName,
      name,
      creation: codeOfValue(contract?.evm?.bytecode),
      runtime: codeOfValue(contract?.evm?.deployedBytecode),
      abi: () => contract?.abi,
      metadata: () => (contract as { metadata?: unknown } | null)?.metadata,
      output: () => contract ?? {},
    })),
  )
  const units = output.sources ?? {}
  const sources = input?.sources ?? {}
  return runOf({
    ...context,
    language: input?.language,
    sources: {
      names: Object.keys(input === undefined ? units : sources),
      get: (name) => sources[name],
    },
    settings: () => input?.settings,
    units: { names: Object.keys(units), get: (name) => units[name]! },
    contracts,
  })
}

/** Returns the run whose input and output are parts of texts, which were read by `INPUT_SHAPE` and `OUTPUT_SHAPE`. */
export function runOfParts(input: JsonPart | undefined, output: JsonPart, context: RunContext): Run {
  const contracts = [...(output.at('contracts')?.members ?? [])].flatMap(([sourceName, named]) =>
    [...named.members].map(([name, part]) => ({ sourceName, name, ...contractParts(part, part.at('evm')) })),
  )
  const language = input?.at('language')?.parse()
  const units = lazyParts<{ id: number; ast?: AstNode }>(output.at('sources'))
  return runOf({
    ...context,
    language: typeof language === 'string' ? language : undefined,
    sources: input === undefined ? { ...units, get: () => undefined } : lazyParts(input.at('sources')),
    settings: () => input?.at('settings')?.parse() as SolcInput['settings'],
    units,
    contracts,
  })
}

/**
 * Returns the parts of a contract. `code` has the members `bytecode` and `deployedBytecode`: solc and Foundry write them in different
 * places.
 */
export function contractParts(part: JsonPart, code: JsonPart | undefined) {
  const codeCalled = (name: string) => {
    const found = code?.at(name)
    return codeOfPart(found?.at('object'), found?.at('linkReferences'), found?.at('immutableReferences'))
  }
  return {
    creation: codeCalled('bytecode'),
    runtime: codeCalled('deployedBytecode'),
    abi: () => part.at('abi')?.parse() as Abi | undefined,
    metadata: () => part.at('metadata')?.parse(),
    output: () => (part.parse() ?? {}) as SolcContract,
  }
}

function lazyParts<T>(parts: JsonPart | undefined): Lazy<T> {
  const { members = new Map<string, JsonPart>() } = parts ?? {}
  return { names: [...members.keys()], get: (name) => members.get(name)?.parse() as T }
}
