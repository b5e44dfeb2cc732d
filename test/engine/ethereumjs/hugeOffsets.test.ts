/** Memory that no gas pays for: code runs out of gas, also where its steps are watched. */
import { expect, it } from 'vitest'
import { toWord } from '../../../src/bytes/hex.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import { WasmEngine } from '../../../src/engine/wasm/wasmEngine.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { address, callOf, sceneOf } from '../../support/engines/scenes.ts'

const CONTRACT = address(0xc0de)
const RULES = createRules('osaka', 1n)
const ENGINES: readonly [string, Engine][] = [
  ['ethereumjs', new EthereumjsEngine(RULES)],
  ['wasm', new WasmEngine(RULES)],
]

it.each(
  ENGINES.flatMap(([name, engine]) =>
    [2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 64n - 1n, 2n ** 256n - 1n].map((offset) => ({
      name,
      engine,
      offset,
    })),
  ),
)('with $name, a REVERT at offset $offset is out of gas', async ({ engine, offset }) => {
  const scene = sceneOf([{ address: CONTRACT, code: assemble(32, offset, 'REVERT') }])
  const names: string[] = []
  const watcher = { step: ({ name }: { name: string }) => void names.push(name) }
  const watched = await runCall(new Evm(engine), scene, callOf({ to: CONTRACT }), watcher)
  expect(watched).toMatchObject({ kind: 'halt', reason: 'outOfGas' })
  expect(names.at(-1)).toBe('REVERT')
})

it.each(ENGINES)('with %s, a REVERT that the gas pays for returns memory', async (_, engine) => {
  const code = assemble(7, 0, 'MSTORE', 32, 0, 'REVERT')
  const scene = sceneOf([{ address: CONTRACT, code }])
  const reverted = await runCall(new Evm(engine), scene, callOf({ to: CONTRACT }), { step: () => {} })
  expect(reverted).toMatchObject({ kind: 'revert', data: toWord(7n) })
})
