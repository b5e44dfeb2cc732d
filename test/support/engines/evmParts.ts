/**
 * Prints what EVMs of EthereumJS consist of, as JSON: the text of methods by class, and of the functions of instructions
 * and precompiles. With the argument `ours`, our engines have run code before. It is a program of its own, because test
 * files share what they import. Started by `evmParts`.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { createVM } from '@ethereumjs/vm'

const FILE = fileURLToPath(import.meta.url)
/** An instruction that no hardfork has. */
const UNUSED = 0x0c

/** Runs this file as a program; `isAfterOurs`: our engines have run code in its process. */
export async function evmParts(isAfterOurs: boolean): Promise<Record<string, string>> {
  const args = ['--import', 'tsx', FILE, ...(isAfterOurs ? ['ours'] : [])]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

if (process.argv[1] === FILE) {
  if (process.argv[2] === 'ours') await runOurs()
  console.log(JSON.stringify(await parts()))
}

async function runOurs(): Promise<void> {
  const { sceneOf, callOf, address } = await import('./scenes.ts')
  const { Evm } = await import('../../../src/engine/evm.ts')
  const { EthereumjsEngine } = await import('../../../src/engine/ethereumjs/ethereumjsEngine.ts')
  const { WasmEngine } = await import('../../../src/engine/wasm/wasmEngine.ts')
  const { createRules } = await import('../../../src/model/hardfork/hardfork.ts')
  const { assemble } = await import('../compilers/assembly.ts')
  const { runCall } = await import('../../../src/engine/run/runCall.ts')
  const code = assemble('GAS', 0, 'SSTORE', 'JUMPDEST', 0, 0, 0, 0, 0, address(4), 'GAS', 'CALL')
  const scene = sceneOf([{ address: address(1_000), code }])
  for (const Engine of [WasmEngine, EthereumjsEngine]) {
    const evm = new Evm(new Engine(createRules('osaka', 31_337n)))
    const { kind } = await runCall(evm, scene, callOf({ to: address(1_000) }))
    if (kind !== 'success') throw new Error(`expected a success, got ${kind}`)
  }
}

async function parts(): Promise<Record<string, string>> {
  let frame: Readonly<Record<'interpreter' | 'stack' | 'memory' | 'stateManager', object>> | undefined
  const logicFunction = (state: unknown) => {
    frame = state as typeof frame
  }
  const common = createCustomCommon({}, Mainnet, { hardfork: 'osaka' })
  const customOpcodes = [{ opcode: UNUSED, opcodeName: 'UNUSED', baseFee: 0, logicFunction }]
  const evm = await createEVM({ common, customOpcodes })
  const vm = await createVM({ common, evm })
  await evm.runCode({ code: Uint8Array.of(UNUSED), gasLimit: 1n })
  const { interpreter, stack, memory, stateManager } = frame!
  const objects = { vm, evm, common, journal: evm.journal, interpreter, stack, memory, stateManager }
  const methods = Object.entries(objects).flatMap(([name, object]) => {
    const prototype = Object.getPrototypeOf(object)
    return Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([key, { value, get, set }]) => [
      `${name}.${key}`,
      [value, get, set].join('\n'),
    ])
  })
  const { _opcodeMap: instructions } = evm as unknown as {
    readonly _opcodeMap: readonly { opHandler: unknown; gasHandler: unknown; opcodeInfo: { fee: number } }[]
  }
  const handlers = instructions.map(({ opHandler, gasHandler, opcodeInfo }, opcode) => [
    `instruction ${opcode}`,
    [opHandler, gasHandler, opcodeInfo.fee].join('\n'),
  ])
  const precompiles = [...evm.precompiles].map(([at, run]) => [`precompile ${at}`, String(run)])
  return Object.fromEntries([...methods, ...handlers, ...precompiles])
}
