/** The project of `fixtures/coverage`: contracts, and tests of them in Solidity, which forge runs too. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectHits, reportHits } from '../../../src/engine/hits.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import type { Compilation, FindCode } from '../../../src/solidity/artifacts/compilation.ts'
import { linked } from '../../../src/solidity/artifacts/link.ts'
import type { SolcBytecode } from '../../../src/solidity/artifacts/solcJson.ts'
import { type CodeHits, CollectedCode } from '../../../src/solidity/coverage/codeHits.ts'
import type { FileCoverage } from '../../../src/solidity/coverage/coverage.ts'
import { coverageOf } from '../../../src/solidity/coverage/coverage.ts'
import { type CompileOptions, compiled } from './solidity.ts'

export const PROJECT = join(import.meta.dirname, '../../../fixtures/coverage')

/** Returns the sources of the project by their names. */
export function projectSources(): Record<string, string> {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder)).map((name) => `${folder}/${name}`),
  )
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(PROJECT, name), 'utf8')]))
}

export function compiledProject(options: CompileOptions): Compilation {
  return compiled(projectSources(), options)
}

/** Runs each test of each test contract, on a state of its own as forge does. Returns what ran. */
export async function hitsOfTests(compilation: Compilation): Promise<CodeHits[]> {
  const collected = new CollectedCode()
  collectHits(collected)
  try {
    await runTests(compilation)
    reportHits()
    return collected.hits()
  } finally {
    collectHits(undefined)
  }
}

async function runTests(compilation: Compilation): Promise<void> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  try {
    const library = await devnet.deploy({
      abi: [],
      bytecode: codeOf(compilation, 'src/MathLib.sol', 'MathLib'),
    })
    const libraries = { MathLib: library.address }
    for (const [source, contracts] of Object.entries(compilation.output.contracts!)) {
      for (const [name, { evm }] of Object.entries(contracts)) {
        const signatures = Object.keys(evm?.methodIdentifiers ?? {})
        const tests = signatures.filter((signature) => signature.startsWith('test'))
        const bytecode = tests.length === 0 ? '0x' : codeOf(compilation, source, name, libraries)
        for (const test of tests) {
          const { address } = await devnet.deploy({ abi: [], bytecode })
          await devnet.deal(address, { wei: 10n ** 20n })
          if (signatures.includes('setUp()')) await call(devnet, address, 'setUp')
          await call(devnet, address, test.slice(0, -2))
        }
      }
    }
  } finally {
    await devnet.close()
  }
}

function codeOf(
  { output }: Compilation,
  source: string,
  name: string,
  libraries: Record<string, string> = {},
): `0x${string}` {
  const { object, linkReferences } = output.contracts![source]![name]!.evm!.bytecode!
  const needed = Object.values(linkReferences ?? {}).some((one) => Object.keys(one).length > 0)
  return `0x${needed ? linked(object, linkReferences, libraries, name) : object}`
}

async function call(devnet: Devnet, address: `0x${string}`, functionName: string): Promise<void> {
  const abi = [
    { type: 'function', name: functionName, inputs: [], outputs: [], stateMutability: 'nonpayable' },
  ] as const
  await devnet.write({ abi, address, functionName })
}

/** Returns what finds the contracts of `compilation`: immutables and addresses of libraries are not compared. */
export function findIn(compilation: Compilation): FindCode {
  const all = Object.entries(compilation.output.contracts ?? {}).flatMap(([sourceName, contracts]) =>
    Object.entries(contracts).map(([name, output]) => ({
      contract: { compilation, sourceName, name, output },
      creation: patternOf(output.evm?.bytecode),
      runtime: patternOf(output.evm?.deployedBytecode),
    })),
  )
  return (code, isCreation) => {
    const digits = Buffer.from(code).toString('hex')
    const found = all.find(({ creation, runtime }) =>
      isCreation ? fits(creation, digits) : runtime.length === digits.length && fits(runtime, digits),
    )
    return found && { kind: 'contract', contract: found.contract }
  }
}

/** The digits of code, with points where any may stand. */
function patternOf(bytecode: SolcBytecode | undefined): string {
  let digits = (bytecode?.object ?? '').replaceAll(/__\$.{34}\$__/g, ANY_ADDRESS)
  for (const { start, length } of Object.values(bytecode?.immutableReferences ?? {}).flat()) {
    digits = `${digits.slice(0, 2 * start)}${'.'.repeat(2 * length)}${digits.slice(2 * (start + length))}`
  }
  // A library has its own address at its beginning.
  return digits.replace(/^730{40}/, `73${ANY_ADDRESS}`)
}

const ANY_ADDRESS = '.'.repeat(40)

function fits(pattern: string, digits: string): boolean {
  if (pattern === '' || digits.length < pattern.length) return false
  for (let i = 0; i < pattern.length; i++) if (pattern[i] !== '.' && pattern[i] !== digits[i]) return false
  return true
}

/** Returns the coverage of the project's own sources, compiled as `options` say, by its tests. */
export async function projectCoverage(options: CompileOptions): Promise<Record<string, FileCoverage>> {
  const compilation = compiledProject(options)
  return coverageOf(await hitsOfTests(compilation), {
    compilations: [compilation],
    find: findIn(compilation),
    counts: (path) => path.startsWith('src/'),
  })
}
