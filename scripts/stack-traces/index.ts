/**
 * Plays Hardhat's cases of stack traces (hardhat-tests, `stack-traces/test-files`) with versions of solc from npm, and
 * reports those that differ. Exits with 1 if fewer agree than required or a line is wrong, with 2 for a wrong folder or command
 * line.
 */
import { existsSync } from 'node:fs'
import { folderAndFlags, Unplayable } from '../commandLine.ts'
import { type Case, casesFor, inputOf } from './cases.ts'
import { type Difference, differences } from './compare.ts'
import { allCompilers, type Compiler, compilerOf, nameOf, USUAL } from './compilers.ts'
import { play } from './play.ts'
import { Solc } from './solc.ts'

const USAGE = `usage: npm run stack-traces -- FOLDER [--all] [--solc VERSION]… [--only TEXT] [--least SHARE]
  FOLDER   the folder with 0_5, 0_6, 0_7 and 0_8
  --all    plays all versions of solc, not only ${USUAL.map(nameOf).join(', ')}
  --solc   plays this version, such as 0.8.35, 0.8.35-ir, 0.8.35-optimized or 0.8.35-irOptimized
  --only   plays cases whose names have this text in them
  --least  the share of cases that must agree, 0.95 by default`

/** Cases that differ by design, and why. */
const DEVIATIONS: readonly { readonly name: RegExp; readonly why: string }[] = [
  {
    name: /different-contracts-same-deployment-bytecode$/,
    why: 'two contracts have the same code: both are named, and none is guessed',
  },
  {
    name: /modifiers\/call-message\/modifier-private-method$/,
    why: 'Hardhat gives receive no name where it calls another function; here it is <receive> everywhere',
  },
  {
    name: /no-calls\/multiple-modifiers$/,
    why: 'in optimized code a function and its modifier that revert with the same reason are one piece of code: the function is named',
  },
]

const OPTIONS = {
  all: { type: 'boolean', default: false },
  solc: { type: 'string', multiple: true },
  only: { type: 'string', default: '' },
  least: { type: 'string', default: '0.95' },
} as const

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Unplayable)) throw error
  console.error(`stack-traces: ${error.message}`)
  return 2
})

async function main(args: readonly string[]): Promise<0 | 1> {
  const { folder, values } = folderAndFlags(args, OPTIONS, USAGE)
  if (!(Number(values.least) <= 1)) throw new Unplayable(USAGE)
  if (!existsSync(folder)) throw new Unplayable(`${folder} is not there: nothing was played`)
  const named = values.solc?.map(compilerOf)
  if (named?.includes(undefined)) {
    throw new Unplayable(
      `expected --solc with a version such as 0.8.35 or 0.8.35-ir, got ${values.solc}\n${USAGE}`,
    )
  }
  const compilers = (named as Compiler[] | undefined) ?? (values.all ? allCompilers() : USUAL)
  let isGood = true
  let total = 0
  for (const compiler of compilers) {
    const { cases, agree, wrong, report } = await playWith(compiler, folder, values.only)
    total += cases
    const share = cases === 0 ? 1 : agree / cases
    console.log(report)
    if (share < Number(values.least) || wrong > 0) isGood = false
  }
  if (total === 0) {
    throw new Unplayable(`no case in ${folder} fits: expected folders 0_5 to 0_8 with test.json and sources`)
  }
  return isGood ? 0 : 1
}

async function playWith(compiler: Compiler, folder: string, only: string) {
  const solc = new Solc(compiler.version)
  const cases = casesFor(folder, compiler).filter(({ name }) => name.includes(only))
  const counts = new Map<string, number>()
  const lines: string[] = []
  let agree = 0
  let wrong = 0
  try {
    for (const one of cases) {
      const found = await differencesOf(one, compiler, solc)
      if (found.length === 0) {
        agree++
        continue
      }
      const [{ what, detail }] = found as readonly [Difference]
      const deviation = DEVIATIONS.find(({ name }) => name.test(one.name))?.why
      counts.set(what, (counts.get(what) ?? 0) + 1)
      if (what === 'wrong line' && deviation === undefined) wrong++
      const known = deviation === undefined ? '' : ` (known: ${deviation})`
      lines.push(`  ${one.name}: ${what}${known}: ${detail}`)
    }
  } finally {
    solc.close()
  }
  const kinds = [...counts].map(([what, count]) => `${what} ${count}`).join(', ')
  const report = [
    ...lines,
    `solc ${nameOf(compiler)}: ${agree} of ${cases.length} agree${kinds && `; ${kinds}`}`,
  ]
  return { cases: cases.length, agree, wrong, report: report.join('\n') }
}

async function differencesOf(one: Case, compiler: Compiler, solc: Solc): Promise<readonly Difference[]> {
  const input = inputOf(one, compiler)
  const output = await solc.compile(input)
  const error = output.errors?.find(({ severity }) => severity === 'error')
  if (error !== undefined) return [{ what: 'outcome', detail: `not compiled: ${error.formattedMessage}` }]
  try {
    const compilation = { solcVersion: compiler.version, input, output, pathOf: (name: string) => name }
    return differences(one.definition, await play(one.definition, compilation), compiler)
  } catch (problem) {
    if (!(problem instanceof Unplayable)) throw problem
    return [{ what: 'outcome', detail: problem.message }]
  }
}
