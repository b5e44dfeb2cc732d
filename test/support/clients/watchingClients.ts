/**
 * viem's clients for watching, which can be waited for: one whose polls a test lets go one by one, one over a WebSocket of
 * which a test knows when it has dealt with all that it was told.
 */
import { createPublicClient, type PublicClient, type Transport } from 'viem'
import { devnetChain } from './clients.ts'

export type Poller = ReturnType<typeof poller>

/** A client that polls only when it is let: `poll` lets one poll go, and resolves when what it brought has been told. */
export function poller(transport: Transport) {
  const turnstile = new Turnstile()
  const client = clientOver(transport, async (request, ask) => {
    if (beginsPoll(request)) await turnstile.pass()
    return ask()
  })
  return { client, poll: () => turnstile.turn() }
}

/** What viem asks first: watchBlocks for the newest block; watchContractEvent its filter, or how far the chain is. */
function beginsPoll({ method, params }: Request): boolean {
  if (method === 'eth_getBlockByNumber') return params?.[0] === 'latest' || params?.[0] === 'pending'
  return ['eth_newFilter', 'eth_getFilterChanges', 'eth_blockNumber'].includes(method)
}

/** Whoever comes waits until it is turned. */
class Turnstile {
  #arrive: () => void = () => {}
  #go: () => void = () => {}
  #arrival = this.#nextArrival()

  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#go = resolve
      this.#arrive()
    })
  }

  /** Lets one through, and resolves when it comes again. */
  async turn(): Promise<void> {
    await this.#arrival
    this.#arrival = this.#nextArrival()
    this.#go()
    await this.#arrival
  }

  #nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrive = resolve
    })
  }
}

/** What a test needs of viem's connection. */
interface Connection {
  readonly socket: Pick<WebSocket, 'addEventListener'>
  requestAsync(request: { readonly body: { readonly method: string } }): Promise<unknown>
  close(): void
}

/** A client over a WebSocket. */
export function listener(transport: Transport) {
  const asked = new Set<Promise<unknown>>()
  const client = clientOver(transport, (_, ask) => {
    const answer = ask()
    asked.add(answer)
    const answered = () => asked.delete(answer)
    answer.then(answered, answered)
    return answer
  })
  const { getRpcClient } = client.transport as unknown as { getRpcClient(): Promise<Connection> }
  /** The answer comes after all that was told before. Where the connection is gone, there is nothing to wait for. */
  async function roundTrip(): Promise<void> {
    const connection = await getRpcClient()
    await connection.requestAsync({ body: { method: 'preseal_listFaults' } }).catch(() => {})
  }
  return {
    client,
    /** Resolves when it has dealt with what it was told, and with the answers to what it asked because of that. */
    async settled(): Promise<void> {
      await roundTrip()
      await Promise.allSettled(asked)
      await roundTrip()
    },
    /** Calls `cut`, and resolves when viem knows that the connection is gone. */
    async lost(cut: () => void): Promise<void> {
      const { socket } = await getRpcClient()
      const gone = new Promise((resolve) => socket.addEventListener('close', resolve))
      cut()
      await gone
    },
    close: async () => (await getRpcClient()).close(),
  }
}

interface Request {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** A client whose requests are made by `handle`, which calls `ask` for that. */
function clientOver(
  transport: Transport,
  handle: (request: Request, ask: () => Promise<unknown>) => Promise<unknown>,
): PublicClient {
  const handled: Transport = (config) => {
    const inner = transport(config)
    const request = (args: Request, options?: object) =>
      handle(args, () => inner.request(args as never, options) as Promise<unknown>)
    return { ...inner, request: request as typeof inner.request }
  }
  return createPublicClient({ chain: devnetChain, transport: handled, pollingInterval: 1, cacheTime: 0 })
}
