/** Terminals: one that remembers what was written to it, and a real one that a process is started on. */
import { spawn } from 'node:child_process'
import type { Terminal } from '../../../src/terminal/progress.ts'
import { PRESEAL, Running } from './process.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b\[[0-9;?]*[a-zA-Z]/g

/** A terminal that remembers what was written to it, as lines without colours and movements. */
export function terminal({ isTTY = true, columns = 80 } = {}): { stream: Terminal; lines: () => string[] } {
  const written: string[] = []
  const write = (text: string | Uint8Array) => {
    written.push(String(text))
    return true
  }
  const lines = () => written.map((text) => text.replaceAll(ESCAPES, '').trim()).filter((text) => text !== '')
  return { stream: { isTTY, columns, write } as Terminal, lines }
}

/** Starts a command on a terminal of its own, and passes its keys and its output on. */
const ON_TERMINAL = `
import fcntl, os, pty, select, struct, sys, termios
rows, columns = int(sys.argv[1]), int(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
while True:
    ready, _, _ = select.select([terminal, 0], [], [])
    try:
        if terminal in ready:
            os.write(1, os.read(terminal, 65536))
        if 0 in ready:
            keys = os.read(0, 1024)
            if not keys:
                break
            os.write(terminal, keys)
    except OSError:
        break
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

/** Starts `preseal` with `flags` on a terminal of its own of this size; `type` presses keys. Needs Python. */
export function startOnTerminal(
  { rows, columns }: { rows: number; columns: number },
  ...flags: string[]
): Running & { type(keys: string): void } {
  const child = spawn('python3', ['-c', ON_TERMINAL, String(rows), String(columns), ...PRESEAL, ...flags])
  return Object.assign(new Running(child), {
    type(keys: string) {
      child.stdin.write(keys)
    },
  })
}
