/** The functions that the objects of JavaScript tracers call in the host: reads of the current step and of the state. */
import { type Address, fromHex, type Hex, toHex, toWord } from '../../../bytes/hex.ts'
import { contractAddress, create2Address } from '../../../model/account/account.ts'
import type { RunState, Step } from '../../engine.ts'
import { fromTop } from '../operands.ts'
import { TracerFailed } from '../tracer.ts'
import type { HostFunction } from './sandbox.ts'

/** How far beyond the memory a tracer may read zeros, in bytes, as in geth. */
const MOST_PADDING = 1024 * 1024

/** The account, the caller and the value of a frame's code, which a delegate call takes from its caller. */
export interface CodeFrame {
  readonly address: Address
  readonly caller: Address
  readonly value: bigint
  readonly input: Uint8Array
}

export interface Reads {
  /** The step whose tracer function runs. Throws outside of steps. */
  readonly step: Step
  readonly state: RunState
  readonly frame: CodeFrame
  /** Called with the position of a stack item that the step's buffer lacks. */
  onPeek(index: number): void
}

export function hostFunctions(reads: Reads): Readonly<Record<string, HostFunction>> {
  return {
    fail: (message: string) => {
      throw new TracerFailed(message)
    },
    peek: (index: number) => {
      reads.onPeek(index)
      return encoded(fromTop(reads.step.stack, index))
    },
    memory: (begin: number, end: number) => {
      if (begin === end) return new Uint8Array(0)
      const { memory } = reads.step
      if (!(begin >= 0 && end >= begin)) throw outOfBounds(`offset ${begin}, end ${end}`)
      if (end - memory.length > MOST_PADDING) {
        const range = `end ${end}, memorySize ${memory.length}`
        throw new TracerFailed(`tracer reached limit for padding memory slice: ${range}`)
      }
      const slice = new Uint8Array(end - begin)
      slice.set(memory.subarray(begin, end))
      return slice
    },
    memoryWord: (offset: number) => {
      const { memory } = reads.step
      if (!(offset >= 0 && offset + 32 <= memory.length)) {
        throw outOfBounds(`available ${memory.length}, offset ${offset}, size 32`)
      }
      return toHex(memory.subarray(offset, offset + 32))
    },
    memoryLength: () => reads.step.memory.length,
    contract: () => {
      const { address, caller, value } = reads.frame
      return JSON.stringify({ address, caller, value: encoded(value) })
    },
    input: () => reads.frame.input,
    balance: (owner: Address) => encoded(reads.state.account(owner)?.balance ?? 0n),
    nonce: (owner: Address) => Number(reads.state.account(owner)?.nonce ?? 0n),
    code: (owner: Address) => reads.state.code(owner),
    storage: (owner: Address, slot: Hex) => toHex(toWord(reads.state.storage(owner, BigInt(slot)))),
    exists: (owner: Address) => reads.state.account(owner) !== undefined,
    created: (from: Address, nonce: number) => contractAddress(from, BigInt(nonce)),
    created2: (from: Address, salt: Hex, code: Hex) => create2Address(from, BigInt(salt), fromHex(code)),
  }
}

function outOfBounds(range: string): TracerFailed {
  return new TracerFailed(`tracer accessed out of bound memory: ${range}`)
}

export function encoded(value: bigint): Hex {
  return `0x${value.toString(16)}`
}
