/**
 * Collects the calls of running code to the console.
 *
 * EthereumJS reports each frame anyway, so the code is not run twice and runs unchanged: there is no precompile that
 * would make the address warm, and gas is the same. It costs one comparison for each frame.
 */
import type { EVM, Message } from '@ethereumjs/evm'
import { EMPTY_BYTES, fromHex, toHex } from '../../bytes/hex.ts'
import { CONSOLE_ADDRESS, type ConsoleCall, type ConsoleCalls } from '../../model/execution/consoleCall.ts'

/** The limit of kept calldata: a transaction within its gas limit can log the same 100 kB a hundred thousand times. */
const MOST_BYTES = 16 * 1024 * 1024
/** The approximate memory of a call without its data, in bytes. */
const CALL_BYTES = 300

const CONSOLE = fromHex(CONSOLE_ADDRESS)
const LAST = CONSOLE.length - 1

/** Collects the console calls of one run at a time. */
export class ConsoleListener {
  /** The last frame entered at each depth. The caller of an open frame is the one before it. */
  readonly #frames: Message[] = []
  #calls: ConsoleCall[] = []
  #bytes = 0

  /** Listens to runs of `evm`. */
  attach(evm: EVM): void {
    evm.events.on('beforeMessage', this.#hear)
  }

  /** Returns the calls of the run that has ended; `undefined` if there were none. */
  take(): ConsoleCalls | undefined {
    this.#frames.length = 0
    if (this.#calls.length === 0) return undefined
    const calls = this.#calls
    this.#calls = []
    this.#bytes = 0
    return calls
  }

  readonly #hear = (message: Message): void => {
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
      // EthereumJS passes a view of the caller's memory, which continues to change.
      input: this.#bytes > MOST_BYTES ? undefined : data.slice(),
    })
  }
}

/** Compares from the end: most addresses differ there, and many begin with zeros. */
function isConsole(address: Uint8Array): boolean {
  let at = LAST
  while (at >= 0 && address[at] === CONSOLE[at]) at--
  return at < 0
}
