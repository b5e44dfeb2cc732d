/**
 * The load: on each of some sockets one request after the other, for a while; tells how many were answered in a second.
 *
 * It writes prepared bytes and looks for no more than the end of a response, and it never sleeps: to be woken would be paid
 * for by the server's write, the more the more often the client has nothing to do, and a bare server keeps it busier.
 */
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly url: string
  readonly body: string
  readonly connections: number
  readonly ms: number
}

export interface Rate {
  readonly perSecond: number
}

process.on('message', async (load: Load) => {
  const rate: Rate = { perSecond: await run(load) }
  process.send?.(rate)
})

async function run({ url, body, connections, ms }: Load): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const request = [
    'POST / HTTP/1.1',
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(Number(port), hostname)))
  const start = performance.now()
  let isRunning = true
  setImmediate(function spin() {
    if (isRunning) setImmediate(spin)
  })
  const counts = await Promise.all(sockets.map((socket) => ask(socket, request, start + ms)))
  isRunning = false
  const seconds = (performance.now() - start) / 1000
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

function opened(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true })
    socket.setEncoding('latin1')
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

/** Asks again as soon as the answer is there, until the time is over; how often. */
function ask(socket: Socket, request: string, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let received = ''
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (text: string) => {
      received += text
      if (!isWhole(received)) return
      if (!received.startsWith('HTTP/1.1 200') || !received.includes('"result":"0x')) {
        reject(new Error(`unexpected response: ${received}`))
        return
      }
      received = ''
      count++
      if (performance.now() < until) socket.write(request)
      else {
        socket.removeAllListeners('close')
        socket.destroy()
        resolve(count)
      }
    })
    socket.write(request)
  })
}

/** Whether a response has come to its end: by its length, or by the last of its chunks. */
function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = received.slice(0, end).toLowerCase()
  const at = head.indexOf('content-length: ')
  if (at === -1) return received.endsWith('0\r\n\r\n')
  return received.length >= end + 4 + Number.parseInt(head.slice(at + 16), 10)
}
