/** Prints the calls of a transaction as a tree, in the style of Foundry's traces. */
import pc from 'picocolors'
import { type Address, fromHex, type Hex, toHex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { checksummed, delegateOf } from '../model/account/account.ts'
import type { Block } from '../model/block/block.ts'
import { CONSOLE_ADDRESS } from '../model/execution/call.ts'
import type { Receipt } from '../model/receipt/receipt.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { ProviderRpcError } from '../rpc/provider.ts'
import type { Abis } from '../solidity/abi/abis.ts'
import { consoleText, consoleValues } from '../solidity/abi/consoleLog.ts'
import type { Contract } from '../solidity/abi/contract.ts'
import { shortenedHex } from '../solidity/abi/decoded.ts'
import { positionText, type SolidityFrame, type SourcePosition } from '../solidity/stackTrace/format.ts'
import type { RpcCallFrame, RpcCallLog } from '../wire/encodeTrace.ts'
import { etherText } from './banner.ts'

type CodeAt = (address: Address) => Uint8Array

/** Returns the lines of the tree below `call`. `innermost` is the innermost Solidity frame of a failure, if known. */
export async function callTree(
  call: RpcCallFrame,
  codeAt: CodeAt,
  { abis, artifacts }: Pick<Devnet, 'abis' | 'artifacts'>,
  innermost?: SolidityFrame | undefined,
): Promise<string[]> {
  await artifacts.load()
  const find: Find = (address, code) => abis.find(address, code) ?? artifacts.contractOf(code)
  return treePrinter(codeAt, abis, find, innermost && failedPlace(call, innermost))(call)
}

interface FailedPlace {
  readonly call: RpcCallFrame
  readonly position: SourcePosition
}

/** Returns the innermost failed call that ran the code of the stack frame, with the frame's source position. */
function failedPlace(call: RpcCallFrame, { address, position }: SolidityFrame): FailedPlace | undefined {
  if (position === undefined) return undefined
  const inner = call.calls?.findLast(({ error, output }) => error !== undefined && output === call.output)
  const found = inner && failedPlace(inner, { address, position } as SolidityFrame)
  if (found !== undefined) return found
  // The stack frame of a creation has no address.
  const isOfCode = address === undefined ? call.type.startsWith('CREATE') : call.to === address
  return call.error !== undefined && isOfCode ? { call, position } : undefined
}

/** Returns the DELEGATECALL with unchanged input, by which a proxy calls its implementation. */
function forwardedCall({ input, calls }: RpcCallFrame): RpcCallFrame | undefined {
  return calls?.find((call) => call.type === 'DELEGATECALL' && call.input === input)
}

type Find = (address: Address, code: Uint8Array) => Contract | undefined

/** Returns the function that prints a call and its inner calls. */
function treePrinter(codeAt: CodeAt, abis: Abis, find: Find, failed: FailedPlace | undefined) {
  return linesOf

  async function linesOf(call: RpcCallFrame): Promise<string[]> {
    if (call.to === CONSOLE_ADDRESS) return [`${pc.cyan('console.log')} ${consoleLine(call.input)}`]
    const own = contractOf(call)
    const behind = implementationOf(call)
    const contract = behind ?? own
    const name = [own?.name ?? call.to, behind?.name].filter(Boolean).join(' → ')
    const title = `${pc.dim(`[${count(call.gasUsed)}]`)} ${await titleOf(call, contract, name)}`
    const lines = [call.source === undefined ? title : `${title}  ${pc.dim(positionText(call.source))}`]
    for (const part of inOrder(call)) {
      const [first, ...others] = isLog(part) ? [await eventLine(part)] : await linesOf(part)
      lines.push(`  ├─ ${first}`, ...others.map((line) => `  │ ${line}`))
    }
    const place = failed?.call === call ? `  ${pc.dim(positionText(failed.position))}` : ''
    lines.push(`  └─ ${await ending(call, contract)}${place}`)
    return lines
  }

  async function titleOf(call: RpcCallFrame, contract: Contract | undefined, name: string): Promise<string> {
    const { type, to, input } = call
    const paint = call.error === undefined ? pc.green : pc.red
    switch (type) {
      case 'CREATE':
      case 'CREATE2':
        return `${pc.yellow('→ new')} ${paint([contract?.name, to].filter(Boolean).join('@'))}`
      case 'SELFDESTRUCT':
        return `${pc.yellow('selfdestruct')} → ${name}${valueText(call)}`
    }
    const kind = type === 'CALL' ? '' : pc.yellow(` [${type.toLowerCase()}]`)
    const called = await abis.decodeCall(input, contract)
    const [what, args] =
      called === undefined ? bareCall(input) : [called.name, called.text.slice(called.name.length)]
    return `${paint(`${name}::${what}`)}${valueText(call)}${args}${kind}`
  }

  async function eventLine(log: RpcCallLog): Promise<string> {
    const decoded = await abis.decodeEvent(log, at(log.address))
    if (decoded !== undefined)
      return `emit ${pc.cyan(decoded.name)}${decoded.text.slice(decoded.name.length)}`
    const topics = log.topics.map((topic, i) => `topic ${i}: ${topic}`)
    return `emit (${[...topics, `data: ${shortenedHex(log.data)}`].join(', ')})`
  }

  async function ending(call: RpcCallFrame, contract: Contract | undefined): Promise<string> {
    const { type, input, output = '0x', error, revertReason } = call
    if (error === REVERTED) {
      const reason = revertReason ?? (await abis.decodeError(output, contract))?.text
      return pc.red(`← [Revert] ${reason ?? (output === '0x' ? 'no reason given' : shortenedHex(output))}`)
    }
    if (error !== undefined) return pc.red(`← [Halt] ${error}`)
    if (output === '0x') return pc.green('← [Stop]')
    if (type.startsWith('CREATE')) return `${pc.green('← [Return]')} ${count(lengthOf(output))} bytes of code`
    const result = await abis.decodeResult(input, output, contract)
    return `${pc.green('← [Return]')} ${result?.text ?? shortenedHex(output)}`
  }

  function contractOf({ type, to, input }: RpcCallFrame): Contract | undefined {
    if (!type.startsWith('CREATE')) return to && at(to)
    return find(to ?? '0x', fromHex(input))
  }

  /** Returns the contract behind a proxy. `undefined` if unknown, or if it is the called contract itself. */
  function implementationOf(call: RpcCallFrame): Contract | undefined {
    const inner = forwardedCall(call)
    const behind = inner?.to && at(inner.to)
    return behind === contractOf(call) ? undefined : behind || undefined
  }

  function at(address: Address): Contract | undefined {
    const code = codeAt(address)
    const delegate = delegateOf(code)
    return find(address, delegate === undefined ? code : codeAt(delegate))
  }
}

/** The error that geth's callTracer reports for REVERT. */
const REVERTED = 'execution reverted'

function* inOrder({ calls = [], logs = [] }: RpcCallFrame): Generator<RpcCallFrame | RpcCallLog> {
  for (let position = 0; position <= calls.length; position++) {
    yield* logs.filter((log) => Number(log.position) === position)
    const call = calls[position]
    if (call !== undefined) yield call
  }
}

function isLog(part: RpcCallFrame | RpcCallLog): part is RpcCallLog {
  return 'topics' in part
}

function bareCall(input: Hex): [what: string, args: string] {
  if (lengthOf(input) < 4) return ['fallback', `(${input === '0x' ? '' : input})`]
  return [input.slice(2, 10), `(${input.length > 10 ? shortenedHex(`0x${input.slice(10)}`) : ''})`]
}

function consoleLine(input: Hex): string {
  const values = consoleValues(fromHex(input))
  return values === undefined ? shortenedHex(input) : JSON.stringify(consoleText(values))
}

function valueText({ value = '0x0' }: RpcCallFrame): string {
  return BigInt(value) === 0n ? '' : `{value: ${BigInt(value)}}`
}

function lengthOf(hex: Hex): number {
  return (hex.length - 2) / 2
}

function count(value: Hex | number): string {
  return BigInt(value).toLocaleString('en')
}

const REQUEST = { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } }

/** Returns the call tree of each transaction of `block`, or the reason why the block cannot be traced. */
export async function callsOf(
  devnet: Devnet,
  block: Block,
): Promise<readonly RpcCallFrame[] | { readonly reason: string }> {
  try {
    const traces = await devnet.request({ method: 'debug_traceBlockByHash', params: [block.hash, REQUEST] })
    return (traces as { readonly result: RpcCallFrame }[]).map(({ result }) => result)
  } catch (error) {
    if (!(error instanceof ProviderRpcError)) throw error
    return { reason: error.message }
  }
}

export interface TransactionDescription {
  readonly from: Address
  readonly to: Address | undefined
  readonly contractAddress: Address | undefined
  readonly contract: string | undefined
  /** The function with its arguments, or the first bytes of unknown data; `undefined` without data or in creations. */
  readonly call: string | undefined
  readonly value: bigint
}

/** Describes `transaction`, with names and arguments from the ABIs that `devnet` knows. */
export async function describeTransaction(
  { abis, artifacts }: Pick<Devnet, 'abis' | 'artifacts'>,
  { from, to, data, value }: Transaction,
  { contractAddress }: Pick<Receipt, 'contractAddress'>,
  state: Parameters<Devnet['artifacts']['contractAt']>[0],
): Promise<TransactionDescription> {
  const address = to ?? contractAddress
  const code = to === undefined || address === undefined ? data : state.code(address)
  const added = address && abis.find(address, code)
  const input = to === undefined || data.length === 0 ? undefined : toHex(data)
  // The call is decoded before artifacts load, because further ABIs may be added during the load.
  const byAdded = input && (await abis.decodeCall(input, added))
  const known = added === undefined && (await artifacts.load())
  const contract = known ? compiledContract() : added
  const called = contract === added ? byAdded : input && (await abis.decodeCall(input, contract))
  const call = input && (called?.text ?? shortenedHex(input))
  return { from, to, contractAddress, contract: contract?.name, call, value }

  function compiledContract() {
    return to === undefined ? artifacts.contractOf(data) : artifacts.contractAt(state, to, input)
  }
}

/** Returns one line of text, such as `0x… → Shop 0x…  buy(amount: 1)  0.5 ETH`. */
export function transactionText({
  from,
  to,
  contractAddress,
  contract,
  call,
  value,
}: TransactionDescription): string {
  const name = contract === undefined ? '' : `${contract} `
  const address = checksummed((to ?? contractAddress)!)
  const target = to === undefined ? `new ${name}${address}` : `${name}${address}`
  const parts = [
    `${checksummed(from)} → ${target}`,
    call,
    value === 0n ? undefined : `${etherText(value)} ETH`,
  ]
  return parts.filter((part) => part !== undefined).join('  ')
}
