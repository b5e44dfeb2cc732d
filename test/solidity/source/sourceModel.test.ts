/** Files, contracts and functions of a compilation. */
import { describe, expect, it } from 'vitest'
import type { Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import { instructionsOf } from '../../../src/solidity/source/instructions.ts'
import { type SourceFunction, sourceModelOf } from '../../../src/solidity/source/sourceModel.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'

const BASE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Grüße 🙂
function twice(uint x) pure returns (uint) { return x * 2; }
interface Named { function name() external view returns (string memory); }
abstract contract Base {
  uint public total;
  modifier small(uint x) { require(x < 10); _; }
  function missing() public virtual;
  function add(uint x) public virtual small(x) { total += twice(x); }
  receive() external payable { total = 2; }
}
`
const TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import './Base.sol';
library Math { function half(uint x) internal pure returns (uint) { return x / 2; } }
contract Token is Base {
  constructor() { total = 1; }
  function missing() public override { total = Math.half(total); }
  function add(uint x) public override { super.add(x); }
  function add(uint x, address to) public payable { to; total = x; }
  fallback() external { total = 3; }
}
`
const OTHER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
function three() pure returns (uint) { return 3; }
`
const compilation = compiled({ 'Base.sol': BASE, 'Token.sol': TOKEN })
const model = sourceModelOf(compilation)
const token = model.contract({ sourceName: 'Token.sol', name: 'Token' })!
const lineOf = (one: SourceFunction | undefined) => one?.file.lines?.at(one.range.start).line
const selectorOf = (signature: string) =>
  contractOf(compilation, 'Token').output.evm!.methodIdentifiers![signature]!

describe('the source model', () => {
  it('lists the functions of a file that have a body, with modifiers and getters', () => {
    const base = [...model.files].find(({ name }) => name === 'Base.sol')!
    expect(base.functions.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'freeFunction twice',
      'getter total',
      'modifier small',
      'function add',
      'receive ',
    ])
  })

  it('counts lines behind characters of several bytes', () => {
    expect(lineOf(token.functionOf(selectorOf('total()')))).toBe(7)
  })

  it('linearizes bases, itself first', () => {
    expect(token.linearized.map(({ name }) => name)).toEqual(['Token', 'Base'])
    expect(token.constructorFunction?.kind).toBe('constructor')
    expect(lineOf(token.receive)).toBe(11)
    expect(token.fallback?.contract?.name).toBe('Token')
  })

  it('finds functions by their selectors: the nearest, and of those with one name the right', () => {
    expect(lineOf(token.functionOf(selectorOf('add(uint256)')))).toBe(8)
    expect(lineOf(token.functionOf(selectorOf('add(uint256,address)')))).toBe(9)
    expect(token.functionOf(selectorOf('add(uint256,address)'))?.isPayable).toBe(true)
    expect(token.functionOf('00000000')).toBeUndefined()
  })

  it('finds them without the selectors of newer syntax trees', () => {
    const bare: Compilation = { ...compilation, output: JSON.parse(withoutSelectors(compilation)) }
    const old = sourceModelOf(bare).contract({ sourceName: 'Token.sol', name: 'Token' })!
    for (const signature of ['add(uint256)', 'add(uint256,address)', 'total()', 'missing()']) {
      const selector = selectorOf(signature)
      expect([signature, lineOf(old.functionOf(selector))]).toEqual([
        signature,
        lineOf(token.functionOf(selector)),
      ])
    }
  })

  it('says which function and contract an instruction belongs to', () => {
    const { output } = contractOf(compilation, 'Token')
    const names = new Set<string>()
    for (const { range } of instructionsOf(output.evm!.deployedBytecode!)) {
      const one = range && model.functionAt(range)
      if (one !== undefined) names.add(`${one.contract?.name}.${one.name || one.kind}`)
    }
    expect([...names].sort()).toEqual([
      'Base.add',
      'Base.receive',
      'Base.small',
      'Base.total',
      'Math.half',
      'Token.add',
      'Token.fallback',
      'Token.missing',
      'undefined.twice',
    ])
  })

  it('reads only the syntax trees of the files with the contracts and functions asked for', () => {
    const { output } = compiled({ 'A.sol': OTHER, 'Base.sol': BASE, 'Token.sol': TOKEN, 'Z.sol': OTHER })
    const read: string[] = []
    const sources = Object.fromEntries(
      Object.entries(output.sources!).map(([name, { id, ast }]) => {
        const get = () => {
          read.push(name)
          return ast
        }
        return [name, Object.defineProperty({ id }, 'ast', { get })]
      }),
    )
    const unitId = (name: string) => output.sources![name]?.ast?.id
    const lazy = sourceModelOf({ ...compilation, output: { ...output, sources }, unitId })
    const contract = lazy.contract({ sourceName: 'Token.sol', name: 'Token' })!
    expect(new Set(read)).toEqual(new Set(['Token.sol']))
    const { receive } = contract
    expect(lineOf(receive)).toBe(11)
    expect(lazy.functionById(receive!.node.id)).toBe(receive)
    expect(lazy.functionById(receive!.contract!.id)).toBeUndefined()
    expect(new Set(read)).toEqual(new Set(['Token.sol', 'Base.sol']))
  })

  it('does without syntax trees and texts', () => {
    const output = { sources: { 'Token.sol': { id: 0 } }, contracts: {} }
    const bare = sourceModelOf({ ...compilation, input: { language: 'Solidity', sources: {} }, output })
    expect(bare.file(0)?.functions).toEqual([])
    expect(bare.file(0)?.lines).toBeUndefined()
    expect(bare.contract({ sourceName: 'Token.sol', name: 'Token' })).toBeUndefined()
  })
})

function withoutSelectors({ output }: Compilation): string {
  return JSON.stringify(output, (key, value) => (key === 'functionSelector' ? undefined : value))
}
