/** Compares the variables that a debugger reports at an `emit` with the values in the emitted event. */
import { type Abi, decodeEventLog } from 'viem'
import type { DebugFrame, DebugRun, MessageFrame } from '../../../src/index.ts'
import type { Random } from '../random/random.ts'
import { debugged, knowing, placed } from './debugged.ts'
import { ENUM_MEMBERS, generatedContract } from './generatedContracts.ts'
import { type CompileOptions, compiled } from './solidity.ts'

export interface Comparison {
  right: number
  /** The reasons of unknown values. */
  readonly unknown: string[]
  /** Wrong values, with the seed of the contract. */
  readonly wrong: string[]
}

interface Told {
  readonly value?: unknown
  readonly reason?: string | undefined
}

/** Runs all functions of `count` generated contracts. Contracts with more variables than solc reaches are left out. */
export async function comparedVariables(
  random: Random,
  count: number,
  options: CompileOptions,
): Promise<Comparison> {
  const { optimizer, viaIR } = options
  const found: Comparison = { right: 0, unknown: [], wrong: [] }
  for (let made = 0; made < count; ) {
    const { source, calls } = generatedContract(random)
    const compilation = compiledOrTooDeep(source, options)
    if (compilation === undefined) continue
    made++
    const devnet = await knowing(compilation, { codeSizeLimit: 1_000_000 })
    const contract = await placed(devnet, compilation, 'Generated')
    for (const { name, args } of calls) {
      const run = await debugged(devnet, contract, name, args)
      const [{ error }] = run.frames as [MessageFrame]
      // Nested loops may need more gas. What was emitted before is compared.
      if (error !== undefined && error.text !== 'out of gas') found.wrong.push(`${error.text} in:\n${source}`)
      compareRun(run, contract.abi as Abi, (said, { value, reason }, key) => {
        // Such code emits a value of storage that it writes later, or never.
        if (optimizer && viaIR && key.startsWith('stored_')) return
        if (value === undefined) found.unknown.push(reason ?? `no reason for ${key}`)
        else if (isSaid(said, value)) found.right++
        else found.wrong.push(`${key} of ${name}: ${text(value)} instead of ${text(said)} in:\n${source}`)
      })
    }
    await devnet.close()
  }
  return found
}

function compiledOrTooDeep(source: string, options: CompileOptions) {
  try {
    return compiled({ 'Generated.sol': source }, options)
  } catch (error) {
    if (error instanceof Error && /too deep/i.test(error.message)) return undefined
    throw error
  }
}

type Compare = (said: unknown, told: Told, name: string) => void

function compareRun(run: DebugRun, abi: Abi, compare: Compare): void {
  for (const [at, { logs }] of run.steps.entries()) {
    for (const { topics, data } of logs) {
      const { args } = decodeEventLog({ abi, topics: topics as never, data })
      for (const [name, said] of Object.entries(args as object)) compare(said, toldAt(run, at, name), name)
    }
  }
}

/** Returns what a run reports about a variable at a step: a local variable, a state variable or an immutable. */
function toldAt({ steps, frames }: DebugRun, at: number, name: string): Told {
  const { frame } = steps[at]!
  if (name.startsWith('fixed_')) {
    let message: DebugFrame = frames[frame]!
    while (message.kind !== 'message') message = frames[message.parent!]!
    return message.immutables?.find((one) => one.name === name) ?? {}
  }
  const until = steps.slice(0, at + 1)
  if (name.startsWith('stored_')) {
    const access = until.flatMap(({ storage }) => storage).findLast((one) => one.name === name)
    return access ?? { reason: 'not read' }
  }
  const told = until.findLast((step) => step.frame === frame && step.variables !== undefined)
  return told?.variables?.find((one) => one.name === name) ?? { reason: 'position unknown' }
}

/** Returns whether a debugger's value is the decoded value of an event, in which enum members are numbers. */
function isSaid(said: unknown, told: unknown): boolean {
  if (typeof said === 'object' && said !== null) {
    if (typeof told !== 'object' || told === null) return false
    const [one, other] = [Object.entries(said), Object.entries(told)]
    return (
      one.length === other.length &&
      one.every(([name, value], i) => name === other[i]![0] && isSaid(value, other[i]![1]))
    )
  }
  const member = typeof told === 'string' ? ENUM_MEMBERS.indexOf(told) : -1
  return member >= 0 ? said === member : said === told
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
}
