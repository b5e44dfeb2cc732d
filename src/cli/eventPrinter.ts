/** Prints the events of a devnet in order. A line that takes long to compose delays the lines after it. */

import type { Hash } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import type { DevnetEvents } from '../devnet/events.ts'
import { counted, pagePaths } from '../model/api/text.ts'
import { dropText } from '../rpc/errors/refusals.ts'
import type { Progress as LongCommand } from '../sequencer/events.ts'
import type { EventLines, TextTools } from '../terminal/feature.ts'
import { type Format, Progress } from '../terminal/progress.ts'
import { callsOf, describeTransaction } from './callTree.ts'
import { FEATURES } from './features.ts'
import { type LinkOptions, linked, urlOf, withLinks } from './links.ts'
import { failureReason, type Lines, nameOf, shortParams, textLines } from './textLines.ts'

export interface EventPrinterOptions {
  readonly format: Format
  readonly trace: boolean
  readonly consoleLogs: boolean
  readonly hasHyperlinks?: boolean
  /** The client requests to print. Default: those that fail. */
  readonly requests?: 'refused' | 'all' | 'none'
}

export class EventPrinter {
  readonly #devnet: Devnet
  readonly #lines: Lines | undefined
  readonly #print: (line: string) => void
  readonly #format: Format
  readonly #requests: EventPrinterOptions['requests']
  readonly #links: { pageUrl: string | undefined; readonly hasHyperlinks: boolean }
  #last: Promise<void> = Promise.resolve()
  #longCommand: LongCommand | undefined
  #progress: Progress | undefined

  /** Prints `console.log` output from now on. `begin` starts printing the other events. */
  constructor(
    devnet: Devnet,
    { format, trace, consoleLogs, requests = 'refused', hasHyperlinks = false }: EventPrinterOptions,
    print: (line: string) => void,
  ) {
    this.#devnet = devnet
    this.#print = print
    this.#format = format
    this.#requests = requests
    this.#links = { pageUrl: undefined, hasHyperlinks }
    const create = format === 'json' ? jsonLines : textLines
    this.#lines = format === 'silent' ? undefined : create(devnet, trace, this.#links)
    if (consoleLogs) this.#printOn('console', this.#lines?.console)
  }

  /** Begins to print other events too, such as blocks and failed requests. Lines link to the page at `pageUrl`. */
  begin(pageUrl?: string): void {
    this.#links.pageUrl = pageUrl
    if (this.#lines === undefined) return
    const { sealed, dropped, reorged, request, refused } = this.#lines
    const requests = {
      request: this.#requests === 'all' ? request : undefined,
      refused: this.#requests === 'none' ? undefined : refused,
    }
    for (const lines of [{ sealed, dropped, reorged }, ...this.#linesOfFeatures(), requests]) {
      for (const [event, linesOf] of Object.entries(lines)) {
        this.#printOn(event as keyof DevnetEvents, linesOf as EventLines[keyof DevnetEvents])
      }
    }
    this.#devnet.on('progress', (progress) => this.#showProgress(progress))
  }

  #linesOfFeatures(): readonly EventLines[] {
    const tools: TextTools = {
      block: (number) => linked(this.#links, pagePaths.block(number), `block ${number}`),
      safe: (text) => withLinks(this.#links, text),
    }
    return FEATURES.flatMap(({ printed }) => {
      if (printed === undefined) return []
      return this.#format === 'json' ? printed.json() : printed.text(tools)
    })
  }

  #printOn<E extends keyof DevnetEvents>(event: E, linesOf: EventLines[E]): void {
    if (linesOf === undefined) return
    const add = (...args: Parameters<DevnetEvents[E]>) => this.#add(() => linesOf(...args))
    this.#devnet.on(event, add as DevnetEvents[E])
  }

  #showProgress(longCommand: LongCommand): void {
    if (longCommand.done === longCommand.total) {
      this.#progress?.end()
      this.#progress = undefined
      return
    }
    this.#longCommand = longCommand
    this.#progress ??= new Progress(longCommand.work, { format: this.#format, print: this.#print }, () => {
      const { done, total } = this.#longCommand!
      return { text: `${done.toLocaleString('en')} of ${counted(total, 'block')}`, fields: { done, total } }
    })
  }

  flush(): Promise<void> {
    return this.#last
  }

  #add(make: () => string[] | Promise<string[]>): void {
    this.#last = this.#last.then(make).then(
      (lines) => {
        for (const line of lines) this.#print(line)
      },
      // After an error, later lines are still printed.
      (error) => console.error('preseal: an event could not be printed; please report this defect', error),
    )
  }
}

/** Returns the formatters of JSON lines. `trace` adds each transaction's calls in geth's callTracer format. */
function jsonLines(devnet: Devnet, trace: boolean, links: Pick<LinkOptions, 'pageUrl'>): Lines {
  const pageOf = (hash: Hash) => urlOf(links, pagePaths.transaction(hash))
  return {
    console: async (log) => [json({ event: 'console', ...log, name: await nameOf(devnet, log) })],

    async sealed({ block, state }) {
      const { header, hash, transactions, receipts } = block
      const included = await Promise.all(
        transactions.map(async (transaction, index) => {
          const { status, gasUsed } = receipts[index]!
          const what = await describeTransaction(devnet, transaction, receipts[index]!, state)
          return { hash: transaction.hash, status, gasUsed: Number(gasUsed), ...what }
        }),
      )
      const failed = await Promise.all(
        transactions.flatMap(({ hash }, index) => {
          const { status, failure } = receipts[index]!
          if (status === 'success') return []
          return failureReason(devnet, hash, failure).then(({ text, error, stackTrace }) => ({
            hash,
            reason: text,
            ...(error === undefined ? {} : { error: { name: error.name, args: error.args } }),
            stackTrace,
            page: pageOf(hash),
          }))
        }),
      )
      const sealed = {
        event: 'sealed',
        number: Number(header.number),
        hash,
        transactions: transactions.map((transaction) => transaction.hash),
        included,
        failed,
        gasUsed: Number(header.gasUsed),
        page: urlOf(links, pagePaths.block(hash)),
      }
      if (!trace || transactions.length === 0) return [json(sealed)]
      const calls = await callsOf(devnet, block)
      if (!Array.isArray(calls)) return [json(sealed), json({ event: 'notTraced', block: hash, ...calls })]
      const traces = calls.map((call, i) =>
        json({ event: 'trace', transaction: transactions[i]!.hash, call }),
      )
      return [json(sealed), ...traces]
    },

    dropped: ({ hash }, reason) => [
      json({ event: 'dropped', hash, reason: dropText(reason), page: pageOf(hash) }),
    ],

    request: ({ method, params }) => [json({ event: 'request', method, params: shortParams(params) })],

    refused: ({ code, message }, request, stackTrace) => [
      json({
        event: 'refused',
        method: request?.method,
        params: request && shortParams(request.params),
        code,
        message,
        stackTrace,
      }),
    ],

    reorged: (removed) => [json({ event: 'reorged', removed: removed.map(({ block }) => block.hash) })],
  }
}

/** Returns `value` as JSON. Bigints become decimal strings, because a JSON number would lose digits. */
function json(value: object): string {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member))
}
