/** The results of calls of a contract in a scene. */

import { type Hex, toHex, toWord } from '../../../src/bytes/hex.ts'
import type { Evm } from '../../../src/engine/evm.ts'
import type { ExecutionScope } from '../../../src/engine/run/runCall.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import type { Call } from '../../../src/model/execution/call.ts'
import { answering, type Item } from '../compilers/assembly.ts'
import { address, callOf, machine, sceneOf } from './scenes.ts'

/** Where they run unless a test says otherwise. */
export const evm = machine()

/** The address of the contract. */
export const CONTRACT = address(0xc0de)

/** A number or bytes as a word. */
export function word(value: bigint | Hex): Hex {
  return toHex(toWord(BigInt(value)))
}

/** The return data of a successful call. */
export async function answer(scene: ExecutionScope, fields: Partial<Call> = {}, on: Evm = evm): Promise<Hex> {
  const outcome = await runCall(on, scene, callOf({ to: CONTRACT, ...fields }))
  if (outcome.kind !== 'success') throw new Error(`expected success, got ${outcome.kind}`)
  return toHex(outcome.returnData)
}

/** A scene with a contract that answers the word which `items` leave on the stack. */
export function answeringScene(...items: Item[]): ExecutionScope {
  return sceneOf([{ address: CONTRACT, code: answering(...items) }])
}
