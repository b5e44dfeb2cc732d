/** Follows a running call or creation, and finds the source places and open functions of its instructions. */

import type { Address } from '../../bytes/hex.ts'
import type { Step } from '../../engine/engine.ts'
import { OP } from '../../model/opcodes.ts'
import { type AccessTarget, accessAt, type Place, rangeTrust } from './codeSource.ts'
import { type Base, FunctionStack } from './functionStack.ts'
import type { OpenStep, RunLog } from './runLog.ts'
import type { RunningCode } from './runningCode.ts'
import { StackVariables } from './stackVariables.ts'

const { JUMPDEST } = OP

interface Jump {
  readonly kind: 'into' | 'out' | 'other'
  readonly from: Place | undefined
}

/** Marks an instruction without a source, which belongs to the previous step. */
const SAME_STEP = 'as before'

type RunStart = Pick<Base, 'frame' | 'isCreation'> & {
  readonly address: Address
  readonly input: Uint8Array
}

export class Execution {
  readonly code: RunningCode
  readonly address: Address
  readonly #log: RunLog
  readonly #functions: FunctionStack
  /** `undefined` if the sources are unknown. */
  readonly #variables: StackVariables | undefined
  step: OpenStep | undefined
  #place: Place | undefined
  /** Places from which the open functions were called. */
  readonly #sites: (Place | undefined)[] = []
  #jump: Jump | undefined
  /** Whether the optimizer may have merged the current block with a block of another place. */
  #isLost = false

  constructor(code: RunningCode, { frame, isCreation, address, input }: RunStart, log: RunLog) {
    const { source } = code
    this.code = code
    this.address = address
    this.#log = log
    this.#functions = new FunctionStack(
      {
        frame,
        function: code.entry(input),
        contract: code.declared,
        isCreation,
        trust: source?.trust ?? 'all',
      },
      log,
    )
    if (source !== undefined) {
      this.#variables = new StackVariables(source, code, input, (step, variables) =>
        log.addVariables(step, variables),
      )
    }
  }

  get frame(): number {
    return this.#functions.frame
  }

  get target(): AccessTarget | undefined {
    const { source } = this.code
    return source && this.#place && accessAt(source.model, this.#place.range)
  }

  /** Processes an instruction before it runs: begins a new step, or continues the current one. */
  follow(step: Step): void {
    const index = this.code.source?.instructions.indexOf(step.pc) ?? -1
    const jump = index < 0 ? undefined : this.#afterJump(index, step)
    this.#jump = undefined
    const place = this.#placeAt(step, index, jump)
    const { frame } = this
    const isHere = this.step?.frame === frame
    const isSame = place === SAME_STEP ? isHere : isHere && place === this.#place
    if (isSame && this.step === this.#log.last) {
      this.#variables?.follow(step, this.#place, this.step, undefined)
      return
    }
    if (place !== SAME_STEP) this.#place = place
    else if (!isHere) this.#place = undefined
    this.step = this.#log.begin(frame, this.#place?.position)
    const begun = this.#log.isCut ? undefined : { step: this.step, frame }
    this.#variables?.follow(step, this.#place, this.step, begun)
  }

  end(): void {
    this.#variables?.end()
    this.#functions.end()
  }

  /** Enters or leaves a function after a jump. Returns the jump. If it left a function, `from` is the call's place. */
  #afterJump(index: number, step: Step): Jump | undefined {
    const jump = this.#jump
    const functions = this.#functions
    if (jump?.kind === 'out') {
      functions.leave()
      this.#variables?.out()
      return { kind: 'out', from: this.#sites.pop() }
    }
    if (jump?.kind !== 'into') return jump
    const source = this.code.source!
    const one = functions.enter(source.functionEntered(index), jump.from && source.textOf(jump.from))
    const args = this.#variables?.into(one, step)
    const { entered } = functions
    if (args !== undefined && entered !== undefined) this.#log.setValues(entered, { args })
    return jump
  }

  /** Records a jump. Must be called after `follow`. */
  jump(step: Step): void {
    const { source } = this.code
    const index = source?.instructions.indexOf(step.pc) ?? -1
    const kind = index < 0 ? 'other' : source!.instructions.nth(index).jump
    this.#jump = { kind, from: this.#place }
    if (kind === 'into') this.#sites.push(this.#place)
    const { entered } = this.#functions
    if (kind !== 'out' || entered === undefined) return
    const result = this.#variables?.results(step)
    if (result !== undefined) this.#log.setValues(entered, { result })
  }

  /** Returns the place of an instruction: `SAME_STEP` if it belongs to the current step, `undefined` if uncertain. */
  #placeAt({ opcode }: Step, index: number, jump: Jump | undefined): Place | undefined | typeof SAME_STEP {
    const { source } = this.code
    const functions = this.#functions
    if (source === undefined || index < 0) return undefined
    const place = source.placeAt(index)
    if (opcode === JUMPDEST) {
      const isJump = jump !== undefined && jump.kind !== 'into'
      this.#isLost = isJump && place !== undefined && source.isShared(index) && !overlap(place, jump.from)
    }
    if (this.#isLost) return undefined
    const { trust } = source
    const says = rangeTrust(trust, opcode)
    if (place === undefined || (says === 'nothing' && this.step !== undefined)) return SAME_STEP
    // Via IR, compiler-generated code has the contract's range.
    if (place.isContract) {
      if (trust === 'effects') return undefined
      return this.#place === undefined ? place : SAME_STEP
    }
    if (says === 'maybe') return place === this.#place ? SAME_STEP : undefined
    if (place === this.#place && jump === undefined) return place
    if (place.function === undefined || functions.moveTo(place.function)) return place
    // Code inside an unknown function belongs to the step that called the function.
    return functions.isUnknown ? SAME_STEP : undefined
  }
}

function overlap(a: Place | undefined, b: Place | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const [{ range: one }, { range: other }] = [a, b]
  return (
    one.file === other.file && one.start < other.start + other.length && other.start < one.start + one.length
  )
}
