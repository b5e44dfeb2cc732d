/**
 * Prints the events of a devnet: output of `console.log`, non-empty blocks, transactions that failed to be included.
 *
 * Some lines need time to be composed. They are printed in the order of the events all the same.
 */

import type { Devnet } from '../devnet/devnet.ts'
import { counted } from '../model/text.ts'
import type { Progress as LongCommand } from '../sequencer/events.ts'
import { jsonLines } from './jsonLines.ts'
import type { Lines } from './lines.ts'
import { Progress } from './progress.ts'
import { textLines } from './textLines.ts'

/** The form of the report, as the command line sets it. */
export interface Manner {
  /** As text, as JSON lines, or not at all. */
  readonly report: 'text' | 'json' | 'silent'
  /** Whether the calls of each transaction are printed, too. */
  readonly trace: boolean
  readonly consoleLogs: boolean
  /** Whether the terminal shows links. */
  readonly hasHyperlinks?: boolean
  /** The client requests to print: refused ones (the default), all, or none. */
  readonly requests?: 'refused' | 'all' | 'none'
}

export class Reporter {
  readonly #devnet: Devnet
  readonly #lines: Lines | undefined
  readonly #print: (line: string) => void
  readonly #report: Manner['report']
  readonly #requests: Manner['requests']
  readonly #links: { pageUrl: string | undefined; readonly hasHyperlinks: boolean }
  #last: Promise<void> = Promise.resolve()
  #longCommand: LongCommand | undefined
  #progress: Progress | undefined

  /** Prints output of `console.log` from now on. */
  constructor(
    devnet: Devnet,
    { report, trace, consoleLogs, requests = 'refused', hasHyperlinks = false }: Manner,
    print: (line: string) => void,
  ) {
    this.#devnet = devnet
    this.#print = print
    this.#report = report
    this.#requests = requests
    const links = { pageUrl: undefined, hasHyperlinks }
    this.#links = links
    this.#lines =
      report === 'silent' ? undefined : (report === 'json' ? jsonLines : textLines)(devnet, trace, links)
    const lines = this.#lines
    if (lines === undefined || !consoleLogs) return
    devnet.on('console', (...happened) => this.#add(() => lines.console(...happened)))
  }

  /** Prints blocks and transactions from now on, too, with links to the page where it is. */
  begin(pageUrl?: string): void {
    const lines = this.#lines
    this.#links.pageUrl = pageUrl
    if (lines === undefined) return
    this.#devnet.on('sealed', (...happened) => this.#add(() => lines.sealed(...happened)))
    this.#devnet.on('dropped', (...happened) => this.#add(() => lines.dropped(...happened)))
    this.#devnet.on('fault', (...happened) => this.#add(() => lines.fault(...happened)))
    this.#devnet.on('requestFault', (...happened) => this.#add(() => lines.requestFault(...happened)))
    if (this.#requests === 'all')
      this.#devnet.on('request', (...happened) => this.#add(() => lines.request(...happened)))
    if (this.#requests !== 'none')
      this.#devnet.on('refused', (...happened) => this.#add(() => lines.refused(...happened)))
    this.#devnet.on('reorged', (...happened) => this.#add(() => lines.reorged(...happened)))
    this.#devnet.on('progress', (stand) => this.#showProgress(stand))
  }

  /** Shows the progress of a long command until it has ended. */
  #showProgress(stand: LongCommand): void {
    if (stand.done === stand.total) {
      this.#progress?.end()
      this.#progress = undefined
      return
    }
    this.#longCommand = stand
    this.#progress ??= new Progress(stand.work, { report: this.#report, print: this.#print }, () => {
      const { done, total } = this.#longCommand!
      return { text: `${done.toLocaleString('en')} of ${counted(total, 'block')}`, fields: { done, total } }
    })
  }

  /** Resolves when all events so far have been printed. */
  flush(): Promise<void> {
    return this.#last
  }

  #add(make: () => string[] | Promise<string[]>): void {
    this.#last = this.#last.then(make).then(
      (lines) => {
        for (const line of lines) this.#print(line)
      },
      // Later lines are printed all the same.
      (error) =>
        console.error('preseal: what happened could not be printed; please report this defect', error),
    )
  }
}
