/** A server of many chains and what asks it, all of which end with the test. */
import { onTestFinished } from 'vitest'
import { type ChainServer, type DevnetOptions, type ServeOptions, serveChains } from '../../../src/index.ts'
import { started } from '../clients/clients.ts'
import { HttpClient, type HttpResponse, JSON_BODY } from '../clients/exchange.ts'

/** Serves chains of a new devnet, by default under the manual clock. */
export async function serving(options: ServeOptions = {}, base: DevnetOptions = {}): Promise<ChainServer> {
  const server = await serveChains(await started({ rhythm: 'manual', ...base }), options)
  onTestFinished(() => server.close())
  return server
}

/** The names of all chains, in the order in which they were made. */
export function names(server: ChainServer): string[] {
  return server.chains().map(({ name }) => name)
}

/** Bare HTTP to a server of chains. */
export function asking({ port }: { readonly port: number }) {
  const client = new HttpClient(port)
  onTestFinished(() => client.close())
  return {
    /** The answer to a JSON-RPC request to the chain `name`. */
    async rpc<T = unknown>(name: string, method: string, ...params: unknown[]): Promise<T> {
      const { body } = await client.send({ path: `/c/${name}`, body: rpcText(method, params) })
      const { result, error } = JSON.parse(body)
      if (error !== undefined) throw new Error(error.message)
      return result as T
    },
    /** What is answered to any other request. */
    async send(method: string, path: string, body?: unknown): Promise<HttpResponse> {
      const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
      // By itself Node says the length of no body that is sent with GET or DELETE.
      const headers = { ...JSON_BODY, 'content-length': String(Buffer.byteLength(text)) }
      return client.send({ method, path, headers, body: text })
    },
  }
}

export function rpcText(method: string, params: readonly unknown[] = []): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** The message of a refusal. */
export function refusal({ body }: HttpResponse): string {
  return JSON.parse(body).error.message
}
