import { signal } from '@preact/signals'
import { fromBase64 } from '../../bytes/bytes.ts'
import { type Hex, toHex } from '../../bytes/hex.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { counted, version } from '../../model/api/text.ts'
import { type Replay, type ReplayOptions, replayWatched } from '../../recording/replay/replay.ts'
import type { KnownToReport } from '../../reports/reportContracts.ts'
import type { AddedContract } from '../../solidity/abi/contract.ts'
import { grouped } from '../format.ts'
import { Text } from '../parts/Value.tsx'
import './session.css'
import { AnswerError, type ErrorAnswer, type Source, type SourceState } from '../source/source.ts'

const MOST_CHARACTERS = 200

export function Session({ name }: { name: string }) {
  const now = playing.value
  return (
    <section class="session" aria-label="recorded session">
      {now.state === 'failed' ? (
        <p role="alert" class="problem">
          <Text>{name}</Text> cannot be replayed: <Text limit={2_000}>{now.message}</Text>
        </p>
      ) : (
        <p role="status">
          {now.state === 'played' && now.replay.requests === 0 ? 'Report of ' : 'The recorded session '}
          <Text>{name}</Text>
          {now.state === 'playing' ? ` is being replayed: ${now.percent} %` : `: ${counts(now.replay)}`}
        </p>
      )}
      {now.state === 'played' && <Notes replay={now.replay} />}
    </section>
  )
}

function counts({ requests, ticks }: Replay): string {
  if (requests === 0 && ticks === 0) return 'the chain when the report was made, after which time stands'
  return `${counted(requests, 'request', grouped(requests))} and ${counted(ticks, 'tick', grouped(ticks))}, after which time stands`
}

function Notes({ replay: { recordedBy, ending, lastLine, difference } }: { replay: Replay }) {
  return (
    <>
      {recordedBy !== version && (
        <p>
          Recorded by preseal <Text>{recordedBy}</Text>, replayed by {version}.
        </p>
      )}
      {ending === 'cut' && (
        <p>The recording was cut off after line {lastLine}; all complete lines were replayed.</p>
      )}
      {difference !== undefined && (
        <p role="alert" class="problem">
          Line {difference.line} (request {difference.request}) got another response than recorded. The page
          shows the chain at that time: <Text>{difference.method}</Text>, <Text>{difference.path}</Text>,
          recorded: <Text limit={MOST_CHARACTERS}>{shown(difference.recorded)}</Text>, received:{' '}
          <Text limit={MOST_CHARACTERS}>{shown(difference.answered)}</Text>
        </p>
      )}
    </>
  )
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

export function sessionHere(): { name: string; bytes: number; chunks: AsyncIterable<Uint8Array> } {
  const element = document.getElementById('session')!
  const { name = '', bytes = '0' } = element.dataset
  return { name, bytes: Number(bytes), chunks: chunksOf(decompressed(element.textContent)) }
}

async function contractsHere(): Promise<KnownToReport> {
  const base64 = document.getElementById('contracts')?.textContent ?? ''
  return base64 === '' ? { artifacts: [], abis: [] } : new Response(decompressed(base64)).json()
}

function decompressed(base64: string): ReadableStream<Uint8Array> {
  return new Blob([fromBase64(base64)]).stream().pipeThrough(new DecompressionStream('gzip'))
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

type Playing =
  | { readonly state: 'playing'; readonly percent: number }
  | { readonly state: 'played'; readonly replay: Replay }
  | { readonly state: 'failed'; readonly message: string }

const playing = signal<Playing>({ state: 'playing', percent: 0 })

export interface SentTransaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly input: Hex
}

/** A step of the session: a transaction that was sent, or an event of the chain as text. */
interface StoryStep {
  readonly text: string
  readonly sent?: SentTransaction
}

/** The steps of the session in order; `undefined` until the session is replayed. */
export const sessionStory = signal<readonly StoryStep[] | undefined>(undefined)

/** Adds the steps of `devnet` to `story`. Blocks that are sealed one after the other are one step. */
function tellStory(devnet: Devnet, story: StoryStep[]): void {
  let firstSealed = 0n
  devnet.on('accepted', ({ hash, from, to = null, data }) => {
    story.push({ text: '', sent: { hash, from, to, input: toHex(data) } })
  })
  devnet.on('sealed', ({ block: { header } }) => {
    const isNext = story.at(-1)?.text.startsWith(SEALED) === true
    if (isNext) story.pop()
    else firstSealed = header.number
    story.push({ text: `${SEALED} ${isNext ? `${firstSealed} to ` : ''}${header.number}` })
  })
  devnet.on('reorged', ({ length }) => story.push({ text: `reorganised away: ${counted(length, 'block')}` }))
  devnet.on('fault', ({ kind }, block) => story.push({ text: `fault ${kind} in block ${block}` }))
}

const SEALED = 'sealed: block'

/** Replays the recorded session contained in the document, and connects `source` to the resulting devnet. */
export async function playFor(source: DevnetSource): Promise<void> {
  const { bytes, chunks } = sessionHere()
  const story: StoryStep[] = []
  try {
    const { artifacts, abis } = await contractsHere()
    const options: ReplayOptions = {
      // A report contains only the engine `wasm`. Both engines give the same results.
      options: { engine: 'wasm', artifacts: [...artifacts] },
      look(_, played) {
        playing.value = { state: 'played', replay: played }
        sessionStory.value = story
        source.open()
        // A promise that never resolves, because `replay` closes the devnet when the promise resolves.
        return new Promise(() => {})
      },
    }
    await replayWatched(progressing(chunks, bytes), options, async (devnet) => {
      addAbis(devnet, abis)
      tellStory(devnet, story)
      // Artifacts are loaded now, because console lines of the replay name contracts.
      await devnet.artifacts.load()
      await source.watch(devnet)
    })
  } catch (error) {
    playing.value = { state: 'failed', message: error instanceof Error ? error.message : String(error) }
    source.giveUp()
  }
}

/** Adds `abis` from last to first: the ABI that is added last, the first of `abis`, takes precedence. */
function addAbis({ abis: known }: Pick<Devnet, 'abis'>, abis: readonly AddedContract[]): void {
  for (const { artifact, name, address } of abis.toReversed()) known.add(artifact, { name, address })
}

async function* progressing(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of chunks) {
    yield chunk
    read += chunk.length
    playing.value = { state: 'playing', percent: Math.min(99, Math.floor((read * 100) / bytes)) }
  }
}

type Answers = Devnet['answers']
type Connection = ReturnType<Answers['connect']>
type Tell = (result: never) => void

/**
 * Serves a report's JSON-RPC requests with a devnet in the page. Subscriptions begin when `watch` is called, as
 * the replay begins. Requests wait until `open` is called, after the replay: they must not mix with replayed requests.
 */
export class DevnetSource implements Source {
  readonly #tellings = new Map<string, Tell>()
  readonly #opened: Promise<void>
  #settle!: { resolve(): void; reject(error: Error): void }
  #connected: { readonly respond: Answers['respond']; readonly connection: Connection } | undefined
  readonly #early: (() => Promise<void>)[] = []
  readonly state = signal<SourceState>('connecting')

  constructor() {
    this.#opened = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // This prevents an unhandled rejection. Requests that wait for `#opened` reject themselves.
    this.#opened.catch(() => {})
  }

  /** Begins the subscriptions. Resolves when all later events will be reported. */
  async watch({ answers: { respond, connect } }: Pick<Devnet, 'answers'>): Promise<void> {
    const connection = connect((id, result) => this.#tellings.get(id)?.(JSON.parse(result) as never))
    this.#connected = { respond, connection }
    await Promise.all(this.#early.splice(0).map((begin) => begin()))
  }

  open(): void {
    this.#settle.resolve()
    this.state.value = 'open'
  }

  giveUp(): void {
    this.#settle.reject(new Error('the session could not be replayed'))
    this.state.value = 'lost'
  }

  async request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    await this.#opened
    return this.#ask<T>(method, params)
  }

  subscribe(kind: string, params: readonly unknown[], tell: Tell): () => void {
    let id: string | undefined
    let isEnded = false
    const begin = async () => {
      id = await this.#ask<string>('eth_subscribe', [kind, ...params])
      this.#tellings.set(id, tell)
      this.#connected?.connection.answered()?.()
      if (isEnded) end()
    }
    const end = () => {
      isEnded = true
      if (id === undefined) return
      this.#tellings.delete(id)
      void this.request('eth_unsubscribe', [id]).catch(() => {})
    }
    if (this.#connected === undefined) this.#early.push(begin)
    else void begin()
    return end
  }

  /** Does nothing, because a devnet in the page has no connection to observe. */
  onMessage(): void {}

  async #ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    const { respond, connection } = this.#connected!
    const text = await respond(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), connection)
    const { result, error } = JSON.parse(text!) as { result?: T; error?: ErrorAnswer }
    if (error !== undefined) throw new AnswerError(error)
    return result as T
  }
}
