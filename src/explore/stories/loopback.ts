/** Round trips over the loopback interface, which take about as long as a message from this process to one of its ports. */
import type { Socket } from 'node:net'

export class Loopback {
  #opening: Promise<Socket> | undefined

  /** Sends a byte to a server of this process, and resolves when the byte has come back. */
  async roundTrip(): Promise<void> {
    this.#opening ??= connection()
    const socket = await this.#opening
    await new Promise((resolve) => {
      socket.once('data', resolve)
      socket.write('.')
    })
  }

  async close(): Promise<void> {
    const socket = await this.#opening
    socket?.destroy()
  }
}

/** Returns a connection to a server that sends everything back. */
async function connection(): Promise<Socket> {
  const { connect, createServer } = await import('node:net')
  const server = createServer((socket) => socket.unref().pipe(socket))
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as { readonly port: number }
  const socket = connect(port, '127.0.0.1').setNoDelay().unref()
  socket.on('close', () => server.close())
  server.unref()
  return socket
}
