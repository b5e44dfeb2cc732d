import { beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { loadSecp256k1 } from '../../src/crypto/secp256k1.ts'
import { differencesOf } from '../../src/engine/both/bothEngines.ts'
import type { Engine, Execution, Frame, FrameExit, Step, Watcher } from '../../src/engine/engine.ts'
import { EthereumjsEngine } from '../../src/engine/ethereumjs/ethereumjsEngine.ts'
import {
  DEPOSIT_OUT_OF_GAS,
  INIT_CODE_TOO_LARGE,
  INVALID_CODE,
  OUT_OF_GAS,
  OUT_OF_RETURN_DATA,
  PRECOMPILE_FAILED,
  STACK_OVERFLOW,
  STACK_UNDERFLOW,
  WRITE_PROTECTION,
} from '../../src/engine/trace/failures.ts'
import { WasmEngine } from '../../src/engine/wasm/wasmEngine.ts'
import type { CallKind } from '../../src/model/execution/trace.ts'
import type { AnyHardfork, Rules } from '../../src/model/hardfork/hardfork.ts'
import { URGENT } from '../../src/work/work.ts'
import { ALL_HARDFORKS, prepareRandomRuns, type RandomRun, randomRun } from '../support/engines/randomRun.ts'
import { withRandom } from '../support/random/random.ts'

/** How many programs run under all hardforks together. `.ci/run` asks for 10,000 by `PRESEAL_PROGRAMS_OF_ENGINES`. */
const PROGRAMS = Number(process.env.PRESEAL_PROGRAMS_OF_ENGINES ?? 2_500)

beforeAll(async () => {
  await Promise.all([loadSecp256k1(), prepareRandomRuns()])
})

const engines = new Map<string, readonly [wasm: Engine, ethereumjs: Engine]>()

/** EthereumJS's EVMs take long to make: one for each hardfork. */
function enginesUnder(rules: Rules): readonly [wasm: Engine, ethereumjs: Engine] {
  let both = engines.get(rules.hardfork)
  if (both === undefined) {
    both = [new WasmEngine(rules), new EthereumjsEngine(rules)]
    engines.set(rules.hardfork, both)
  }
  return both
}

function run(engine: Engine, { state, context, message }: RandomRun, watcher?: Watcher): Promise<Execution> {
  return Promise.resolve(engine.transact({ state, context, message, work: URGENT, watcher }))
}

/** Everything that a struct log shows of a step, in one line. */
function lineOf({ pc, name, gas, depth, refund, stack, memory, returnData, address }: Step): string {
  return [
    ...[address, depth, pc, name, gas, `[${stack.map((word) => word.toString(16))}]`],
    // EthereumJS shows the refund of an SSTORE before it has run, geth after.
    name === 'SSTORE' ? '' : refund,
    ...[toHex(memory), toHex(returnData)],
  ].join(' ')
}

interface Line {
  readonly text: string
  /** The gas cost of a step; absent if the instruction failed: engines then compute only a part of it. */
  cost?: bigint | undefined
}

/** Records the events of a run, line by line. */
class Lines implements Watcher {
  readonly lines: Line[] = []

  enter({ kind, from, to, value, input, gas }: Frame): void {
    this.lines.push({ text: `enter ${kind} ${from} ${to} ${value} ${toHex(input)} ${gas}` })
  }

  exit({ gasUsed, output, failure, createdAddress, isPrecompile }: FrameExit): void {
    const failed = failure === undefined ? '' : `${failure.kind}: ${failure.error}`
    this.lines.push({ text: `exit ${gasUsed} ${toHex(output)} ${failed} ${createdAddress} ${isPrecompile}` })
  }

  step(step: Step): void {
    this.lines.push({ text: lineOf(step), cost: step.cost })
  }

  fault(error: string): void {
    this.lines.at(-1)!.cost = undefined
    this.lines.push({ text: `fault ${error}` })
  }
}

/** Returns the lines without the step of an instruction that EthereumJS does not show: one that fails for its stack. */
function withoutUnseen(lines: readonly Line[], theirs: readonly Line[]): readonly Line[] {
  const at = lines.findIndex(
    ({ text }, i) => text.startsWith('fault') !== theirs[i]?.text.startsWith('fault'),
  )
  const isUnseen = theirs[at]?.text.startsWith('fault') && lines[at + 1]?.text.startsWith('fault')
  return isUnseen ? withoutUnseen(lines.toSpliced(at, 1), theirs) : lines
}

/**
 * Returns whether the run has a creation that EthereumJS gets wrong:
 * - one that reverts with data that begin with 0xef: EthereumJS takes them for code that EIP-3541 forbids, and takes all gas of
 *   the creation; go-ethereum and revm look only at code that was returned.
 * - one whose init code begins with 0xef00, the magic of EOF (EIP-3540, in no hardfork): EthereumJS does not run it, and
 *   its gas is kept; go-ethereum and revm run it, into an invalid opcode.
 */
async function hasMistakenCreation(engine: Engine, program: RandomRun): Promise<boolean> {
  const kinds: CallKind[] = []
  let isFound = false
  await run(engine, program, {
    enter({ kind, input }) {
      kinds.push(kind)
      isFound ||= kind.startsWith('CREATE') && input[0] === 0xef && input[1] === 0x00
    },
    exit({ failure, output }) {
      const isCreation = kinds.pop()!.startsWith('CREATE')
      isFound ||= isCreation && failure?.kind === 'revert' && output[0] === 0xef
    },
  })
  return isFound
}

/**
 * Returns whether a run of EthereumJS showed all its steps. At an instruction that asks for more memory than it has gas
 * for, it first copies so much memory for the listener, gigabytes at times, and throws.
 */
async function showsSteps(running: Promise<Execution>): Promise<boolean> {
  try {
    await running
    return true
  } catch (error) {
    // More than an array can have, or than the machine has left.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Of the reasons that an instruction has to fail, geth names the stack first, EthereumJS the gas. */
const REASONS = [
  // Before OUT_OF_GAS, which its text ends with.
  DEPOSIT_OUT_OF_GAS,
  OUT_OF_GAS,
  OUT_OF_RETURN_DATA,
  STACK_UNDERFLOW,
  STACK_OVERFLOW,
  WRITE_PROTECTION,
  INVALID_CODE,
  INIT_CODE_TOO_LARGE,
  PRECOMPILE_FAILED,
]
const sameReasons = (line: string): string =>
  REASONS.reduce((text, reason) => text.replace(reason, 'out of gas, or another flaw'), line)

function isSame(line: Line, other: Line | undefined, hardfork: AnyHardfork): boolean {
  if (other === undefined) return false
  // A creation without enough gas for its code succeeds without code in Frontier; EthereumJS names an error all the same.
  if (hardfork === 'frontier' && line.text.startsWith('exit')) return true
  const isSameCost = line.cost === undefined || other.cost === undefined || line.cost === other.cost
  return isSameCost && sameReasons(line.text) === sameReasons(other.text)
}

describe.each(ALL_HARDFORKS)('random programs under %s', (hardfork) => {
  it(
    'have the same outcome, gas, refunds, logs and changes in both engines',
    withRandom(async (random) => {
      for (let i = 0; i < PROGRAMS / ALL_HARDFORKS.length; i++) {
        const program = randomRun(random, hardfork)
        const [wasm, ethereumjs] = enginesUnder(program.rules)
        const one = await run(wasm, program)
        const other = await run(ethereumjs, program)
        const differences = differencesOf(program.state, one, other)
        if (differences.length > 0 && (await hasMistakenCreation(wasm, program))) continue
        expect(differences, `program ${i}`).toEqual([])
      }
    }),
  )

  it(
    'take the same steps in both engines',
    withRandom(async (random) => {
      for (let i = 0; i < PROGRAMS / 50 / ALL_HARDFORKS.length; i++) {
        const program = randomRun(random, hardfork)
        const [wasm, ethereumjs] = enginesUnder(program.rules)
        const [one, other] = [new Lines(), new Lines()]
        await run(wasm, program, one)
        if (!(await showsSteps(run(ethereumjs, program, other)))) continue
        if (await hasMistakenCreation(wasm, program)) continue
        const lines = withoutUnseen(one.lines, other.lines)
        const first = lines.findIndex((line, at) => !isSame(line, other.lines[at], hardfork))
        expect(lines[first], `program ${i}, line ${first}`).toEqual(other.lines[first])
        expect(lines.length).toBe(other.lines.length)
      }
    }),
  )
})
