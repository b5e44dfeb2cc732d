/** geth's struct logger (eth/tracers/logger): lists each instruction with the state of the EVM before it. */

import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import type { StructOptions, StructStep } from '../../model/execution/trace.ts'
import { OP } from '../../model/opcodes.ts'
import type { Outcome, Step } from '../engine.ts'
import { fromTop } from './operands.ts'
import type { TraceBudget, Tracer } from './tracer.ts'

/** Approximate memory of a step, and of each word in a step, in bytes. */
const STEP_BYTES = 200
const WORD_BYTES = 40

export function structLogger(options: StructOptions, budget: TraceBudget): Tracer {
  const steps: StructStep[] = []
  const accessed = new Map<Address, Map<bigint, bigint>>()
  const last: (StructStep | undefined)[] = []
  let depth = 0
  const storageAt = (step: Step): ReadonlyMap<bigint, bigint> | undefined => {
    const here = slotsWith(accessed, step)
    return options.storage === 'everyStep' ? (here ?? accessed.get(step.address) ?? NO_SLOTS) : here
  }

  return {
    step(step) {
      last[depth - 1] = undefined
      if (options.limit !== undefined && steps.length >= options.limit) return
      const storage = options.storage === 'none' ? undefined : storageAt(step)
      const words =
        (options.stack ? step.stack.length : 0) +
        (storage === undefined ? 0 : storage.size * 2) +
        (options.memory ? step.memory.length / 32 : 0) +
        (options.returnData ? step.returnData.length / 32 : 0)
      budget.take(STEP_BYTES + words * WORD_BYTES)
      const kept: StructStep = {
        pc: step.pc,
        name: step.name,
        gas: step.gas,
        cost: step.cost,
        depth,
        refund: step.refund,
        error: undefined,
        stack: options.stack ? step.stack : undefined,
        memory: options.memory ? step.memory : undefined,
        returnData: options.returnData ? step.returnData : undefined,
        storage,
      }
      last[depth - 1] = kept
      steps.push(kept)
    },

    enter() {
      last[depth++] = undefined
    },

    fault(error) {
      const failing = last[depth - 1]
      if (failing !== undefined) failing.error = error
    },

    exit() {
      depth--
    },

    finish: ({ outcome }) => ({
      kind: 'struct',
      gasUsed: outcome.gasUsed,
      failed: outcome.kind !== 'success',
      returnValue: returned(outcome),
      steps,
    }),
  }
}

const NO_SLOTS: ReadonlyMap<bigint, bigint> = new Map()

/** After an SLOAD or SSTORE, returns all slots that the contract has accessed; `undefined` for other steps. */
function slotsWith(accessed: Map<Address, Map<bigint, bigint>>, step: Step): Map<bigint, bigint> | undefined {
  const { opcode } = step
  if (opcode !== OP.SLOAD && opcode !== OP.SSTORE) return undefined
  const { stack, address } = step
  if (stack.length < (opcode === OP.SLOAD ? 1 : 2)) return undefined
  const slot = fromTop(stack, 0)
  const slots = new Map(accessed.get(address))
  slots.set(slot, opcode === OP.SLOAD ? step.state.storage(address, slot) : fromTop(stack, 1))
  accessed.set(address, slots)
  return slots
}

function returned(outcome: Outcome): Uint8Array {
  switch (outcome.kind) {
    case 'success':
      return outcome.returnData
    case 'revert':
      return outcome.data
    case 'halt':
      return EMPTY_BYTES
  }
}
