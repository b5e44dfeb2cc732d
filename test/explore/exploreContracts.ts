/** The contracts of fixtures/explore, compiled once for a test file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/package/folders.ts'
import type { Deployable } from '../../src/client/parameters.ts'
import type { Abi } from '../../src/solidity/abi/contract.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'

/** Returns a function that finds the artifact of a contract of `fixtures/explore/FILE.sol`. */
export function contractsOf(file: string) {
  const compilation = compiled(
    {
      [`${file}.sol`]: readFileSync(join(ROOT, 'fixtures/explore', `${file}.sol`), 'utf8'),
    },
    { optimizer: true },
  )
  return (name: string): Deployable<Abi> => {
    const { abi = [], evm } = contractOf(compilation, name).output
    return { abi, bytecode: `0x${evm!.bytecode!.object}` }
  }
}
