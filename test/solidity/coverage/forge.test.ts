/** Coverage of the same tests and contracts, compared with `forge coverage`. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { foundryBinary, foundryVersion } from '../../../scripts/foundry.ts'
import type { FileCoverage } from '../../../src/solidity/coverage/coverage.ts'
import { PROJECT, projectCoverage } from '../../support/compilers/coverageProject.ts'

const run = promisify(execFile)
const WRAPPER = join(import.meta.dirname, '../../support/compilers/solcForForge.mjs')

/** Total coverage in percent. */
interface Summary {
  readonly lines: number
  readonly statements: number
  readonly branches: number
  readonly functions: number
}

async function forgeSummary(): Promise<Summary> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  try {
    await cp(PROJECT, folder, { recursive: true })
    const { stdout } = await run(foundryBinary('forge')!, ['coverage', '--exclude-tests', '--use', WRAPPER], {
      cwd: folder,
      env: { ...process.env, FOUNDRY_SRC: 'src', FOUNDRY_TEST: 'test', FOUNDRY_OFFLINE: 'true' },
      maxBuffer: 2 ** 26,
    })
    return totalIn(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the totals of the table. */
function totalIn(stdout: string): Summary {
  const total = stdout.split('\n').find((line) => line.startsWith('| Total'))
  const [lines, statements, branches, functions] = [...total!.matchAll(/([\d.]+)%/g)].map(([, text]) =>
    Number(text),
  )
  return { lines: lines!, statements: statements!, branches: branches!, functions: functions! }
}

const percentOf = (hits: readonly number[]) => (100 * hits.filter((count) => count > 0).length) / hits.length

/** forge does not count a missing `else`, `? :`, `&&`, `||` and cases of `switch` as branches. */
function branchesAsForge({ branchMap, b }: FileCoverage): number[] {
  return Object.entries(branchMap).flatMap(([key, { type, loc, locations }]) => {
    if (!['if', 'require', 'try'].includes(type)) return []
    const isThere = (i: number) => type !== 'if' || i === 0 || locations[i] !== loc
    return b[key]!.filter((_, i) => isThere(i))
  })
}

function summaryOf(coverage: readonly FileCoverage[]): Summary {
  const lines = coverage.flatMap(({ statementMap, s }) => {
    const most = new Map<number, number>()
    for (const [key, { start }] of Object.entries(statementMap)) {
      most.set(start.line, Math.max(most.get(start.line) ?? 0, s[key]!))
    }
    return [...most.values()]
  })
  return {
    lines: percentOf(lines),
    statements: percentOf(coverage.flatMap(({ s }) => Object.values(s))),
    branches: percentOf(coverage.flatMap(branchesAsForge)),
    functions: percentOf(coverage.flatMap(({ f }) => Object.values(f))),
  }
}

// Without forge there is nothing to compare with.
describe.skipIf(foundryVersion('forge') === undefined)('coverage of a project', { timeout: 120_000 }, () => {
  let forge: Summary
  beforeAll(async () => {
    forge = await forgeSummary()
  })

  it.each([
    ['without optimizer, as forge compiles', {}],
    ['with the optimizer', { optimizer: true }],
    ['by way of Yul', { viaIR: true }],
  ])('that is compiled %s is within two points of what forge says', async (_, options) => {
    const ours = summaryOf(Object.values(await projectCoverage(options)))
    const names = ['lines', 'statements', 'branches', 'functions'] as const
    const distances = names.map((name) => [name, Math.abs(ours[name] - forge[name])] as const)
    expect(
      distances.filter(([, distance]) => distance > 2),
      JSON.stringify({ ours, forge }),
    ).toEqual([])
  })
})
