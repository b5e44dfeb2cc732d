/** Shows the progress of slow upstream requests, and prints a summary at exit. */
import { counted } from '../model/api/text.ts'
import type { DevnetOptions } from '../options/options.ts'
import { type Output, Progress, type State } from '../terminal/progress.ts'
import { isFixed } from '../upstream/forkedNetwork.ts'
import { type Traffic, type UpstreamFailureKind, watchTraffic } from '../upstream/upstream.ts'

const DELAYS: Partial<Record<UpstreamFailureKind, string>> = {
  rateLimited: 'its rate is limited',
  timeout: 'it did not answer in time',
  unreachable: 'it could not be reached',
  behind: 'it does not have the block yet',
}

/** Counts all upstream requests that this process sends after the counter was constructed. */
export class NetworkUse {
  readonly #output: Output
  readonly #now: () => number
  readonly #unwatch: () => void
  #waiting = 0
  #openBatches = 0
  #sinceMs = 0
  #waitedMs = 0
  #asked = 0
  #cached = 0
  #kept = 0
  #isOnDisk = false
  #node = ''
  #delay: string | undefined
  #progress: Progress | undefined

  constructor(output: Output, now: () => number = () => performance.now()) {
    this.#output = output
    this.#now = now
    this.#unwatch = watchTraffic((traffic) => this.#note(traffic))
  }

  #note(traffic: Traffic): void {
    this.#node = traffic.node
    switch (traffic.kind) {
      case 'begun':
        this.#waiting += traffic.requests
        if (this.#openBatches++ === 0) this.#begin()
        break
      case 'ended':
        this.#waiting -= traffic.requests
        this.#asked += traffic.requests
        if (--this.#openBatches === 0) this.#pause()
        break
      case 'delayed':
        this.#delay = DELAYS[traffic.problem] ?? 'it failed'
        break
      case 'cached':
        this.#cached += traffic.requests
        break
      case 'kept':
        this.#kept += traffic.requests
        this.#isOnDisk = traffic.isOnDisk
    }
  }

  #begin(): void {
    this.#sinceMs = this.#now()
    this.#progress = new Progress(`waiting for ${this.#node}`, this.#output, () => this.#state())
  }

  #pause(): void {
    this.#waitedMs += this.#now() - this.#sinceMs
    this.#progress?.end()
    this.#progress = undefined
    this.#delay = undefined
  }

  #state(): State {
    const before = this.#asked + this.#cached
    const texts = [
      counted(this.#waiting, 'request'),
      ...(before === 0
        ? []
        : [` (${counted(before, 'other')} before, ${this.#cached.toLocaleString('en')} from the cache)`]),
      ...(this.#delay === undefined ? [] : [`; ${this.#delay}, retrying`]),
    ]
    const fields = { waiting: this.#waiting, asked: this.#asked, cached: this.#cached }
    return { text: texts.join(''), fields }
  }

  /** Clears the progress line so that another line can be printed. */
  hide(): void {
    this.#progress?.hide()
  }

  /** Prints the number of requests, and how many of them a cache file would save in the next run. */
  end({ block }: NonNullable<DevnetOptions['fork']>): void {
    this.#unwatch()
    if (this.#openBatches > 0) this.#pause()
    const { format, print } = this.#output
    if (format === 'silent' || this.#asked + this.#cached === 0) return
    const seconds = Math.round(this.#waitedMs / 100) / 10
    if (format === 'json') {
      const [asked, cached, kept] = [this.#asked, this.#cached, this.#kept]
      print(JSON.stringify({ event: 'network', asked, cached, kept, isOnDisk: this.#isOnDisk, seconds }))
      return
    }
    const asked = `${counted(this.#asked, 'request')} in ${seconds} s`
    print(`${this.#node}: ${asked}, ${counted(this.#cached, 'answer')} from the cache${this.#saved(block)}`)
  }

  #saved(block: NonNullable<DevnetOptions['fork']>['block']): string {
    if (this.#kept === 0) return ''
    const requests = counted(this.#kept, 'request')
    if (!this.#isOnDisk) return `; with --fork-cache FILE the next run would not need ${requests} of these`
    return isFixed(block)
      ? `; the next run will find ${requests} of these in the cache`
      : `; with --fork-block-number the next run would find ${requests} of these in the cache`
  }
}
