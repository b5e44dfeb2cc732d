import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Instance } from 'prool'

/** What `Instance.anvil` is for anvil: `Server.create({ instance: preseal({ flags: ['--rhythm', 'instant'] }) })`. */
export const preseal = Instance.define(
  ({ flags = [], command = ['preseal'] }: { flags?: string[]; command?: string[] } = {}) => {
    let child: ChildProcessWithoutNullStreams
    let ended: Promise<void>
    return {
      name: 'preseal',
      host: '127.0.0.1',
      port: 8545,
      start({ port }, { emitter }) {
        const [file, ...words] = [...command, ...flags, '--port', String(port)]
        child = spawn(file!, words)
        ended = new Promise((resolve) => child.once('close', () => resolve()))
        return new Promise((resolve, reject) => {
          createInterface(child.stdout).on('line', (line) => {
            emitter.emit('message', line)
            if (line.startsWith('Listening on')) resolve()
          })
          let complaint = ''
          child.stderr.on('data', (text) => {
            complaint += text
          })
          child.once('error', reject)
          child.once('close', (code, signal) => {
            emitter.emit('exit', code, signal)
            reject(new Error(complaint))
          })
        })
      },
      stop() {
        child.kill()
        return ended
      },
    }
  },
)
