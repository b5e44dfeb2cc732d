/** What the command line prints: a banner, then a line for each block that has something in it. */
import pc from 'picocolors'
import type { Devnet } from '../devnet.ts'
import type { Block } from '../model/block.ts'
import type { AnyFault } from '../model/fault.ts'
import { type Hash, toHex } from '../model/hex.ts'
import type { Receipt } from '../model/receipt.ts'
import { revertReason } from '../model/revertReason.ts'
import { encodeFault } from '../rpc/faults.ts'
import { dropText } from '../rpc/refusals.ts'
import type { Listener } from '../server/listen.ts'
import type { Invocation } from './flags.ts'

/** Where lines go. */
type Print = (line: string) => void

/** What a fixture answered, and its file. */
export interface FixtureResult {
  readonly file: string
  readonly values: unknown
}

/** Tells, from now on, what happens on `devnet`, the way the command line asked for. */
export function reportEvents(devnet: Devnet, report: Invocation['report'], print: Print): void {
  if (report === 'silent') return
  if (report === 'json') reportAsJson(devnet, print)
  else reportAsText(devnet, print)
}

function reportAsText(devnet: Devnet, print: Print): void {
  devnet.on('sealed', ({ block }) => {
    // An empty block every 200 ms would bury everything else.
    if (block.transactions.length === 0) return
    print(blockLine(block))
    for (const [index, receipt] of block.receipts.entries()) {
      if (receipt.status === 'failure') print(failureLine(block.transactions[index]!.hash, receipt))
    }
  })
  devnet.on('dropped', ({ hash }, reason) => print(pc.yellow(`  dropped ${hash}: ${dropText(reason)}`)))
  devnet.on('fault', (fault, block, slice) => {
    const where = slice === undefined ? `at the seal of block ${block}` : `in block ${block}, slice ${slice}`
    print(pc.yellow(`fault on purpose: ${faultText(fault)} ${where}`))
  })
  devnet.on('trouble', (fault, method) => {
    print(pc.yellow(`fault on purpose: ${faultText(fault)}${method === undefined ? '' : ` for ${method}`}`))
  })
  devnet.on('reorged', (removed) => print(pc.yellow(reorgLine(removed.map(({ block }) => block)))))
}

function reportAsJson(devnet: Devnet, print: Print): void {
  devnet.on('sealed', ({ block: { header, hash, transactions, receipts } }) => {
    const failed = transactions.filter((_, index) => receipts[index]!.status === 'failure')
    print(
      JSON.stringify({
        event: 'sealed',
        number: Number(header.number),
        hash,
        transactions: transactions.map((transaction) => transaction.hash),
        failed: failed.map((transaction) => transaction.hash),
        gasUsed: Number(header.gasUsed),
      }),
    )
  })
  devnet.on('dropped', ({ hash }, reason) => {
    print(JSON.stringify({ event: 'dropped', hash, reason: dropText(reason) }))
  })
  devnet.on('fault', (fault, block, slice) => {
    print(JSON.stringify({ event: 'fault', fault: encodeFault(fault), block: Number(block), slice }))
  })
  devnet.on('trouble', (fault, method) => {
    print(JSON.stringify({ event: 'fault', fault: encodeFault(fault), method }))
  })
  devnet.on('reorged', (removed) => {
    print(JSON.stringify({ event: 'reorged', removed: removed.map(({ block }) => block.hash) }))
  })
}

/** What goes wrong: `delaySlice (slices 2)`. */
function faultText({ kind, ...members }: AnyFault): string {
  const shown = Object.entries(members).filter(([, value]) => typeof value !== 'object')
  return shown.length === 0 ? kind : `${kind} (${shown.map((entry) => entry.join(' ')).join(', ')})`
}

function reorgLine(removed: readonly Block[]): string {
  const [first, last] = [removed[0], removed.at(-1)].map((block) => block?.header.number)
  return `reorg on purpose: ${first === last ? `block ${first}` : `blocks ${first} to ${last}`} taken off`
}

function blockLine({ header, hash, transactions }: Block): string {
  const count = `${transactions.length} transaction${transactions.length === 1 ? '' : 's'}`
  const gas = `${header.gasUsed.toLocaleString('en')} gas`
  return `${pc.bold(`block ${header.number}`)}  ${count}  ${gas}  ${pc.dim(hash)}`
}

function failureLine(hash: Hash, { failure, gasUsed }: Receipt): string {
  const why =
    failure === undefined
      ? 'failed'
      : failure.kind === 'halt'
        ? failure.reason
        : `reverted: ${revertReason(failure.data) ?? (failure.data.length === 0 ? 'no reason given' : toHex(failure.data))}`
  return pc.red(`  failed ${hash}: ${why} (${gasUsed.toLocaleString('en')} gas)`)
}

/** Who has money, what was deployed, where to ask, and what to paste. */
export async function printBanner(
  devnet: Devnet,
  listener: Listener,
  fixtures: readonly FixtureResult[],
  print: Print,
): Promise<void> {
  const { settings, accounts } = devnet
  print('')
  print(`${pc.bold('preseal')}  chain ${settings.chainId}  ${devnet.hardfork}  ${rhythmText(devnet)}`)
  print('')
  if (accounts.length > 0) {
    const money = settings.genesis === undefined ? `${settings.balance / 10n ** 18n} ETH each; ` : ''
    print(pc.bold('Accounts') + pc.dim(`  ${money}everybody knows these keys`))
    for (const { address, privateKey } of accounts) print(`  ${address}  ${pc.dim(privateKey)}`)
    print('')
  }
  for (const { file, values } of fixtures) {
    print(pc.bold(`Fixture ${file}`))
    for (const line of valueLines(values)) print(`  ${line}`)
    print('')
  }
  print(pc.bold('Try'))
  for (const line of await curlLines(devnet, listener)) print(`  ${line}`)
  print('')
}

function rhythmText({ settings }: Devnet): string {
  if (settings.rhythm !== 'interval') return `rhythm ${settings.rhythm}`
  const { tickMs, ticksPerBlock } = settings
  return ticksPerBlock === 0
    ? `a block every ${tickMs} ms`
    : `a slice every ${tickMs} ms, ${ticksPerBlock} per block`
}

function valueLines(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return []
  const entries = Object.entries(values).filter(
    ([, value]) => typeof value !== 'object' && typeof value !== 'function',
  )
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${String(value)}`)
}

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

/** Three questions that have an answer as soon as they are pasted, and as long as this devnet runs. */
async function curlLines(devnet: Devnet, { url }: Listener): Promise<string[]> {
  const owner = devnet.accounts[0]?.address ?? devnet.settings.coinbase
  // Named blocks and not tags, or the range would grow past its limit within minutes.
  const newest = await devnet.request({ method: 'eth_blockNumber' })
  const hasMulticall = (await devnet.request({ method: 'eth_getCode', params: [MULTICALL3] })) !== '0x'
  const questions: [string, unknown[]][] = [
    ['eth_getBalance', [owner, 'pending']],
    hasMulticall
      ? // getBlockNumber(): the number of the block that is being pre-confirmed
        ['eth_call', [{ to: MULTICALL3, data: '0x42cbb15c' }, 'pending']]
      : ['eth_getBlockByNumber', ['latest', false]],
    ['eth_getLogs', [{ fromBlock: '0x0', toBlock: newest }]],
  ]
  return questions.map(([method, params]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return `curl ${url} -H 'content-type: application/json' -d '${body}'`
  })
}
