/** OpenZeppelin's contracts (npm), some 250, compiled by the solc of npm and cached below `node_modules`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import solc from 'solc'
import { ROOT } from '../../../scripts/package/folders.ts'

const PACKAGES = join(ROOT, 'node_modules')
const FOLDER = join(PACKAGES, '.preseal/openzeppelin')

/** The standard JSON input, with the source files that `isWanted` accepts, by default all. */
export function openZeppelinInput(isWanted: (file: string) => boolean = () => true) {
  const files = readdirSync(join(PACKAGES, '@openzeppelin/contracts'), { recursive: true, encoding: 'utf8' })
  const sources = files
    .filter((file) => file.endsWith('.sol') && isWanted(file.split(sep).join('/')))
    .map((file) => join(PACKAGES, '@openzeppelin/contracts', file))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(
      sources.map((file) => [
        relative(PACKAGES, file).split(sep).join('/'),
        { content: readFileSync(file, 'utf8') },
      ]),
    ),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: {
        '*': {
          '': ['ast'],
          '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers', 'metadata'],
        },
      },
    },
  }
}

export function compileWithPackages(input: ReturnType<typeof openZeppelinInput>) {
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (path: string) => ({ contents: readFileSync(join(PACKAGES, path), 'utf8') }),
    }),
  )
  const errors = (output.errors ?? []).filter(({ severity }: { severity: string }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors[0].formattedMessage)
  return output
}

/**
 * Returns a folder of artifacts in the form of Hardhat 2, with one file of build info of all of OpenZeppelin's contracts. The first call
 * compiles for half a minute.
 */
export function openZeppelinArtifacts(): string {
  const { version } = createRequire(import.meta.url)('@openzeppelin/contracts/package.json')
  const compiler = solc.version().split('.Emscripten')[0]!
  const folder = join(FOLDER, `${version}-${compiler}`, 'artifacts')
  const file = join(folder, 'build-info', 'all.json')
  if (existsSync(file)) return folder
  const input = openZeppelinInput()
  const output = compileWithPackages(input)
  const text = JSON.stringify({
    id: 'all',
    _format: 'hh-sol-build-info-1',
    solcVersion: compiler.split('+')[0],
    solcLongVersion: compiler,
    input,
    output,
  })
  mkdirSync(dirname(file), { recursive: true })
  // Renamed, so that other processes find no partial file.
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
  return folder
}
