import { type Address, fromHex, type Hex, toHex } from '../../bytes/hex.ts'
import { runCall } from '../../engine/run/runCall.ts'
import { delegateOf } from '../../model/account/account.ts'
import { LATEST, type Selector } from '../../model/block/selector.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { creationOf } from '../../solidity/artifacts/compilation.ts'
import { isDiamond, proxySteps } from '../../solidity/artifacts/proxies.ts'
import type { State } from '../../state/state.ts'
import { freeCall } from '../../wire/call.ts'
import { encodeQuantity, parseAddress, parseBytes } from '../../wire/hex.ts'
import { type JsonObject, text } from '../../wire/parser.ts'
import { pageOf } from '../../wire/parts.ts'
import { parseSelectorOrLatest } from '../../wire/selector.ts'
import {
  abiOf,
  contractOf,
  encodeKnownCode,
  isKnown,
  type KnownCode,
  knownCode,
  nameOfAccount,
} from '../solidity/knownCode.ts'

/** Returns the contract at an address, with a proxy's implementation or a diamond's facets; `null` if unknown. */
export const preseal_getContract = read.long(
  params(parseAddress, parseSelectorOrLatest),
  async (context, address, at) => {
    await context.artifacts?.load()
    const { state } = context.at(at)
    const code = state.code(address)
    if (code.length === 0) return null
    const own = knownCode(context, address, code)
    const steps = proxySteps(state, address, code)
    const targets = steps.map((step) => knownCode(context, step.address, step.code))
    const facets = isDiamond(code) ? await facetsOf(context, state, address, at) : []
    const all = [own, ...targets, ...facets.map(({ known }) => known)]
    if (steps.length === 0 && facets.length === 0 && !isKnown(own)) return null
    return {
      name: targets.at(-1)?.name ?? own.name ?? null,
      abi: await joinedAbi(context, all),
      code: await encodeKnownCode(own),
      proxies: await Promise.all(
        steps.map(async ({ kind }, i) => ({ kind, target: await encodeKnownCode(targets[i]!) })),
      ),
      facets: await Promise.all(
        facets.map(async ({ selectors, known }) => ({ selectors, code: await encodeKnownCode(known) })),
      ),
    }
  },
)

/** Returns the source files of the code at an address. The first is the file that declares the contract. */
export const preseal_getSources = read.long(
  params(parseAddress, parseSelectorOrLatest),
  async (context, address, at) => {
    const contract = await compiledAt(context, address, at)
    if (contract === undefined) return null
    const { compilation, sourceName: own } = contract
    const names = Object.keys(compilation.input.sources).filter((sourceName) => sourceName !== own)
    return [own, ...names.sort()].map((sourceName) => ({
      path: compilation.pathOf(sourceName),
      sourceName,
      isOwn: sourceName === own,
    }))
  },
)

const LONGEST_SOURCE = 1_000_000

/** Returns the text of a source file; `null` if the code has no file of this name or its text is unknown. */
export const preseal_getSource = read.long(
  params(parseAddress, text, parseSelectorOrLatest),
  async (context, address, path, at) => {
    const contract = await compiledAt(context, address, at)
    if (contract === undefined) return null
    const { pathOf, input } = contract.compilation
    const names = Object.keys(input.sources)
    const name = names.find((one) => one === path) ?? names.find((one) => pathOf(one) === path)
    const content = name === undefined ? undefined : input.sources[name]?.content
    if (content === undefined) return null
    return {
      path: pathOf(name!),
      text: content.slice(0, LONGEST_SOURCE),
      isCut: content.length > LONGEST_SOURCE,
    }
  },
)

const MOST_ACCOUNTS = 10_000

/**
 * Returns contracts, in the order of their hashed addresses. On a fork, returns only contracts that the devnet
 * changed. `next` is the parameter `after` for the next page. A page may have fewer contracts than its limit.
 */
export const preseal_listContracts = read.long(
  params(parseSelectorOrLatest, pageOf(parseAddress, 100, 1_000)),
  async (context, at, { limit, after }) => {
    await context.artifacts?.load()
    const { state } = context.at(at)
    const contracts: JsonObject[] = []
    let seen = 0
    let last: Address | undefined
    for (const { address, code } of state.records(after)) {
      if (contracts.length === limit || seen === MOST_ACCOUNTS) return { contracts, next: last }
      seen++
      last = address
      if (code.length === 0 || delegateOf(code) !== undefined) continue
      await context.work.pause()
      const { name, proxy } = nameOfAccount(context, state, address, code)
      contracts.push({
        address,
        name: name ?? null,
        codeSize: encodeQuantity(code.length),
        proxy: proxy ?? null,
      })
    }
    return { contracts, next: null }
  },
)

async function compiledAt(context: ReadContext, address: Address, at: Selector) {
  await context.artifacts?.load()
  return contractOf(context.artifacts?.find(context.at(at).state.code(address), false))
}

async function joinedAbi(context: ReadContext, all: readonly KnownCode[]): Promise<readonly object[]> {
  const items = new Map<string, object>()
  for (const known of all) {
    for (const item of await abiOf(context, known)) items.set(JSON.stringify(item), item)
  }
  return [...items.values()]
}

interface Facet {
  readonly selectors: readonly Hex[]
  readonly known: KnownCode
}

/** The selector and the result of `facets()` of `IDiamondLoupe`, which every diamond has (EIP-2535). */
const FACETS = fromHex('0x7a0ed627')
const FACETS_GAS = 10_000_000n
const FACETS_RESULT = [{ type: 'tuple[]', components: [{ type: 'address' }, { type: 'bytes4[]' }] }]

/** Maximum number of facets, and of selectors of one facet. No diamond has more. */
const MOST_FACETS = 1_000

async function facetsOf(
  context: ReadContext,
  state: State,
  address: Address,
  at: Selector | undefined,
): Promise<readonly Facet[]> {
  const { evm, scene } = context.environment(at ?? LATEST)
  const outcome = await runCall(evm, scene, freeCall(address, address, FACETS, FACETS_GAS))
  if (outcome.kind !== 'success') return []
  const { valuesOf } = await import('../../solidity/abi/codec.ts')
  const [facets = []] = (valuesOf(FACETS_RESULT, toHex(outcome.returnData)) ?? []) as [[Address, Hex[]][]?]
  return facets.slice(0, MOST_FACETS).map(([checksummed, selectors]) => {
    const facet = checksummed.toLowerCase() as Address
    return {
      selectors: selectors.slice(0, MOST_FACETS),
      known: knownCode(context, facet, state.code(facet)),
    }
  })
}

/** Returns the contract that is created by `input`, according to artifacts; `null` if unknown. */
export const preseal_getCreation = read.long(params(parseBytes), async ({ artifacts }, input) => {
  await artifacts?.load()
  const contract = contractOf(artifacts?.find(input, true))
  const creation = contract && creationOf(contract)
  if (contract === undefined || creation === undefined) return null
  const { compilation, sourceName, name } = contract
  return {
    name,
    path: compilation.pathOf(sourceName),
    codeSize: encodeQuantity(creation.codeSize),
    constructor: creation.constructorItem ?? null,
  }
})
