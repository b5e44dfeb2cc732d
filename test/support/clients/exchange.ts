/** Bare HTTP, for tests of what a client library would hide: any method, path, header and body, on kept connections. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'

export interface HttpRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export const JSON_BODY = { 'content-type': 'application/json' } as const

/** Speaks to one port of this machine and keeps its connections, at most `connections` of them. */
export class HttpClient {
  readonly #port: number
  readonly #agent: Agent

  constructor(port: number, connections = 4) {
    this.#port = port
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  /** Sends one request, by default POST / with JSON, and gives the response whatever its status is. */
  send({ method = 'POST', path = '/', headers = JSON_BODY, body = '' }: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString('utf8'),
            }),
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /** The connections that are open and idle. */
  get idleSockets(): readonly Socket[] {
    return Object.values(this.#agent.freeSockets).flatMap((sockets) => sockets ?? [])
  }

  close(): void {
    this.#agent.destroy()
  }
}
