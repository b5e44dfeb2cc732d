/** Which instructions a frame ran, in little memory: all jumps, and of the others the last. */

import { JUMP } from '../opcodes.ts'

/** The number of steps that are kept at least. */
const KEPT = 1 << 15
/** The number of jumps that are kept of those before. */
const MOST_JUMPS = 1 << 22

/** The steps of one frame in their order. */
export class Trail {
  /** The last steps: the position in the code times 256, plus the opcode. */
  #steps = new Uint32Array(64)
  #count = 0
  /** The number of steps before those. */
  #forgotten = 0
  /** Of the steps before: positions of jumps, each with that of the next step. */
  #jumps = new Uint32Array(0)
  #jumpCount = 0
  #isComplete = true

  /** The number of steps. */
  get length(): number {
    return this.#forgotten + this.#count
  }

  /** The first step that is still known. */
  get first(): number {
    return this.#forgotten
  }

  /** Whether `jumps` has all: memory for them is limited. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  push(pc: number, opcode: number): void {
    if (this.#count === this.#steps.length) {
      if (this.#count >= 2 * KEPT) this.#forget()
      else this.#steps = grown(this.#steps)
    }
    this.#steps[this.#count++] = pc * 256 + opcode
  }

  /** Returns the position in the code of the step with that number; `undefined` for those not known any longer. */
  pc(step: number): number | undefined {
    const entry = this.#steps[step - this.#forgotten]
    return entry === undefined || step >= this.length ? undefined : entry >>> 8
  }

  /** The opcode of the last step. */
  get lastOpcode(): number | undefined {
    const entry = this.#steps[this.#count - 1]
    return entry === undefined ? undefined : entry & 0xff
  }

  /** Calls `visit` with each JUMP in order: its position, and that of the step after it, if there was one. */
  eachJump(visit: (pc: number, next: number | undefined) => void): void {
    for (let i = 0; i < this.#jumpCount; i += 2) visit(this.#jumps[i]!, this.#jumps[i + 1]!)
    for (let i = 0; i < this.#count; i++) {
      const entry = this.#steps[i]!
      if ((entry & 0xff) !== JUMP) continue
      visit(entry >>> 8, i + 1 < this.#count ? this.#steps[i + 1]! >>> 8 : undefined)
    }
  }

  /** Forgets all. */
  clear(): void {
    this.#steps = new Uint32Array(0)
    this.#forgotten += this.#count
    this.#count = 0
    this.#jumps = new Uint32Array(0)
    this.#jumpCount = 0
    this.#isComplete = false
  }

  /** Keeps of the older half of the steps the jumps only. */
  #forget(): void {
    for (let i = 0; i < KEPT; i++) {
      const entry = this.#steps[i]!
      if ((entry & 0xff) === JUMP) this.#keepJump(entry >>> 8, this.#steps[i + 1]! >>> 8)
    }
    this.#steps.copyWithin(0, KEPT, this.#count)
    this.#count -= KEPT
    this.#forgotten += KEPT
  }

  #keepJump(pc: number, next: number): void {
    if (this.#jumpCount >= 2 * MOST_JUMPS) {
      this.#isComplete = false
      return
    }
    if (this.#jumpCount === this.#jumps.length) this.#jumps = grown(this.#jumps)
    this.#jumps[this.#jumpCount++] = pc
    this.#jumps[this.#jumpCount++] = next
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(64, 2 * array.length))
  larger.set(array)
  return larger
}
