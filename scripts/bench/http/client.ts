/**
 * The client of the benchmark: on each socket one request after the other, until the load is done.
 *
 * It writes prepared bytes, looks for little more than the end of a response, and never sleeps: waking it would cost the
 * server's write, and would cost a fast server less, which keeps the client busier.
 */
import type { Socket } from 'node:net'
import { opened, posting, Response } from './exchange.ts'
import { type Done, type Failed, FIRST_RESULT, type Load } from './load.ts'

process.on('message', async (load: Load) => {
  const failed = (error: Error): Failed => ({ failed: error.message })
  process.send?.(await run(load).catch(failed))
})

async function run({ url, bodies, connections = 1, until }: Load): Promise<Done> {
  const { hostname, port, host } = new URL(url)
  const requests = bodies.map((body) => request(host, body))
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(Number(port), hostname)))
  const start = performance.now()
  let isRunning = true
  setImmediate(function spin() {
    if (isRunning) setImmediate(spin)
  })
  const isOver = (count: number) =>
    'ms' in until ? performance.now() >= start + until.ms : count >= until.times * bodies.length
  const counts = await Promise.all(
    // Each connection begins at another request, so that they do not all send the same at the same time.
    sockets.map((socket, i) => {
      const first = 'ms' in until ? Math.floor((i * requests.length) / connections) : 0
      return ask(socket, requests, first, isOver)
    }),
  )
  isRunning = false
  return { answered: counts.reduce((sum, count) => sum + count, 0), ms: performance.now() - start }
}

/** The bytes of a request, or a function that makes them from the first result. */
function request(host: string, body: string): string | ((result: string) => string) {
  const placeholder = JSON.stringify(FIRST_RESULT)
  if (body.includes(placeholder)) {
    return (result) => request(host, body.replaceAll(placeholder, result)) as string
  }
  return posting(host, body)
}

/** Sends the next request as soon as the answer is there, until it is over. Resolves with the number of answers. */
function ask(
  socket: Socket,
  requests: readonly (string | ((result: string) => string))[],
  first: number,
  isOver: (count: number) => boolean,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let response = new Response()
    let firstResult = ''
    // Dependent requests end together: the last one restores the state that the first one needs.
    const isStory = requests.some((request) => typeof request !== 'string')
    const write = () => {
      const next = requests[(first + count) % requests.length]!
      response = new Response()
      socket.write(typeof next === 'string' ? next : next(firstResult))
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (text: string) => {
      response.add(text)
      if (response.isBad) {
        reject(new Error(`unexpected response: ${text.slice(0, 2_000)}`))
        return
      }
      if (!response.isWhole) return
      if (isStory && count % requests.length === 0) firstResult = response.result
      count++
      if ((isStory && count % requests.length > 0) || !isOver(count)) {
        write()
        return
      }
      socket.removeAllListeners('close')
      socket.destroy()
      resolve(count)
    })
    write()
  })
}
