/** Stack traces of optimized code, compared with the exact lines of the same code without the optimizer. */
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import type { SolidityStackTrace } from '../../src/solidity/stackTrace/format.ts'
import { type CompileOptions, compiled } from '../support/compilers/solidity.ts'
import { Contracts } from '../support/compilers/solidityRuns.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Maths {
  error Odd();
  function half(uint256 x) internal pure returns (uint256) {
    if (x % 2 == 1) revert Odd();
    return x / 2;
  }
  function twice(uint256 x) internal pure returns (uint256) {
    return x * 2;
  }
}

contract Other {
  uint256 public sum;
  function add(uint256 x) external returns (uint256) {
    require(x < 100, 'large');
    sum += x;
    return sum;
  }
  function sub(uint256 x) external returns (uint256) {
    sum -= x;
    require(x != 3);
    return sum;
  }
}

contract C {
  error Same();
  error With(uint256 x);
  Other immutable other;
  uint256[] list;
  mapping(uint256 => uint256) balances;

  constructor(uint256 x) {
    require(x != 1, 'one');
    if (x == 2) revert Same();
    other = new Other();
    if (x == 3) revert Same();
  }

  modifier small(uint256 x) {
    require(x < 50, 'same');
    _;
    require(x != 49, 'same');
  }

  // Equal code, which the optimizer merges.
  function equal(uint256 x) external pure returns (uint256) {
    require(x != 1);
    uint256 y = x * 3;
    require(y != 6);
    if (x == 3) revert();
    if (x == 4) {
      revert();
    }
    require(x != 5, 'same');
    require(y != 18, 'same');
    if (x == 7) revert Same();
    if (x == 8) revert Same();
    if (x == 9) revert With(x);
    if (x == 10) revert With(x);
    return y;
  }

  // Equal functions.
  function first(uint256 x) external pure returns (uint256) {
    require(x > 5, 'few');
    return x;
  }
  function second(uint256 x) external pure returns (uint256) {
    require(x > 5, 'few');
    return x;
  }

  function inner(uint256 x) internal small(x) returns (uint256) {
    if (x == 7) revert Same();
    balances[x] -= x == 8 ? 1 : 0;
    return Maths.half(x) + nested(x);
  }
  function nested(uint256 x) internal pure returns (uint256) {
    require(x != 12, 'nested');
    assert(x != 14);
    return 100 / (x == 16 ? 0 : 2);
  }
  function outer(uint256 x) external returns (uint256) {
    uint256 y = inner(x);
    y += inner(x + 2);
    return y + Maths.twice(x);
  }

  function loop(uint256 x) external returns (uint256 y) {
    for (uint256 i = 0; i < 20; i++) {
      y += i;
      require(i < x, 'end');
      if (i > 4) {
        list.push(i);
        require(list.length < 8);
      }
    }
    assert(x != 30);
    require(x != 31);
  }

  function calls(uint256 x) external returns (uint256) {
    other.add(x);
    uint256 y = other.add(x + 5);
    other.sub(x == 10 ? 50 : 1);
    return y + other.sub(x == 20 ? 3 : 1);
  }

  function indexes(uint256 x) external returns (uint256) {
    uint256[3] memory fixed_ = [x, x + 1, x + 2];
    list.push(x);
    uint256 y = list[x];
    y += fixed_[x == 0 ? 3 : 1];
    list.pop();
    list.pop();
    return y;
  }

  function low(address to, uint256 x) external returns (bytes memory) {
    (bool ok, bytes memory data) = to.call(abi.encodeWithSelector(Other.add.selector, x));
    require(ok, 'call failed');
    (uint256 y) = abi.decode(data, (uint256));
    if (y == 7) revert With(y);
    return data;
  }

  function attempts(uint256 x) external returns (uint256 y) {
    try other.add(x) returns (uint256 z) {
      y = z;
      require(z != 6, 'six');
    } catch Error(string memory reason) {
      revert(reason);
    } catch {
      revert Same();
    }
  }

  function narrow(uint256 x) external pure returns (uint8) {
    uint8 y = uint8(x);
    y += 250;
    return y - 251;
  }

  fallback() external {
    require(msg.data.length > 8, 'short');
    revert Same();
  }
}
`

const numbers = (to: number) => Array.from({ length: to }, (_, i) => BigInt(i))
const CALLS: readonly (readonly [name: string, args: readonly (readonly unknown[])[]])[] = [
  ['equal', numbers(12).map((x) => [x])],
  ['first', [[1n], [9n]]],
  ['second', [[1n], [9n]]],
  ['outer', [...numbers(18), 46n, 47n, 48n, 49n, 60n, 2n ** 255n].map((x) => [x])],
  ['loop', [[3n], [25n], [30n], [31n]]],
  ['calls', [1n, 10n, 20n, 96n, 99n, 120n].map((x) => [x])],
  ['indexes', [0n, 1n, 2n, 9n].map((x) => [x])],
  ['attempts', [6n, 8n, 200n].map((x) => [x])],
  ['narrow', [2n, 5n, 10n].map((x) => [x])],
]

/** All failures, by called function. */
async function failures(options: CompileOptions): Promise<ReadonlyMap<string, SolidityStackTrace>> {
  const contracts = await Contracts.of(compiled({ 'c.sol': SOURCE }, options))
  const found = new Map<string, SolidityStackTrace>()
  const note = (what: string, trace: SolidityStackTrace | undefined) => {
    if (trace !== undefined) found.set(what, trace)
  }
  for (const x of [1n, 2n, 3n]) {
    note(`constructor(${x})`, (await contracts.deploy('C', { args: [x] })).trace)
  }
  const c = await contracts.deployed('C', { args: [0n] })
  const other = await contracts.deployed('Other')
  for (const [name, list] of CALLS) {
    for (const args of list) note(`${name}(${args})`, await contracts.call(c, 'C', name, { args }))
  }
  const nobody: Address = `0x${'ab'.repeat(20)}`
  for (const [to, x] of [
    [other, 7n],
    [other, 100n],
    [nobody, 1n],
  ]) {
    note(`low(${to},${x})`, await contracts.call(c, 'C', 'low', { args: [to, x] }))
  }
  note('0x01', (await contracts.send(c, '0x01')).trace)
  note('0x010203040506070809', (await contracts.send(c, '0x010203040506070809')).trace)
  return found
}

const plain = await failures({})
const lineOf = ({ frames: [first] }: SolidityStackTrace) => first?.position?.line
const functionsOf = ({ frames }: SolidityStackTrace) => frames.map((frame) => frame.function)

const MODES: Readonly<Record<string, CompileOptions>> = {
  'the optimizer': { optimizer: true },
  Yul: { viaIR: true },
  'Yul and the optimizer': { viaIR: true, optimizer: true },
}

describe.each(Object.entries(MODES))('code by way of %s', (_, options) => {
  it('fails for the same reasons, in lines that are right where there are any', async () => {
    const found = await failures(options)
    expect([...found.keys()]).toEqual([...plain.keys()])
    const wrong: unknown[] = []
    let placed = 0
    for (const [what, trace] of found) {
      const exact = plain.get(what)!
      const { function: name } = trace.frames[0]!
      const told = (one: SolidityStackTrace) => [one.frames[0]!.contract, one.message.replace(/[;,].*/, '')]
      const kinds = told(trace)
      const exactKinds = told(exact)
      // A function inlined into another may be named by that one.
      const isKnown = functionsOf(exact).includes(name)
      const line = lineOf(trace)
      if (line !== undefined) placed++
      const isRight = line === undefined || (line === lineOf(exact) && name === functionsOf(exact)[0])
      if (!isKnown || !isRight || JSON.stringify(kinds) !== JSON.stringify(exactKinds)) {
        wrong.push([what, kinds, name, line, exactKinds, functionsOf(exact)[0], lineOf(exact)])
      }
      for (const { function: caller, position } of trace.frames) {
        if (position === undefined) continue
        const lines = exact.frames
          .filter((frame) => frame.function === caller)
          .map((frame) => frame.position?.line)
        if (!lines.includes(position.line)) wrong.push([what, caller, position.line, lines])
      }
    }
    expect(wrong).toEqual([])
    // Uncertain ones have no position.
    expect(placed).toBeGreaterThan(found.size / 2)
  })
})
