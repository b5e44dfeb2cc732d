/** The stack trace of each kind of failure, with hand-counted lines. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Address, fromHex, toHex } from '../../src/bytes/hex.ts'
import { EthereumjsEngine } from '../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { WasmEngine } from '../../src/engine/wasm/wasmEngine.ts'
import { checksummed } from '../../src/model/account/account.ts'
import type { SolidityStackTrace } from '../../src/solidity/stackTrace/format.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'
import { Contracts, framesOf } from '../support/compilers/solidityRuns.ts'

/** Lines of the array, from 1. */
const C = [
  '// SPDX-License-Identifier: MIT', //                                      1
  'pragma solidity ^0.8.0;', //                                              2
  "import './d.sol';", //                                                    3
  'contract C is Base {', //                                                 4
  '  D d = new D();', //                                                     5
  '  error Poor(uint256 has, address who);', //                              6
  '  function reason(uint256 x) external pure {', //                         7
  '    // Grüße 🙂', //                                                      8
  '    require(x > 10, "too small");', //                                    9
  '  }', //                                                                 10
  '  function bare() external pure { require(1 > 2); }', //                 11
  '  function custom() external view { revert Poor(3, msg.sender); }', //   12
  '  function overflow(uint8 x) external pure returns (uint8) {', //        13
  '    return x +', //                                                      14
  '      200;', //                                                          15
  '  }', //                                                                 16
  '  function index(uint256 i) external returns (uint256) {', //            17
  '    list.push(1);', //                                                   18
  '    return list[i];', //                                                 19
  '  }', //                                                                 20
  '  uint256[] list;', //                                                   21
  '  function inner(uint256 x) external view { first(x); }', //             22
  '  function first(uint256 x) internal view { Lib.second(x, d); }', //     23
  '  function guarded() external only { x = 1; }', //                       24
  '  uint256 x;', //                                                        25
  '  function loop() external { while (true) {', //                         26
  '    x++;', //                                                            27
  '  } }', //                                                               28
  '  function empty(address to) external { D(to).fails(); }', //            29
  '  function deep() external { d.fails(); }', //                           30
  '  function caught() external {', //                                      31
  '    try d.fails() {} catch { revert("caught"); }', //                    32
  '  }', //                                                                 33
  '  function short(address to) external view returns (uint256) {', //      34
  '    return Wide(to).number();', //                                       35
  '  }', //                                                                 36
  '  function sendTo(address payable to) external {', //                    37
  '    to.transfer(5);', //                                                 38
  '  }', //                                                                 39
  '  function create() external returns (Failing) {', //                    40
  '    return new Failing(7);', //                                          41
  '  }', //                                                                 42
  '  function assembled() external pure {', //                              43
  '    assembly { invalid() }', //                                          44
  '  }', //                                                                 45
  '  function precompile() external view {', //                             46
  '    (bool ok,) = address(9).staticcall("");', //                         47
  '    require(ok, "blake2f");', //                                         48
  '  }', //                                                                 49
  '  function hiddenFails(Hidden h) external { h.fails(); }', //            50
  '}', //                                                                   51
].join('\n')

const D = [
  '// SPDX-License-Identifier: MIT', //                                      1
  'pragma solidity ^0.8.0;', //                                              2
  'interface Wide { function number() external view returns (uint256); }', // 3
  'library Lib {', //                                                        4
  '  function second(uint256 x, D d) internal view {', //                    5
  '    d.check(x);', //                                                      6
  '  }', //                                                                  7
  '  function direct() external { revert("library"); }', //                  8
  '}', //                                                                    9
  'abstract contract Base {', //                                            10
  '  modifier only() {', //                                                 11
  '    require(msg.sender == address(1), "not one");', //                   12
  '    _;', //                                                              13
  '  }', //                                                                 14
  '}', //                                                                   15
  'contract D {', //                                                        16
  '  function check(uint256 x) external pure {', //                         17
  '    require(x == 1, "not 1");', //                                       18
  '  }', //                                                                 19
  '  function fails() external pure { revert("D fails"); }', //             20
  '}', //                                                                   21
  'contract Failing {', //                                                  22
  '  uint256 immutable seven;', //                                          23
  '  constructor(uint256 x) {', //                                          24
  '    seven = x;', //                                                      25
  '    require(x != 7, "seven");', //                                       26
  '  }', //                                                                 27
  '}', //                                                                   28
  'contract Receiving {', //                                                29
  '  receive() external payable {', //                                      30
  '    revert("no thanks");', //                                            31
  '  }', //                                                                 32
  '  fallback() external {', //                                             33
  '    revert("what?");', //                                                34
  '  }', //                                                                 35
  '}', //                                                                   36
  'contract Proxy {', //                                                    37
  '  address immutable target;', //                                         38
  '  constructor(address to) { target = to; }', //                          39
  '  fallback() external payable {', //                                     40
  '    address to = target;', //                                            41
  '    assembly {', //                                                      42
  '      calldatacopy(0, 0, calldatasize())', //                            43
  '      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)', //    44
  '      returndatacopy(0, 0, returndatasize())', //                        45
  '      if iszero(ok) { revert(0, returndatasize()) }', //                 46
  '      return(0, returndatasize())', //                                   47
  '    }', //                                                               48
  '  }', //                                                                 49
  '}', //                                                                   50
  'contract Hidden {', //                                                   51
  '  function fails() external pure { revert("hidden"); }', //              52
  '}', //                                                                   53
  'contract Large { bytes constant x = hex"LARGE";', //                     54
  '  function all() external pure returns (bytes memory) { return x; }', // 55
  '}', //                                                                   56
]
  .join('\n')
  .replace('LARGE', 'ab'.repeat(24_600))

const compilation = compiled({ 'c.sol': C, 'd.sol': D })

const ENGINES = { wasm: WasmEngine, ethereumjs: EthereumjsEngine }

describe.each(Object.entries(ENGINES))('the stack trace, from the engine %s', (_, Engine) => {
  let contracts: Contracts
  let c: Address
  const call = (name: string, ...args: readonly unknown[]) => contracts.call(c, 'C', name, { args })
  const told = (trace: SolidityStackTrace | undefined) => [trace?.kind, trace?.message, ...framesOf(trace)]

  beforeAll(async () => {
    contracts = await Contracts.of(compilation, { engine: (rules) => new Engine(rules), hidden: ['Hidden'] })
    c = await contracts.deployed('C')
  })

  it('is none where nothing fails', async () => {
    expect(await call('reason', 11n)).toBeUndefined()
  })

  it('names the line of a require behind characters of several bytes', async () => {
    const trace = await call('reason', 1n)
    expect(told(trace)).toEqual(['revert', 'reverted with reason "too small"', 'C.reason (c.sol:9)'])
    expect(trace?.frames[0]).toMatchObject({ address: c, isModifier: false, position: { column: 5 } })
  })

  it('says that there is no reason', async () => {
    expect(told(await call('bare'))).toEqual(['revert', 'reverted without a reason', 'C.bare (c.sol:11)'])
  })

  it('decodes custom errors by the ABI of the contract', async () => {
    expect(told(await call('custom'))).toEqual([
      'customError',
      `reverted with custom error Poor(has: 3, who: ${checksummed(`0x${'5e'.repeat(20)}`)})`,
      'C.custom (c.sol:12)',
    ])
  })

  it.each([
    ['overflow', 100, 'panic 0x11: arithmetic underflow or overflow', 'C.overflow (c.sol:14)'],
    ['index', 5n, 'panic 0x32: out-of-bounds access of an array or bytesN', 'C.index (c.sol:19)'],
  ])('gives panics by their meaning: %s', async (name, argument, message, frame) => {
    expect(told(await call(name, argument))).toEqual(['panic', message, frame])
  })

  it('follows internal functions, libraries and calls of other contracts', async () => {
    expect(told(await call('inner', 5n))).toEqual([
      'revert',
      'reverted with reason "not 1"',
      'D.check (d.sol:18)',
      'C.second (d.sol:6)',
      'C.first (c.sol:23)',
      'C.inner (c.sol:22)',
    ])
  })

  it('has modifiers between the function and what failed in them', async () => {
    const trace = await call('guarded')
    expect(told(trace)).toEqual([
      'revert',
      'reverted with reason "not one"',
      'C.only (d.sol:12)',
      'C.guarded (c.sol:24)',
    ])
    expect(trace?.frames.map(({ isModifier }) => isModifier)).toEqual([true, false])
  })

  it('says of gas that was used up where it went', async () => {
    const trace = await contracts.call(c, 'C', 'loop', { gas: 200_000n })
    expect(trace?.kind).toBe('outOfGas')
    expect(trace?.message).toMatch(
      /^out of gas: [\d,]+ gas was not enough; \d\d % of the last [\d,]+ steps were in c\.sol:27$/,
    )
    expect(trace?.frames[0]).toMatchObject({ contract: 'C', function: 'loop' })
  })

  it('names an address without code at which a function was called', async () => {
    const nobody: Address = `0x${'ab'.repeat(20)}`
    expect(told(await call('empty', nobody))).toEqual([
      'nonContractAccountCalled',
      `a function was called at ${nobody}, which has no code`,
      'C.empty (c.sol:29)',
    ])
  })

  it('keeps to the failure of its own where that of a call was caught', async () => {
    expect(framesOf(await call('deep'))).toEqual(['D.fails (d.sol:20)', 'C.deep (c.sol:30)'])
    expect(told(await call('caught'))).toEqual([
      'revert',
      'reverted with reason "caught"',
      'C.caught (c.sol:32)',
    ])
  })

  it('tells data that are not of the size that a function returns', async () => {
    // Returns nothing: STOP.
    const silent: Address = `0x${'51'.repeat(20)}`
    contracts.set({ address: silent, code: Uint8Array.of(0) })
    expect(told(await call('short', silent))).toEqual([
      'returnDataSize',
      'the call returned 0 bytes, which do not decode to the return types',
      'C.short (c.sol:35)',
    ])
  })

  it('tells a call of more ether than there is', async () => {
    const { kind, message, frames } = (await call('sendTo', `0x${'ab'.repeat(20)}`))!
    expect([kind, message]).toEqual([
      'callFailed',
      'a call with 5 wei was refused, because the balance is too low',
    ])
    expect(frames[0]).toMatchObject({ function: 'sendTo', position: { line: 38 } })
  })

  it('follows creations into constructors', async () => {
    expect(told(await call('create'))).toEqual([
      'revert',
      'reverted with reason "seven"',
      'Failing.constructor (d.sol:26)',
      'C.create (c.sol:41)',
    ])
    const { trace } = await contracts.deploy('Failing', { args: [7n] })
    expect(framesOf(trace)).toEqual(['Failing.constructor (d.sol:26)'])
    expect(trace?.frames[0]?.address).toBeUndefined()
  })

  it('tells arguments that a function or constructor cannot take', async () => {
    const { output } = contractOf(compilation, 'C')
    const selector = output.evm!.methodIdentifiers!['reason(uint256)']!
    expect(told((await contracts.send(c, `0x${selector}00`)).trace)).toEqual([
      'invalidParams',
      'the arguments of reason are missing or have other types (5 bytes of call data)',
      'C.reason (c.sol:7)',
    ])
    const creation = contractOf(compilation, 'Failing').output.evm!.bytecode!.object
    expect(told((await contracts.send(undefined, `0x${creation}`)).trace)).toEqual([
      'invalidParams',
      'the arguments of the constructor are missing or have other types',
      'Failing.constructor (d.sol:24)',
    ])
  })

  it('tells ether that is not taken', async () => {
    expect(told(await contracts.call(c, 'C', 'bare', { value: 3n }))).toEqual([
      'functionNotPayable',
      'bare is not payable, and was called with 3 wei',
      'C.bare (c.sol:11)',
    ])
    const { trace } = await contracts.deploy('Failing', { args: [1n], value: 1n })
    expect(told(trace)).toEqual([
      'functionNotPayable',
      'the constructor is not payable, and was called with 1 wei',
      'Failing.constructor (d.sol:24)',
    ])
  })

  it('tells calls of functions that do not exist', async () => {
    expect(told((await contracts.send(c, '0x12345678')).trace)).toEqual([
      'unrecognizedFunctionWithoutFallback',
      'the contract has no function with the selector 0x12345678, and no fallback',
      'C (c.sol:4)',
    ])
    expect(told((await contracts.send(c, '0x')).trace)).toEqual([
      'missingFallbackOrReceive',
      'the contract was called without data, and has neither receive nor fallback',
      'C (c.sol:4)',
    ])
  })

  it('knows receive and fallback', async () => {
    const to = await contracts.deployed('Receiving')
    expect(framesOf((await contracts.send(to, '0x', { value: 1n })).trace)).toEqual([
      'Receiving.<receive> (d.sol:31)',
    ])
    expect(framesOf((await contracts.send(to, '0x01')).trace)).toEqual(['Receiving.<fallback> (d.sol:34)'])
    expect(told((await contracts.send(to, '0x01', { value: 1n })).trace)).toEqual([
      'fallbackNotPayable',
      'the fallback is not payable, and was called with 1 wei',
      'Receiving.<fallback> (d.sol:33)',
    ])
  })

  it('goes through proxies to the implementation', async () => {
    const target = await contracts.deployed('D')
    const proxy = await contracts.deployed('Proxy', { args: [target] })
    const trace = await contracts.call(proxy, 'D', 'fails')
    expect(framesOf(trace)).toEqual(['D.fails (d.sol:20)', 'Proxy.<fallback> (d.sol:44)'])
    expect(trace?.message).toBe('reverted with reason "D fails"')
  })

  it('goes through delegations of accounts (EIP-7702)', async () => {
    const target = await contracts.deployed('D')
    const account: Address = `0x${'7c'.repeat(20)}`
    contracts.set({ address: account, code: fromHex(`0xef0100${target.slice(2)}`) })
    const trace = await contracts.call(account, 'D', 'fails')
    expect(framesOf(trace)).toEqual(['D.fails (d.sol:20)'])
    expect(trace?.frames[0]?.address).toBe(account)
  })

  it('says of a library that it was called directly', async () => {
    const library = await contracts.deployed('Lib')
    const selector = contractOf(compilation, 'Lib').output.evm!.methodIdentifiers!['direct()']!
    expect(told((await contracts.send(library, `0x${selector}`)).trace)).toEqual([
      'directLibraryCall',
      'a library function was called directly; only contracts linked with the library may call it',
      'Lib.direct (d.sol:8)',
    ])
  })

  it('says of code that it is too large', async () => {
    const { trace } = await contracts.deploy('Large', { gas: 16_000_000n })
    expect(trace?.kind).toBe('contractTooLarge')
    expect(trace?.message).toMatch(/^the code of 2\d{4} bytes exceeds the size limit of contracts$/)
    expect(framesOf(trace)).toEqual(['Large.constructor (d.sol:54)'])
  })

  it('tells invalid instructions', async () => {
    expect(told(await call('assembled'))).toEqual([
      'invalidOpcode',
      'invalid opcode',
      'C.assembled (c.sol:44)',
    ])
  })

  it('gives the address alone of code that is not known', async () => {
    const hidden = await contracts.deployed('Hidden')
    const trace = await call('hiddenFails', hidden)
    expect(told(trace)).toEqual([
      'unrecognizedContract',
      'reverted with reason "hidden"',
      hidden,
      'C.hiddenFails (c.sol:50)',
    ])
    expect(toHex(trace!.returnData.subarray(0, 4))).toBe('0x08c379a0')
  })

  it('does not take a precompile that failed for the failure of what went on', async () => {
    expect(told(await call('precompile'))).toEqual([
      'revert',
      'reverted with reason "blake2f"',
      'C.precompile (c.sol:48)',
    ])
  })
})
