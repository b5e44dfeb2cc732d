/** A revert in the modifier of a constructor is not told as wrong arguments, however the contract was compiled. */
import { describe, expect, it } from 'vitest'
import { compiled } from '../support/compilers/solidity.ts'
import { Contracts, framesOf } from '../support/compilers/solidityRuns.ts'

const SOURCE = [
  '// SPDX-License-Identifier: MIT', //                   1
  'pragma solidity ^0.8.0;', //                           2
  'contract Base {', //                                   3
  '  modifier never() {', //                              4
  '    require(false);', //                               5
  '    _;', //                                            6
  '  }', //                                               7
  '  constructor(uint256) never {}', //                   8
  '}', //                                                 9
  'contract C is Base {', //                             10
  '  constructor(uint256 a) Base(a) {}', //              11
  '}', //                                                12
].join('\n')

describe('the stack trace of a creation', () => {
  it.each([
    { viaIR: false, optimizer: false },
    { viaIR: false, optimizer: true },
    { viaIR: true, optimizer: false },
    { viaIR: true, optimizer: true },
  ])('names the modifier that reverted: %o', async (options) => {
    const contracts = await Contracts.of(compiled({ 'c.sol': SOURCE }, options))
    const { trace } = await contracts.deploy('C', { args: [1n] })
    expect([trace?.kind, trace?.message]).toEqual(['revert', 'reverted without a reason'])
    expect(framesOf(trace)[0]).toMatch(/never \(c\.sol:5\)$/)
    const { trace: wrong } = await contracts.deploy('C', { args: [] })
    expect(wrong?.kind).toBe('invalidParams')
  })
})
