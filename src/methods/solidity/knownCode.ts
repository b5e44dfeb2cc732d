import type { Address } from '../../bytes/hex.ts'
import wellKnown from '../../model/bytecode/wellKnown.json' with { type: 'json' }
import type { NamedAbi, ReadContext } from '../../rpc/readContext.ts'
import type { CodeMatch, CompiledContract } from '../../solidity/artifacts/compilation.ts'
import { type AccountsView, type ProxyStep, proxySteps } from '../../solidity/artifacts/proxies.ts'
import { NotFetched } from '../../state/remoteState.ts'
import type { JsonObject } from '../../wire/parser.ts'

/** Names of contracts that stand at the same address on most chains, or on all OP-stack chains. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map(Object.entries(wellKnown))

export interface KnownCode {
  readonly address: Address
  readonly match: CodeMatch | undefined
  readonly added: NamedAbi | undefined
  readonly name: string | undefined
}

/** Returns what artifacts and added ABIs know about the code at `address`. Artifacts must have been loaded before. */
export function knownCode(
  { options, artifacts }: ReadContext,
  address: Address,
  code: Uint8Array,
): KnownCode {
  const match = artifacts?.find(code, false)
  const added = options.addedAbis?.find(address, code)
  const name = match?.kind === 'contract' ? match.contract.name : undefined
  return { address, match, added, name: added?.name ?? name ?? WELL_KNOWN.get(address) }
}

export function isKnown({ match, added }: KnownCode): boolean {
  return match !== undefined || added !== undefined
}

/** Returns the name of an account's contract or of a proxy's implementation. Fetches nothing from a network. */
export function nameOfAccount(
  context: ReadContext,
  state: AccountsView,
  address: Address,
  code: Uint8Array,
): { readonly name: string | undefined; readonly proxy: ProxyStep['kind'] | undefined } {
  const own = knownCode(context, address, code)
  let steps: readonly ProxyStep[] = []
  try {
    steps = proxySteps(state, address, code)
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
  }
  const last = steps.at(-1)
  const target = last && knownCode(context, last.address, last.code)
  return { name: target?.name ?? own.name, proxy: steps[0]?.kind }
}

/** Returns the contract whose sources and ABI are used: the first one, if several compile to the same code. */
export function contractOf(match: CodeMatch | undefined): CompiledContract | undefined {
  return match?.kind === 'ambiguous' ? match.contracts[0] : match?.contract
}

export async function abiOf(
  { options }: ReadContext,
  { match, added }: KnownCode,
): Promise<readonly object[]> {
  const compiled = match?.kind === 'contract' ? match.contract.output.abi : undefined
  const abi = compiled ?? added?.abi ?? contractOf(match)?.output.abi ?? []
  return (await options.addedAbis?.toJson(abi)) ?? []
}

export async function encodeKnownCode(known: KnownCode): Promise<JsonObject> {
  const { address, match, name } = known
  const contract = contractOf(match)
  return {
    address,
    match: matchOf(known),
    name: name ?? null,
    source: contract === undefined ? null : await sourceOf(contract),
    compiler: contract === undefined ? null : compilerOf(contract),
    candidates: match?.kind === 'ambiguous' ? match.contracts.map(encodeCandidate) : [],
    hasSources: contract !== undefined && hasText(contract),
    hasStorageLayout: contract !== undefined && (await hasLayout(contract)),
  }
}

function matchOf({ match, added }: KnownCode): string {
  if (match === undefined) return added === undefined ? 'unknown' : 'named'
  if (match.kind === 'ambiguous') return 'ambiguous'
  return match.fit === 'otherwise' ? 'similar' : 'exact'
}

function encodeCandidate({ compilation, sourceName, name }: CompiledContract): JsonObject {
  return { name, path: compilation.pathOf(sourceName) }
}

async function sourceOf(contract: CompiledContract): Promise<JsonObject> {
  const { sourceModelOf } = await import('../../solidity/source/sourceModel.ts')
  const { compilation, sourceName } = contract
  const declared = sourceModelOf(compilation).contract(contract)
  const line = declared?.file.lines?.lineAt(declared.range.start)
  return { path: compilation.pathOf(sourceName), line: line ?? null }
}

function compilerOf({ compilation }: CompiledContract): JsonObject {
  const { solcVersion, input } = compilation
  const { optimizer, viaIR, evmVersion } = input.settings ?? {}
  return {
    version: solcVersion === '' ? null : solcVersion,
    language: input.language,
    optimizer:
      optimizer === undefined ? null : { enabled: optimizer.enabled === true, runs: optimizer.runs ?? null },
    viaIR: viaIR === true,
    evmVersion: evmVersion ?? null,
  }
}

function hasText({ compilation, sourceName }: CompiledContract): boolean {
  return compilation.input.sources[sourceName]?.content !== undefined
}

async function hasLayout(contract: CompiledContract): Promise<boolean> {
  const { layoutsOf } = await import('../../solidity/debug/runningCode.ts')
  return layoutsOf(contract).storage !== undefined
}
