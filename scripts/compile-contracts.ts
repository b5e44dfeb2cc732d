/**
 * Compiles fixtures/contracts/*.sol and writes `<Name>.ts` beside each source: its ABI and bytecodes. Also writes
 * fixtures/artifacts/market.json, the compilation of the contracts of fixtures/demo.ts with sources, syntax trees and layouts.
 * With --check it writes nothing and exits with 1 if a file differs from the compiler's output.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import solc from 'solc'
import { formatted, type Generated, writeGenerated } from './generated.ts'
import { ROOT } from './package/folders.ts'

const folder = 'fixtures/contracts'

/** The contracts in the recorded compilation: those of the market, and the shop. */
const RECORDED = ['Emitter', 'Pool', 'Reverter', 'Shop', 'Store', 'Token']

/** Expected warnings: SELFDESTRUCT is deprecated (5159), and Store.sol tests it. */
const silenced = new Set(['5159'])

interface Output {
  errors?: { severity: 'error' | 'warning' | 'info'; errorCode?: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, Artifact>>
  sources?: object
}

interface Artifact {
  abi: unknown[]
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}

const sources = readSources()
const modules = compile(sources)
const written = writeGenerated([...modules, recordedCompilation(sources)], 'npm run compile')
if (process.exitCode === undefined) {
  console.log(`${modules.length} contracts compiled with solc ${version()}, ${written} files written`)
}

function readSources(): Map<string, string> {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.sol'))
  if (names.length === 0) fail(`no *.sol in ${folder}`)
  return new Map(names.sort().map((name) => [name, readFileSync(join(ROOT, folder, name), 'utf8')]))
}

/** Bytecode must not depend on the machine: no metadata hash, a fixed EVM version. */
function inputOf(sources: Map<string, string>, outputSelection: object) {
  return {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([name, content]) => [name, { content }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      metadata: { bytecodeHash: 'none' },
      outputSelection,
    },
  }
}

function outputOf(input: object): Output {
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)))
  report(output.errors ?? [])
  return output
}

/** The modules to write. */
function compile(sources: Map<string, string>): Generated[] {
  const selection = { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }
  const output = outputOf(inputOf(sources, selection))
  return [...sources.keys()].map((file) => {
    const name = basename(file, '.sol')
    const artifact = output.contracts?.[file]?.[name]
    if (!artifact?.evm.bytecode.object) fail(`${folder}/${file}: no contract ${name}, expected one with code`)
    const path = `${folder}/${name}.ts`
    return { path, text: formatted(path, moduleText(name, artifact)) }
  })
}

/** Input and output of solc in one file. Compiled apart, because ids in syntax trees depend on all compiled sources. */
function recordedCompilation(sources: Map<string, string>): Generated {
  const named = RECORDED.map((name) => [`${folder}/${name}.sol`, sources.get(`${name}.sol`)!] as const)
  const code = ['object', 'sourceMap', 'functionDebugData']
  const input = inputOf(new Map(named), {
    '*': {
      '': ['ast'],
      '*': [
        'abi',
        'storageLayout',
        ...code.flatMap((what) => [`evm.bytecode.${what}`, `evm.deployedBytecode.${what}`]),
      ],
    },
  })
  const { contracts, sources: trees } = outputOf(input)
  const recorded = { solcVersion: version(), input, output: { contracts, sources: trees } }
  return { path: 'fixtures/artifacts/market.json', text: `${JSON.stringify(recorded)}\n` }
}

function report(messages: NonNullable<Output['errors']>) {
  const heard = messages.filter(({ errorCode }) => !silenced.has(errorCode ?? ''))
  for (const { formattedMessage } of heard) console.error(formattedMessage)
  const errors = heard.filter(({ severity }) => severity === 'error').length
  if (errors > 0) fail(`${folder}: ${errors} compile error${errors === 1 ? '' : 's'}, nothing written`)
}

function moduleText(name: string, { abi, evm }: Artifact): string {
  return `// Compiled from ${name}.sol by scripts/compile-contracts.ts with solc ${version()}; do not edit.
export const ${name} = {
  abi: ${JSON.stringify(abi)},
  bytecode: '0x${evm.bytecode.object}',
  deployedBytecode: '0x${evm.deployedBytecode.object}',
} as const
`
}

/** solc's version without its commit and platform: 0.8.37. */
function version(): string {
  return solc.version().split('+')[0] ?? ''
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
