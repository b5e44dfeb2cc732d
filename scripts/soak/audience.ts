/** The audience, in a process of its own: many connections that record their notifications, and one that stops reading. */
import { setTimeout as sleep } from 'node:timers/promises'
import { subscribe } from '../bench/watching.ts'
import { type Closed, headName, logName, type Seen, type Shown, type Wanted } from './protocol.ts'

/** Time for notifications to arrive, on a busy machine. */
const PATIENCE_MS = 60_000

process.once('disconnect', () => process.exit())
process.once('message', async (wanted: Wanted) => {
  const witnesses = await Promise.all(
    Array.from({ length: wanted.subscribers }, (_, i) => witness(wanted.url, i)),
  )
  const { closed, read } = await stall(wanted)
  process.once('message', () => {
    read()
    process.once('message', tell)
  })
  const tell = async (shown: Shown) => {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const isOver = sleep(PATIENCE_MS, undefined)
    const faults = await Promise.all(witnesses.map((one) => one.faultIn(shown, patience)))
    const seen: Seen = {
      faults: faults.filter((fault) => fault !== undefined),
      stalled: await Promise.race([closed, isOver]),
    }
    process.send!(seen)
  }
  process.send!('ready')
})

/** One connection: records its notifications, and compares them with the chain's. */
class Witness {
  readonly #name: string
  readonly #heads: string[] = []
  readonly #logs: string[] = []
  #first: number | undefined
  #fault: string | undefined

  constructor(name: string) {
    this.#name = name
  }

  hear(message: Buffer, [heads, logs]: readonly string[]): void {
    const { subscription, result } = JSON.parse(message.toString()).params
    if (subscription === heads) {
      this.#first ??= Number(result.number)
      this.#heads.push(once(headName(result)))
    } else if (subscription === logs) this.#logs.push(once(logName(result)))
    else this.fail(`was notified of ${subscription}, to which it is not subscribed`)
  }

  fail(what: string): void {
    this.#fault ??= `${this.#name} ${what}`
  }

  async faultIn({ first, heads, logs }: Shown, patience: AbortSignal): Promise<string | undefined> {
    const skipped = Math.max(0, first - (this.#first ?? first))
    while (this.#isWaitingFor(skipped + heads.length, logs.length) && !patience.aborted) await sleep(50)
    return (
      this.#fault ??
      // Blocks go on being made, without logs.
      this.#difference('head', this.#heads.slice(skipped, skipped + heads.length), heads) ??
      this.#difference('log', this.#logs, logs)
    )
  }

  #isWaitingFor(heads: number, logs: number): boolean {
    return this.#fault === undefined && (this.#heads.length < heads || this.#logs.length < logs)
  }

  #difference(what: string, seen: readonly string[], shown: readonly string[]): string | undefined {
    const length = Math.max(seen.length, shown.length)
    for (let i = 0; i < length; i++) {
      const [got, wanted] = [seen[i] ?? 'nothing', shown[i] ?? 'nothing']
      if (got !== wanted)
        return `${this.#name} had ${what} ${i + 1} of ${shown.length} as ${got}; it should be ${wanted}`
    }
    return undefined
  }
}

const texts = new Map<string, string>()

/** One copy of each text: all subscribers receive the same ones. */
function once(text: string): string {
  const known = texts.get(text)
  if (known === undefined) texts.set(text, text)
  return known ?? text
}

async function witness(url: string, index: number): Promise<Witness> {
  const witness = new Witness(`subscriber ${index}`)
  const { socket } = await subscribe(url, ['newHeads', 'logs'], (message, ids) => witness.hear(message, ids))
  socket.on('close', (code, reason) => witness.fail(`was disconnected with ${code}: ${reason}`))
  return witness
}

/** Subscribes, and stops reading until `read` is called; `closed` resolves with the connection's end. */
async function stall({
  url,
  stalledSubscriptions,
}: Wanted): Promise<{ closed: Promise<Closed>; read: () => void }> {
  const kinds = Array.from({ length: stalledSubscriptions }, () => 'logs')
  const { socket } = await subscribe(url, kinds, () => {})
  socket.pause()
  const closed = new Promise<Closed>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  return { closed, read: () => socket.resume() }
}
