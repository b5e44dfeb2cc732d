/** Small random programs, whose states and shortest violation are known from a search in a model of them. */
import { expect, it as test } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { call, type Explored, explore, oneOf, RuleBroken, wait } from '../../src/testing/index.ts'
import { type Random, withRandom } from '../support/random/random.ts'
import { contractsOf } from './exploreContracts.ts'

const contract = contractsOf('puzzles')

const REGISTERS = 4
const PROGRAMS = 3
const DEPTH = 5
/** Programs for each seed. PRESEAL_SEEDS=100 plays a thousand. */
const COUNT = 10
const NOBODY: Address = '0x00000000000000000000000000000000000000aa'

interface Instruction {
  readonly kind: number
  readonly a: number
  readonly b: number
  readonly c: number
}

type Program = readonly Instruction[]

/** The registers and the seconds that passed. */
interface ModelState {
  readonly registers: readonly number[]
  readonly seconds: number
}

test(
  'explore finds the states and the shortest violation of random programs, with and without known results',
  withRandom(async (random) => {
    for (let i = 0; i < COUNT; i++) await exploreProgram(random)
  }),
)

async function exploreProgram(random: Random): Promise<void> {
  const programs = Array.from({ length: PROGRAMS }, () => programOf(random))
  const bad = { register: random.below(REGISTERS), value: random.below(5) }
  const devnet = await createDevnet({ rhythm: 'manual' })
  const deployed = await devnet.deploy(contract('Registers'), { args: [programs.map(encoded)] })
  const timestamp = devnet.wires.context.environmentOfNext().scene.context.timestamp
  const played = async (rules: boolean, reusesRuns: boolean) => {
    const start = { use: async () => ({ devnet: devnet.fork(), it: deployed }) }
    return explore(start, {
      actors: [NOBODY],
      actions: ({ it }) => ({
        run: call(it, 'run', { args: [oneOf(0, 1, 2)] }),
        wait: wait({ seconds: 1 }),
      }),
      ...(rules
        ? {
            invariants: {
              good: (world, { it }) => world.read(it, 'register', bad.register) !== BigInt(bad.value),
            },
          }
        : {}),
      depth: DEPTH,
      seconds: 60,
      length: 0,
      reusesRuns,
    }).catch((error: unknown) => {
      if (error instanceof RuleBroken) return error
      throw error
    })
  }
  const model = modelOf(programs, Number(timestamp % 2n), bad)
  for (const reusesRuns of [true, false]) {
    const { states } = (await played(false, reusesRuns)) as Explored
    const found = await played(true, reusesRuns)
    expect({ states, violation: found instanceof RuleBroken ? found.story.length : undefined }).toEqual(model)
  }
  await devnet.close()
}

/** Returns a random program, which changes few registers, so that programs are often independent. */
function programOf(random: Random): Program {
  return Array.from({ length: 1 + random.below(4) }, () => ({
    kind: random.below(6),
    a: random.below(REGISTERS),
    b: random.below(REGISTERS),
    c: random.below(5),
  }))
}

function encoded(program: Program): `0x${string}` {
  const hex = (byte: number) => byte.toString(16).padStart(2, '0')
  return `0x${program.map(({ kind, a, b, c }) => [kind, a, b, c].map(hex).join('')).join('')}`
}

/** Searches the states of the programs as `Registers.sol` defines them, breadth first. */
function modelOf(programs: readonly Program[], parity: number, bad: { register: number; value: number }) {
  const keyOf = ({ registers, seconds }: ModelState) => `${registers} ${seconds}`
  const isBad = ({ registers }: ModelState) => registers[bad.register] === bad.value
  const first: ModelState = { registers: Array(REGISTERS).fill(0), seconds: 0 }
  const seen = new Set([keyOf(first)])
  let violation = isBad(first) ? 0 : undefined
  let level = [first]
  for (let depth = 1; depth <= DEPTH; depth++) {
    const next: ModelState[] = []
    for (const state of level) {
      const later = { ...state, seconds: state.seconds + 1 }
      for (const after of [...programs.map((program) => ran(program, state, parity)), later]) {
        if (seen.has(keyOf(after))) continue
        seen.add(keyOf(after))
        next.push(after)
        if (isBad(after)) violation ??= depth
      }
    }
    level = next
  }
  return { states: seen.size, violation }
}

function ran(program: Program, state: ModelState, parity: number): ModelState {
  const registers = [...state.registers]
  for (const { kind, a, b, c } of program) {
    const value = registers[b]!
    if (kind === 0) registers[a] = (value + c) % 5
    else if (kind === 1) registers[a] = (value * c) % 5
    else if (kind === 2 && value === c) return state
    else if (kind === 3) registers[a] = c
    else if (kind === 4 && value === c) break
    else if (kind === 5) registers[a] = (parity + state.seconds) % 2
  }
  return { ...state, registers }
}
