/** Small Solidity sources, compiled in the test with the solc that this project develops with. */
import solc from 'solc'
import type { Compilation, CompiledContract } from '../../../src/solidity/artifacts/compilation.ts'
import type { SolcOutput } from '../../../src/solidity/artifacts/solcJson.ts'

export interface CompileOptions {
  readonly optimizer?: boolean
  readonly viaIR?: boolean
}

/** Compiles sources by their names. Throws with what the compiler says where they are wrong. */
export function compiled(
  sources: Readonly<Record<string, string>>,
  { optimizer = false, viaIR = false }: CompileOptions = {},
): Compilation {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: {
      optimizer: { enabled: optimizer, runs: 200 },
      viaIR,
      evmVersion: 'cancun',
      outputSelection: {
        '*': {
          '*': [
            'abi',
            'storageLayout',
            'transientStorageLayout',
            'evm.bytecode',
            'evm.deployedBytecode',
            'evm.methodIdentifiers',
          ],
          '': ['ast'],
        },
      },
    },
  }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const solcVersion = solc.version().split('+')[0] ?? ''
  return { solcVersion, input, output, pathOf: (name) => name }
}

/** Returns the contract `name`, of whichever source. Throws where there is none. */
export function contractOf(compilation: Compilation, name: string): CompiledContract {
  for (const [sourceName, contracts] of Object.entries(compilation.output.contracts ?? {})) {
    const output = contracts[name]
    if (output !== undefined) return { compilation, sourceName, name, output }
  }
  throw new Error(`expected a contract ${name} in the sources, got none`)
}
