/** Prints the events of a devnet in order. A line that takes long to compose delays the lines after it. */
import type { Devnet } from '../devnet/devnet.ts'
import type { DevnetEvents } from '../devnet/events.ts'
import { counted, pagePaths } from '../model/api/text.ts'
import type { Progress as LongCommand } from '../sequencer/events.ts'
import type { EventLines, TextTools } from '../terminal/feature.ts'
import { type Format, Progress } from '../terminal/progress.ts'
import { FEATURES } from './features.ts'
import { jsonLines } from './jsonLines.ts'
import { linked, withLinks } from './links.ts'
import { type Lines, textLines } from './textLines.ts'

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
