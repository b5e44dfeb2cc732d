/** Which contract of one compilation code belongs to: what a project's artifacts would say. */
import type { CodeMatch, Compilation, CompiledContract, FindCode } from '../../src/artifacts/compilation.ts'
import type { SolcBytecode } from '../../src/artifacts/solcJson.ts'

/** Contracts with such names are left out, as in Hardhat's tests: they are code that nobody knows. */
const IGNORED = /^Ignored/

/** Returns what finds the contracts of `compilation`. */
export function findIn(compilation: Compilation): FindCode {
  const contracts = contractsOf(compilation).filter(({ name }) => !IGNORED.test(name))
  const patterns = new Map<SolcBytecode, Pattern>()
  const patternOf = (bytecode: SolcBytecode) => {
    const pattern = patterns.get(bytecode) ?? toPattern(bytecode)
    patterns.set(bytecode, pattern)
    return pattern
  }
  return (code, isCreation): CodeMatch | undefined => {
    const fitting = contracts.filter(({ output: { evm } }) => {
      const bytecode = isCreation ? evm?.bytecode : evm?.deployedBytecode
      return bytecode !== undefined && bytecode.object !== '' && fits(code, patternOf(bytecode), isCreation)
    })
    // The longest: a creation begins with the code of one that is shorter, where that is all there is.
    const longest = Math.max(...fitting.map((one) => lengthOf(one, isCreation)))
    const [first, ...others] = fitting.filter((one) => lengthOf(one, isCreation) === longest)
    if (first === undefined) return undefined
    return others.length === 0
      ? { kind: 'contract', contract: first }
      : { kind: 'ambiguous', contracts: [first, ...others] }
  }
}

export function contractsOf(compilation: Compilation): readonly CompiledContract[] {
  return Object.entries(compilation.output.contracts ?? {}).flatMap(([sourceName, contracts]) =>
    Object.entries(contracts).map(([name, output]) => ({ compilation, sourceName, name, output })),
  )
}

/** Code, and which bytes of it are the same wherever it runs. */
interface Pattern {
  readonly bytes: Uint8Array
  readonly isFixed: Uint8Array
}

const PUSH20 = 0x73

function toPattern({ object, immutableReferences = {}, linkReferences = {} }: SolcBytecode): Pattern {
  const bytes = Buffer.from(object.replace(/[^0-9a-fA-F]/g, '0'), 'hex')
  const isFixed = new Uint8Array(bytes.length).fill(1)
  const linked = Object.values(linkReferences).flatMap((libraries) => Object.values(libraries).flat())
  for (const { start, length } of [...Object.values(immutableReferences).flat(), ...linked]) {
    isFixed.fill(0, start, start + length)
  }
  // The code of a library begins with its own address.
  if (bytes[0] === PUSH20) isFixed.fill(0, 1, 21)
  return { bytes, isFixed }
}

function fits(code: Uint8Array, { bytes, isFixed }: Pattern, isCreation: boolean): boolean {
  if (isCreation ? code.length < bytes.length : code.length !== bytes.length) return false
  return bytes.every((byte, i) => byte === code[i] || isFixed[i] === 0)
}

function lengthOf({ output: { evm } }: CompiledContract, isCreation: boolean): number {
  return ((isCreation ? evm?.bytecode : evm?.deployedBytecode)?.object ?? '').length
}
