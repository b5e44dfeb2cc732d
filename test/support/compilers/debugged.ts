/** Runs of `devnet.debug` as a test reads them. */
import { onTestFinished } from 'vitest'
import {
  createDevnet,
  type DebugFrame,
  type DebugRun,
  type Devnet,
  type DevnetOptions,
} from '../../../src/index.ts'
import type { Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import { contractOf } from './solidity.ts'

/** Returns a devnet that knows the contracts of a compilation. */
export async function knowing(compilation: Compilation, options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual', ...options })
  onTestFinished(() => devnet.close())
  const { input, output } = compilation
  devnet.artifacts.add({ input, output })
  return devnet
}

/** A contract of a compilation that was deployed. */
export interface Placed {
  readonly abi: readonly { readonly type: string }[]
  readonly address: `0x${string}`
  readonly hash: `0x${string}`
}

export async function placed(
  devnet: Devnet,
  compilation: Compilation,
  name: string,
  args: readonly unknown[] = [],
  libraries: Readonly<Record<string, `0x${string}`>> = {},
): Promise<Placed> {
  const { abi, evm } = contractOf(compilation, name).output
  const contract = { abi: abi as Placed['abi'], bytecode: evm!.bytecode! }
  return devnet.deploy(contract, { args, libraries } as never) as Promise<Placed>
}

/** Sends a transaction that calls a function, also if it fails, and returns its run. */
export async function debugged(
  devnet: Devnet,
  { abi, address }: Placed,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<DebugRun> {
  const written = { abi, address, functionName, args, gas: 3_000_000n, until: 'accepted' }
  const { hash } = (await devnet.write(written as never)) as { hash: `0x${string}` }
  await devnet.mine()
  return devnet.debug(hash)
}

/** Reads and writes in their order: `name: value`, `name: before → value`; `!` behind what was undone. */
export function storageIn({ steps }: DebugRun): string[] {
  return steps.flatMap(({ storage }) =>
    storage.map(({ kind, name, slot, before, value, isReverted }) => {
      const what = kind === 'read' ? `${value}` : `${before} → ${value}`
      return `${name ?? slot}: ${what}${isReverted ? ' !' : ''}`
    }),
  )
}

export function writesIn({ steps, ...run }: DebugRun): string[] {
  const writes = steps.map((step) => ({
    ...step,
    storage: step.storage.filter(({ kind }) => kind === 'write'),
  }))
  return storageIn({ ...run, steps: writes })
}

/** The frames as they lie in each other: two spaces for each that is around. */
export function framesIn({ frames }: DebugRun): string[] {
  return frames.map((frame) => `${'  '.repeat(frame.depth)}${frameText(frame)}`)
}

function frameText(frame: DebugFrame): string {
  const { contract, function: name } = frame
  const called = `${contract === undefined ? '' : `${contract}.`}${name}`
  if (frame.kind === 'function') return frame.isModifier ? `${called} (modifier)` : called
  const args = frame.args === undefined ? '' : `(${frame.args.map(({ value }) => value).join(', ')})`
  const end = frame.error === undefined ? '' : ` fails: ${frame.error.text}`
  return `${frame.call} ${called}${args}${end}`
}

/** The lines of the steps, each line once in a row; `?` where it is not known. */
export function linesIn({ steps }: DebugRun): (number | '?')[] {
  const lines = steps.map(({ position }) => position?.line ?? '?')
  return lines.filter((line, i) => line !== lines[i - 1])
}
