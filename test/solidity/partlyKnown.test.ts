/** Stack traces with incomplete artifacts, and the cost of recording a run. */
import { describe, expect, it } from 'vitest'
import type { Compilation } from '../../src/solidity/artifacts/compilation.ts'
import type { SolcOutput } from '../../src/solidity/artifacts/solcJson.ts'
import { Trail } from '../../src/solidity/stackTrace/callRecorder.ts'
import { recordRun } from '../../src/solidity/stackTrace/stackTrace.ts'
import { compiled } from '../support/compilers/solidity.ts'
import { Contracts, framesOf } from '../support/compilers/solidityRuns.ts'

const SOURCE = [
  '// SPDX-License-Identifier: MIT', //                          1
  'pragma solidity ^0.8.0;', //                                  2
  'contract C {', //                                             3
  '  error Poor(uint256 has);', //                               4
  '  D d = new D();', //                                         5
  '  function test(uint256 x) external view {', //               6
  '    if (x == 1) revert Poor(x);', //                          7
  '    inner(x);', //                                            8
  '  }', //                                                      9
  '  function inner(uint256 x) internal view { d.fail(x); }', // 10
  '}', //                                                       11
  'contract D {', //                                            12
  '  function fail(uint256 x) external pure {', //              13
  '    require(x == 0, "no");', //                              14
  '    while (true) {}', //                                     15
  '  }', //                                                     16
  '}', //                                                       17
].join('\n')

const compilation = compiled({ 'c.sol': SOURCE })

/** The compilation without some members of its output. */
function without(...members: readonly string[]): Compilation {
  const text = JSON.stringify(compilation.output, (key, value) => (members.includes(key) ? undefined : value))
  return { ...compilation, output: JSON.parse(text) as SolcOutput }
}

async function tracesOf(known: Compilation) {
  const said: string[] = []
  const contracts = await Contracts.of(known, { onProblem: (problem) => said.push(problem) })
  const c = await contracts.deployed('C')
  const test = (x: bigint) => contracts.call(c, 'C', 'test', { args: [x], gas: 200_000n })
  return { own: await test(1n), called: await test(2n), outOfGas: await test(0n), said }
}

describe('the stack trace', () => {
  it('has lines without names of functions where syntax trees are missing', async () => {
    const { own, called, said } = await tracesOf(without('ast'))
    expect(said).toEqual([
      'artifacts: stack traces show no function names of c.sol:C: its syntax tree is missing; ' +
        'add "": ["ast"] to solc\'s outputSelection, or compile with forge build --build-info',
    ])
    expect([own?.kind, own?.message, ...framesOf(own)]).toEqual([
      'customError',
      'reverted with custom error Poor(has: 1)',
      'C (c.sol:7)',
    ])
    expect(framesOf(called)).toEqual(['D (c.sol:14)', 'C (c.sol:10)', 'C (c.sol:8)'])
  })

  it('has the functions that were called where source maps are missing', async () => {
    const { own, called, outOfGas, said } = await tracesOf(without('ast', 'sourceMap'))
    expect(said).toEqual([
      'artifacts: stack traces show no lines of c.sol:C: its source map is missing; add evm.bytecode and ' +
        "evm.deployedBytecode to solc's outputSelection, or compile with forge build --build-info",
    ])
    expect([own?.kind, own?.message, ...framesOf(own)]).toEqual([
      'customError',
      'reverted with custom error Poor(has: 1)',
      'C.test',
    ])
    expect([called?.kind, called?.message, ...framesOf(called)]).toEqual([
      'revert',
      'reverted with reason "no"',
      'D.fail',
      'C.test',
    ])
    expect(outOfGas?.kind).toBe('outOfGas')
    expect(framesOf(outOfGas)[0]).toBe('D.fail')
  })

  it('has functions without lines where texts are missing', async () => {
    const { called } = await tracesOf({
      ...compilation,
      input: { language: 'Solidity', sources: { 'c.sol': {} } },
    })
    expect(framesOf(called)).toEqual(['D.fail', 'C.inner', 'C.test'])
    expect(called?.frames[0]?.file).toBe('c.sol')
  })
})

describe('a recording', () => {
  it('has nothing before the run is over', () => {
    expect(recordRun().finished()).toBeUndefined()
  })

  it('keeps all jumps of a long run, and of the other steps the last', () => {
    const trail = new Trail()
    const JUMP = 0x56
    const JUMPDEST = 0x5b
    // In a million steps, every thousandth is a jump.
    for (let i = 0; i < 1_000_000; i++) trail.push(i % 20_000, i % 1_000 === 0 ? JUMP : JUMPDEST)
    expect(trail.length).toBe(1_000_000)
    expect(trail.first).toBeGreaterThan(900_000)
    expect(trail.pc(0)).toBeUndefined()
    expect(trail.pc(999_999)).toBe(19_999)
    expect(trail.pc(1_000_000)).toBeUndefined()
    const jumps: (readonly [number, number | undefined])[] = []
    trail.eachJump((...jump) => jumps.push(jump))
    expect(jumps.length).toBe(1_000)
    expect(jumps[1]).toEqual([1_000, 1_001])
    expect(trail.isComplete).toBe(true)
  })
})
