/** Formats events as text. A block with transactions is one line, followed by lines for each transaction. */
import pc from 'picocolors'
import { type Address, type Hash, toHex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { counted, pagePaths } from '../model/api/text.ts'
import type { Block } from '../model/block/block.ts'
import { revertReason } from '../model/execution/revertReason.ts'
import { isL1Attributes } from '../model/l2/l1Attributes.ts'
import type { ExecutionFailure } from '../model/receipt/receipt.ts'
import { dropText } from '../rpc/errors/refusals.ts'
import { type ConsoleLog, nameOfLog } from '../solidity/abi/consoleLog.ts'
import { type Decoded, shortenedHex } from '../solidity/abi/decoded.ts'
import {
  cause,
  frameText,
  revertText,
  type SolidityFrame,
  type SolidityStackTrace,
} from '../solidity/stackTrace/format.ts'
import type { EventLines } from '../terminal/feature.ts'
import { callsOf, callTree, describeTransaction, transactionText } from './callTree.ts'
import { type LinkOptions, linked, urlOf, withLinks } from './links.ts'

/** For each printed event, a function that returns its lines. */
export type Lines = Required<
  Pick<EventLines, 'console' | 'sealed' | 'dropped' | 'request' | 'refused' | 'reorged'>
>

/** Resolves to the name of the contract that printed `log`, from the ABIs or the artifacts of `devnet`. */
export async function nameOf(
  { artifacts }: Pick<Devnet, 'artifacts'>,
  log: ConsoleLog,
): Promise<string | undefined> {
  if (log.name === undefined) await artifacts.load()
  return nameOfLog(log, artifacts)
}

/** Returns the formatters of text lines. `trace` adds the calls of each transaction as a tree. */
export function textLines(devnet: Devnet, trace: boolean, links: LinkOptions): Lines {
  const withoutHashes = (line: string) => withLinks(links, line)
  return {
    async console(log) {
      const { from, text } = log
      const name = await nameOf(devnet, log)
      const [first, ...others] = text.split('\n')
      const lines = [`  ${pc.cyan(`${name ?? from}:`)} ${first}`, ...others.map((line) => `    ${line}`)]
      return lines.map(withoutHashes)
    },

    async sealed({ block, state }) {
      const { transactions, receipts } = block
      const codeAt = (address: Address) => state.code(address)
      // Every L2 block begins with the L1 attributes deposit, which no user sends.
      const own = transactions.filter((transaction) => !isL1Attributes(transaction))
      // Empty blocks are not printed: a line every 200 ms would hide other lines.
      if (own.length === 0) return []
      const lines: string[] = []
      const calls = trace ? await callsOf(devnet, block) : undefined
      if (calls !== undefined && 'reason' in calls) lines.push(pc.yellow(`  not traced: ${calls.reason}`))
      for (const [index, transaction] of transactions.entries()) {
        if (isL1Attributes(transaction)) continue
        const { hash } = transaction
        const receipt = receipts[index]!
        const { status, failure, gasUsed } = receipt
        const gas = `(${gasUsed.toLocaleString('en')} gas)`
        const what = transactionText(await describeTransaction(devnet, transaction, receipt, state))
        const call = Array.isArray(calls) ? calls[index] : undefined
        let innermost: SolidityFrame | undefined
        if (status === 'failure') {
          const { text, stackTrace } = await failureReason(devnet, hash, failure)
          innermost = stackTrace?.frames[0]
          lines.push(`${pc.red(`  failed ${hash}: ${text}`)}  ${what}  ${gas}`, ...frameLines(stackTrace))
          const url = urlOf(links, pagePaths.transaction(hash))
          if (url !== undefined) lines.push(pc.dim(`      ${url}`))
        } else lines.push(`  ${pc.dim(hash)}  ${what}  ${gas}`)
        if (call !== undefined) {
          for (const line of await callTree(call, codeAt, devnet, innermost)) lines.push(`    ${line}`)
        }
      }
      const hashes = new Set(transactions.map(({ hash }) => hash))
      return [blockLine(block, own.length, links), ...lines.map((line) => withLinks(links, line, hashes))]
    },

    dropped: ({ hash }, reason) => [
      withLinks(links, pc.yellow(`  dropped ${hash}: ${dropText(reason)}`), new Set([hash])),
    ],

    request: ({ method, params }) => [withoutHashes(pc.dim(`${method} ${shortParams(params)}`))],

    refused({ code, message }, request, stackTrace) {
      const asked = request === undefined ? 'a message' : `${request.method} ${shortParams(request.params)}`
      const why = stackTrace === undefined ? message : revertText(message, stackTrace)
      const lines = [`${pc.yellow('refused')} ${asked}: ${code} ${why}`, ...frameLines(stackTrace)]
      return lines.map(withoutHashes)
    },

    reorged: (removed) => [pc.yellow(reorgLine(removed.map(({ block }) => block)))],
  }
}

function frameLines(stackTrace: SolidityStackTrace | undefined): string[] {
  return (stackTrace?.frames ?? []).map((frame) => pc.red(`      at ${frameText(frame)}`))
}

function reorgLine(removed: readonly Block[]): string {
  const [first, last] = [removed[0], removed.at(-1)].map((block) => block?.header.number)
  return `requested reorg: ${first === last ? `block ${first}` : `blocks ${first} to ${last}`} removed`
}

function blockLine({ header, hash }: Block, transactions: number, links: LinkOptions): string {
  const { number } = header
  const name = linked(links, pagePaths.block(number), `block ${number}`)
  const count = counted(transactions, 'transaction')
  const gas = `${header.gasUsed.toLocaleString('en')} gas`
  return `${pc.bold(name)}  ${count}  ${gas}  ${pc.dim(linked(links, pagePaths.block(hash), hash))}`
}

interface FailureReason {
  readonly text: string
  readonly stackTrace: SolidityStackTrace | undefined
  readonly error: Decoded | undefined
}

/** Returns the reason why the transaction halted or reverted. Decodes revert data with the ABIs of `devnet`. */
export async function failureReason(
  devnet: Devnet,
  hash: Hash,
  failure: ExecutionFailure | undefined,
): Promise<FailureReason> {
  const explained = (await devnet.faultlessRequest('preseal_explain', [hash])) as Explained
  const { stackTrace } = explained
  switch (failure?.kind) {
    case undefined:
      return { text: 'failed', error: undefined, stackTrace }
    case 'halt':
      return { text: haltReason(explained, failure.reason), error: undefined, stackTrace }
    case 'revert': {
      const reason = revertReason(failure.data)
      const error = reason === undefined ? await devnet.abis.decodeError(toHex(failure.data)) : undefined
      const text = `reverted: ${reason ?? error?.text ?? bare(failure.data, stackTrace)}`
      return { text, error, stackTrace }
    }
  }
}

interface Explained {
  readonly failure?: string
  readonly stackTrace?: SolidityStackTrace
}

/** Returns the reason of a halt. Replaces `outOfGas` by the exact reason that `preseal_explain` gives. */
function haltReason({ failure = 'outOfGas' }: Explained, reason: string): string {
  return reason === 'outOfGas' ? failure : reason
}

function bare(data: Uint8Array, stackTrace: SolidityStackTrace | undefined): string {
  return data.length === 0 ? (cause(stackTrace) ?? 'no reason given') : shortenedHex(toHex(data))
}

/** Maximum number of characters of one string, such as the data of a call. */
const MOST_OF_TEXT = 66
/** Maximum number of characters of all parameters together. */
const MOST = 300
const MOST_MEMBERS = 8

/** Returns `params` as shortened JSON. Takes the same time for parameters of any length. */
export function shortParams(params: readonly unknown[]): string {
  const text = JSON.stringify(shortened(params, 0))
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length > MOST_OF_TEXT ? `${value.slice(0, MOST_OF_TEXT - 1)}…` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > 3) return '…'
  if (Array.isArray(value)) {
    const members = value.slice(0, MOST_MEMBERS).map((member) => shortened(member, depth + 1))
    return value.length > MOST_MEMBERS ? [...members, '…'] : members
  }
  const entries = Object.entries(value).slice(0, MOST_MEMBERS)
  return Object.fromEntries(entries.map(([name, member]) => [name, shortened(member, depth + 1)]))
}
