/** What a contract is deployed from: the code of an artifact, which may be found by the contract's name. */
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type { Compiled } from '../solidity/artifacts/compiled.ts'
import { type Libraries, type LinkReferences, linked } from '../solidity/artifacts/link.ts'
import { unexpected } from './argument.ts'
import type { Creation } from './typed.ts'
import { addressOf } from './values.ts'

/** An artifact as Foundry, Hardhat and solc write it. */
interface AnyDeployable {
  readonly bytecode?: Creation
  readonly evm?: { readonly bytecode: Creation }
  readonly linkReferences?: LinkReferences | undefined
}

/** Returns the artifact of the contract of that name. Throws a `TypeError` where it has no code. */
export async function compiledOf(name: string, artifacts: Artifacts): Promise<Compiled> {
  const { findCompiled } = await import('../solidity/artifacts/findCompiled.ts')
  const compiled = await findCompiled(name, artifacts, 'deploy')
  if (!/^(0x)?$/.test(compiled.bytecode.object)) return compiled
  throw new TypeError(
    `deploy: expected a contract that has code, got ${name}, which has none, as interfaces and abstract contracts`,
  )
}

/** Returns the code that creates a contract, with its libraries linked where the artifact says where they stand. */
export function creationOf(contract: AnyDeployable, libraries: Libraries): Creation {
  const bytecode = contract.bytecode ?? contract.evm?.bytecode
  const code = typeof bytecode === 'object' ? bytecode?.object : bytecode
  if (typeof libraries !== 'object' || libraries === null) {
    throw unexpected('deploy: libraries', 'addresses by the names of libraries, { Math: address }', libraries)
  }
  for (const [name, address] of Object.entries(libraries)) addressOf(address, `deploy: libraries.${name}`)
  const references = (typeof bytecode === 'object' && bytecode?.linkReferences) || contract.linkReferences
  return typeof code === 'string' ? linked(code, references || undefined, libraries, 'deploy') : bytecode!
}

/** Throws a `TypeError` unless `contract` has an ABI. */
export function requireDeployable(contract: unknown): void {
  if (typeof contract === 'object' && contract !== null && 'abi' in contract) return
  throw unexpected('deploy', 'what a compiler wrote of a contract, { abi, bytecode }', contract)
}
