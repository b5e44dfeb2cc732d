/**
 * Hears what running code says to the console.
 *
 * The machine tells of each frame anyway, so nothing is run twice and nothing changes for the code: no precompile that would
 * make the address warm, no other gas. What it costs is one comparison for each frame.
 */
import type { Message } from '@ethereumjs/evm'
import { EMPTY_BYTES, fromHex, toHex } from '../model/bytes/hex.ts'
import { CONSOLE_ADDRESS, type ConsoleCall, type ConsoleCalls } from '../model/execution/consoleCall.ts'

/** A transaction within its gas limit can say the same 100 kB a hundred thousand times. */
const MOST_BYTES = 16 * 1024 * 1024
/** What a call takes in memory besides its bytes, about. */
const CALL_BYTES = 300

const CONSOLE = fromHex(CONSOLE_ADDRESS)
const LAST = CONSOLE.length - 1

export class ConsoleListener {
  /** The frame that was entered last at each depth: of those that are open, the one above is the caller. */
  readonly #frames: Message[] = []
  #calls: ConsoleCall[] = []
  #bytes = 0

  /** What the run that has ended said; `undefined`: nothing. */
  take(): ConsoleCalls | undefined {
    this.#frames.length = 0
    if (this.#calls.length === 0) return undefined
    const calls = this.#calls
    this.#calls = []
    this.#bytes = 0
    return calls
  }

  /** Listens to `beforeMessage` of an EVM. */
  readonly hear = (message: Message): void => {
    this.#frames[message.depth] = message
    if (message.to !== undefined && isConsole(message.to.bytes)) this.#note(message)
  }

  #note({ caller, data, depth }: Message): void {
    if (this.#bytes > MOST_BYTES) return
    this.#bytes += CALL_BYTES + data.length
    const from = toHex(caller.bytes)
    const speaker = this.#frames[depth - 1]
    this.#calls.push({
      from,
      codeAddress: speaker === undefined ? from : toHex(speaker.codeAddress.bytes),
      code: speaker === undefined ? EMPTY_BYTES : (speaker.code as Uint8Array),
      // EthereumJS hands over a view of the caller's memory, which goes on changing.
      input: this.#bytes > MOST_BYTES ? undefined : data.slice(),
    })
  }
}

/** From the end: most addresses end otherwise, and many begin with zeros. */
function isConsole(address: Uint8Array): boolean {
  let at = LAST
  while (at >= 0 && address[at] === CONSOLE[at]) at--
  return at < 0
}
