/** Events as text: a line for each non-empty block, and its failures below it. */
import pc from 'picocolors'
import type { Address } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import type { Block } from '../model/block/block.ts'
import type { AnyFault } from '../model/fault.ts'
import { isL1Attributes } from '../model/l2/l1Attributes.ts'
import { pagePaths } from '../model/pagePaths.ts'
import { dropText } from '../rpc/errors/refusals.ts'
import { frameText } from '../solidity/stackTrace/frameText.ts'
import { inWords } from '../solidity/stackTrace/locatedError.ts'
import type { SolidityFrame, SolidityStackTrace } from '../solidity/stackTrace/stackTrace.ts'
import { callTree } from './callTree.ts'
import { includedOf, includedText } from './includedLine.ts'
import { type Lines, nameOf } from './lines.ts'
import { type LinkManner, linked, uncontrolled, urlOf, withLinks } from './links.ts'
import { failureReason } from './reasons.ts'
import { shortParams } from './shortParams.ts'
import { callsOf } from './tracedCalls.ts'

/**
 * Returns the text lines of events, with links where the terminal has them. With `trace` they have the calls of each transaction as a tree.
 */
export function textLines(devnet: Devnet, trace: boolean, links: LinkManner): Lines {
  const inBlock = (number: bigint) => linked(links, pagePaths.block(number), `block ${number}`)
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
      // The deposit of the L1 attributes is in each block of an L2, and says nothing about the tests.
      const own = transactions.filter((transaction) => !isL1Attributes(transaction))
      // Empty blocks every 200 ms would hide everything else.
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
        const what = includedText(await includedOf(devnet, transaction, receipt, state))
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

    fault(fault, block, slice) {
      const where =
        slice === undefined ? `at the seal of ${inBlock(block)}` : `in ${inBlock(block)}, slice ${slice}`
      return [pc.yellow(`fault on purpose: ${uncontrolled(faultText(fault))} ${where}`)]
    },

    requestFault: (fault, method) => [
      withoutHashes(
        pc.yellow(`fault on purpose: ${faultText(fault)}${method === undefined ? '' : ` for ${method}`}`),
      ),
    ],

    request: ({ method, params }) => [withoutHashes(pc.dim(`${method} ${shortParams(params)}`))],

    refused({ code, message }, request, stackTrace) {
      const asked = request === undefined ? 'a message' : `${request.method} ${shortParams(request.params)}`
      const why = stackTrace === undefined ? message : inWords(message, stackTrace)
      const lines = [`${pc.yellow('refused')} ${asked}: ${code} ${why}`, ...frameLines(stackTrace)]
      return lines.map(withoutHashes)
    },

    reorged: (removed) => [pc.yellow(reorgLine(removed.map(({ block }) => block)))],
  }
}

/** Returns where in Solidity it failed, for below the line of what failed. */
function frameLines(stackTrace: SolidityStackTrace | undefined): string[] {
  return (stackTrace?.frames ?? []).map((frame) => pc.red(`      at ${frameText(frame)}`))
}

/** Returns a fault as text: `delaySlice (slices 2)`. */
function faultText({ kind, ...members }: AnyFault): string {
  const shown = Object.entries(members).filter(([, value]) => typeof value !== 'object')
  return shown.length === 0 ? kind : `${kind} (${shown.map((entry) => entry.join(' ')).join(', ')})`
}

function reorgLine(removed: readonly Block[]): string {
  const [first, last] = [removed[0], removed.at(-1)].map((block) => block?.header.number)
  return `reorg on purpose: ${first === last ? `block ${first}` : `blocks ${first} to ${last}`} taken off`
}

function blockLine({ header, hash }: Block, transactions: number, links: LinkManner): string {
  const { number } = header
  const name = linked(links, pagePaths.block(number), `block ${number}`)
  const count = `${transactions} transaction${transactions === 1 ? '' : 's'}`
  const gas = `${header.gasUsed.toLocaleString('en')} gas`
  return `${pc.bold(name)}  ${count}  ${gas}  ${pc.dim(linked(links, pagePaths.block(hash), hash))}`
}
