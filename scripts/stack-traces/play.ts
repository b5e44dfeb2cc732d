/** Plays a case: its transactions one after the other, failed ones once more with a recorder. */
import { encode } from 'ox/AbiParameters'
import { type Address, fromHex, type Hex, ZERO_ADDRESS, ZERO_HASH } from '../../src/bytes/hex.ts'
import type { BlockContext } from '../../src/engine/blockContext.ts'
import type { Outcome } from '../../src/engine/engine.ts'
import { Evm } from '../../src/engine/evm.ts'
import { runTransaction } from '../../src/engine/run/runMessage.ts'
import { WasmEngine } from '../../src/engine/wasm/wasmEngine.ts'
import { createRules } from '../../src/model/hardfork/hardfork.ts'
import { Abis } from '../../src/solidity/abi/abis.ts'
import { consoleValues } from '../../src/solidity/abi/consoleLog.ts'
import { Artifacts } from '../../src/solidity/artifacts/artifacts.ts'
import type { Compilation, FindCode } from '../../src/solidity/artifacts/compilation.ts'
import type { SolcContract } from '../../src/solidity/artifacts/solcJson.ts'
import { type InferredStackTrace, recordRun, stackTraceOf } from '../../src/solidity/stackTrace/stackTrace.ts'
import { State } from '../../src/state/state.ts'
import { Unplayable } from '../commandLine.ts'
import type { CallOfContract, Definition, Deployment } from './cases.ts'

export interface Played {
  readonly outcome: Outcome
  readonly trace: InferredStackTrace | undefined
  readonly console: readonly string[]
}

const SENDER: Address = `0x${'5e'.repeat(20)}`
const GAS = 4_000_000n

const CONTEXT: BlockContext = {
  number: 1n,
  timestamp: 1_700_000_000n,
  coinbase: ZERO_ADDRESS,
  gasLimit: 10_000_000n,
  difficulty: 0n,
  prevRandao: ZERO_HASH,
  baseFeePerGas: 0n,
  blobBaseFee: 1n,
  blockHash: () => undefined,
}

const evm = new Evm(new WasmEngine(createRules('cancun', 1n)))

/** Plays the transactions of a case. Throws `Unplayable` if one cannot be sent. */
export async function play(
  { transactions }: Definition,
  compilation: Compilation,
): Promise<readonly Played[]> {
  const find = await findIn(compilation)
  const deployed: ({ readonly address: Address; readonly contract: SolcContract } | undefined)[] = []
  const played: Played[] = []
  let state = State.empty.with([{ address: SENDER, balance: 10n ** 24n }])
  for (const [nonce, sent] of transactions.entries()) {
    const addressOf = (number: number) => deployed[number]?.address
    const contract = 'file' in sent ? contractOf(compilation, sent) : deployed[sent.to]?.contract
    if (contract === undefined) throw new Unplayable(`transaction ${nonce}: its contract was not deployed`)
    const runnable = {
      type: 0,
      from: SENDER,
      to: 'file' in sent ? undefined : addressOf(sent.to),
      nonce: BigInt(nonce),
      gasLimit: BigInt(sent.gas ?? GAS),
      value: BigInt(sent.value ?? 0),
      data: fromHex('file' in sent ? creation(sent, contract, addressOf) : callData(sent, contract)),
      maxFeePerGas: 10n,
      maxPriorityFeePerGas: 10n,
      accessList: [],
      authorizationList: [],
    }
    const before = state
    const run = await runTransaction(evm, before, CONTEXT, runnable)
    const { outcome } = run
    state = run.state
    const recording = outcome.kind === 'success' ? undefined : recordRun()
    if (recording !== undefined) await runTransaction(evm, before, CONTEXT, runnable, recording.watcher)
    const address = outcome.kind === 'success' ? outcome.createdAddress : undefined
    deployed.push(address && { address, contract })
    played.push({
      outcome,
      trace: stackTraceOf(recording?.finished(), find),
      console: (outcome.console ?? []).map(({ input }) => line(input)),
    })
  }
  return played
}

/** Contracts with such names are left out, as in Hardhat's tests: they stand for unknown code. */
const IGNORED = /^Ignored/

/** Returns a function that finds the contracts of a compilation, as a devnet with its artifacts does. */
async function findIn({ solcVersion, input, output }: Compilation): Promise<FindCode> {
  const contracts = Object.entries(output.contracts ?? {}).map(([source, named]) => [
    source,
    Object.fromEntries(Object.entries(named).filter(([name]) => !IGNORED.test(name))),
  ])
  const known = { ...output, contracts: Object.fromEntries(contracts) }
  const problems: string[] = []
  const artifacts = new Artifacts({
    configured: undefined,
    abis: new Abis(),
    onProblem: (text) => problems.push(text),
  })
  artifacts.add({ solcVersion, input, output: known })
  const hasContracts = await artifacts.load()
  if (hasContracts && problems.length > 0) throw new Unplayable(`artifacts: ${problems.join('; ')}`)
  return artifacts.find
}

function line(input: Uint8Array | undefined): string {
  const values = input && consoleValues(input)
  return values?.map(({ value }) => String(value)).join(' ') ?? 'not decoded'
}

function contractOf({ output }: Compilation, { file, contract }: Deployment): SolcContract {
  const found = output.contracts?.[file]?.[contract]
  if (found === undefined) throw new Unplayable(`${file}: no contract ${contract}`)
  return found
}

function creation(
  { libraries = {}, params = [] }: Deployment,
  contract: SolcContract,
  addressOf: (number: number) => Address | undefined,
): Hex {
  const { object = '', linkReferences = {} } = contract.evm?.bytecode ?? {}
  let code = object
  for (const [file, names] of Object.entries(linkReferences)) {
    for (const [name, places] of Object.entries(names)) {
      const address = addressOf(libraries[file]?.[name] ?? -1)
      if (address === undefined) throw new Unplayable(`${file}: the library ${name} was not deployed`)
      for (const { start } of places) {
        code = code.slice(0, 2 * start) + address.slice(2) + code.slice(2 * start + 40)
      }
    }
  }
  const item = itemsOf(contract).find(({ type }) => type === 'constructor')
  return `0x${code}${item === undefined || params.length === 0 ? '' : encoded(item, params).slice(2)}`
}

function callData({ data, function: name, params = [] }: CallOfContract, contract: SolcContract): Hex {
  if (data !== undefined) return data as Hex
  if (name === undefined) return '0x'
  const item = itemsOf(contract).find((one) => one.name === name && one.inputs?.length === params.length)
  if (item === undefined) throw new Unplayable(`no function ${name} with ${params.length} parameters`)
  const signature = `${name}(${(item.inputs ?? []).map(({ type }) => type).join(',')})`
  const selector = contract.evm?.methodIdentifiers?.[signature]
  if (selector === undefined) throw new Unplayable(`no selector of ${signature}`)
  return `0x${selector}${encoded(item, params).slice(2)}`
}

interface Item {
  readonly type: string
  readonly name?: string
  readonly inputs?: readonly { readonly type: string }[]
}

function itemsOf({ abi = [] }: SolcContract): readonly Item[] {
  return abi.filter((item) => typeof item === 'object') as readonly Item[]
}

function encoded({ inputs = [] }: Item, params: readonly unknown[]): Hex {
  const values = params.map((value, i) => paramOf(inputs[i]?.type ?? '', value))
  return encode(inputs as never, values as never)
}

/** Cases give numbers for most types, and arrays of them for bytes. */
function paramOf(type: string, value: unknown): unknown {
  if (/^u?int\d*$/.test(type)) {
    const number = BigInt(value as string)
    return type.startsWith('int') ? BigInt.asIntN(256, number) : number
  }
  if (type === 'address' && typeof value === 'number') return `0x${value.toString(16).padStart(40, '0')}`
  const length = /^bytes(\d*)$/.exec(type)?.[1]
  if (length === undefined) return value
  if (typeof value === 'string') return value.length % 2 === 0 ? value : `0x0${value.slice(2)}`
  const digits = Buffer.from([value].flat() as number[]).toString('hex')
  return `0x${digits.padEnd(2 * Number(length), '0')}`
}
