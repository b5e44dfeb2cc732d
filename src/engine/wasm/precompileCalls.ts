import type { Address } from '../../bytes/hex.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { andThen, type MaybePromise } from '../../work/maybePromise.ts'
import type { Work } from '../../work/work.ts'
import type { Precompile } from '../precompiles/precompile.ts'
import * as layout from './layout.ts'
import type { Exports, Memory } from './module.ts'

/** Runs the precompile that the open frame calls. Returns the next status of the module. */
export function runPrecompile(
  exports: Exports,
  memory: Memory,
  precompiles: ReadonlyMap<Address, Precompile>,
  rules: Rules,
  work: Work,
): MaybePromise<number> {
  const frame = memory.u32(layout.FRAME)
  const data = memory.u32(frame + layout.FRAME_DATA)
  const input = memory.bytes(data, memory.u32(frame + layout.FRAME_DATA_LENGTH))
  const precompile = precompiles.get(memory.address(memory.u32(frame + layout.FRAME_CODE_ACCOUNT)))!
  const left = memory.u64(frame + layout.FRAME_GAS) - precompile.gas(rules, input)
  if (left < 0n) return exports.closePrecompile(0n, layout.OUT_OF_GAS)
  const close = (output: Uint8Array | undefined): number => {
    if (output === undefined) return exports.closePrecompile(0n, layout.PRECOMPILE_FAILED)
    memory.setBytes(exports.returnPlace(output.length), output)
    return exports.closePrecompile(left, layout.EXIT_STOP)
  }
  return andThen(precompile.load?.(), () => {
    const parts = precompile.runInParts?.(input, rules)
    if (parts === undefined) return close(precompile.run(input, rules))
    const goOn = (): MaybePromise<number> => {
      for (let part = parts.next(); ; part = parts.next()) {
        if (part.done) return close(part.value)
        const pause = work.pause()
        if (pause !== undefined) return pause.then(goOn)
      }
    }
    return goOn()
  })
}
