/** The requests of the app while a story is played: which are made, and those that are slow or answered by a replica. */
import type { Devnet } from '../../devnet/devnet.ts'
import { faultsOf } from '../../faults/devnetFaults.ts'
import type { Intercept } from '../../faults/requestFaults.ts'
import type { Answer, Request } from '../../rpc/request.ts'

/** Methods that a replica may answer, because they neither send a transaction nor belong to a connection. */
const READS = /^eth_(?!.*(Filter|[sS]ubscri|send))/

export function isRead(method: string): boolean {
  return READS.test(method)
}

interface Lag {
  readonly method: string
  readonly replica: Devnet
}

export class Requests {
  /** Counts requests, answers, and what `noteActivity` reports. Unchanged while the app is quiet. */
  activity = 0
  /** Whether requests are those of a check, which no fault affects. */
  isChecking = false
  #open = 0
  #seen = new Set<string>()
  #slow: string | undefined
  #lag: Lag | undefined
  /** Functions that deliver answers: those that are due at the end of this step, and those of the next step. */
  #due: (() => void)[] = []
  #held: (() => void)[] = []
  readonly #replicas: Devnet[] = []
  readonly #devnet: Devnet

  constructor(devnet: Devnet) {
    this.#devnet = devnet
    faultsOf(devnet.wires.context).requestFaults.intercept = this.#intercept
    // No fault of requests happens on the L1, but the app is busy while it waits for answers.
    if (devnet.l1 !== undefined) {
      faultsOf(devnet.l1.wires.context).requestFaults.intercept = (_, usual) =>
        this.isChecking ? usual() : this.#followed(usual())
    }
  }

  readonly noteActivity = (): void => {
    this.activity++
  }

  /** The methods that were requested since `beginStep`, in order of their first request. */
  get methods(): readonly string[] {
    return [...this.#seen]
  }

  /** Whether a request is answered at the moment. Requests that are held back do not count. */
  get isBusy(): boolean {
    return this.#open > 0
  }

  get hasPort(): boolean {
    return faultsOf(this.#devnet.wires.context).requestFaults.ports > 0
  }

  beginStep(): void {
    this.#seen = new Set()
    this.#due = this.#held
    this.#held = []
  }

  /** Delivers the answers that were held back in the step before. */
  deliver(): void {
    for (const give of this.#due.splice(0)) give()
  }

  deliverAll(): void {
    this.deliver()
    for (const give of this.#held.splice(0)) give()
  }

  /** Holds back the answer to the next request of `method` until the next step. Returns whether there was one. */
  slow(method: string): () => boolean {
    this.#slow = method
    return () => {
      const happened = this.#slow === undefined
      this.#slow = undefined
      return happened
    }
  }

  /** Answers the next request of `method` from the present state. Returns whether there was one. */
  lag(method: string): () => boolean {
    const replica = this.#devnet.fork()
    this.#replicas.push(replica)
    this.#lag = { method, replica }
    return () => {
      const happened = this.#lag === undefined
      this.#lag = undefined
      return happened
    }
  }

  async close(): Promise<void> {
    faultsOf(this.#devnet.wires.context).requestFaults.intercept = undefined
    this.deliverAll()
    await Promise.all(this.#replicas.map((replica) => replica.close()))
  }

  readonly #intercept: Intercept = (request, usual) => {
    if (this.isChecking) return usual()
    this.#seen.add(request.method)
    if (this.#slow !== request.method) return this.#followed(this.#answer(request, usual))
    this.activity++
    return this.#heldBack(usual())
  }

  #followed(answer: ReturnType<Intercept>): ReturnType<Intercept> {
    this.activity++
    if (!(answer instanceof Promise)) return answer
    this.#open++
    return answer.finally(() => {
      this.#open--
      this.activity++
    })
  }

  #answer(request: Request, usual: () => ReturnType<Intercept>): ReturnType<Intercept> {
    if (this.#lag?.method !== request.method) return usual()
    const { replica } = this.#lag
    this.#lag = undefined
    return answeredBy(replica, request)
  }

  #heldBack(answer: ReturnType<Intercept>): ReturnType<Intercept> {
    this.#slow = undefined
    return new Promise((resolve) => {
      this.#held.push(() => {
        this.activity++
        resolve(answer)
      })
    })
  }
}

async function answeredBy(replica: Devnet, request: Request): Promise<Answer> {
  return { ...(await replica.wires.faultlessDispatch(request)), isOfReplica: true }
}
