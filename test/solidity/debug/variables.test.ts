/** Parameters and local variables at each step, compared with events of the code itself. */
import { describe, expect, it } from 'vitest'
import type { DebugRun } from '../../../src/index.ts'
import type { Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import { debugged, knowing, placed } from '../../support/compilers/debugged.ts'
import { type CompileOptions, compiled } from '../../support/compilers/solidity.ts'

/** Event parameters have the names of the variables that they are given. */
const SAYS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
type Price is uint128;
library Sums {
  function plus(uint256 a, uint256 b) internal pure returns (uint256 sum) {
    sum = a + b;
  }
}
contract Says {
  enum Mood { calm, glad, angry }
  struct Pair { uint256 one; uint256 two; }
  using Sums for uint256;
  event At(uint256 amount, uint256 i, uint256 sum);
  event Small(uint8 small, int16 low, bool yes, bytes4 four, address who);
  event Texts(string note, bytes raw, string said);
  event Kinds(Mood mood, Price price, Says self);
  event In(uint256 before, uint256 most);
  uint256 public total;

  modifier within(uint256 most) {
    uint256 before = total;
    emit In(before, most);
    _;
    uint256 later = total;
    emit In(before, later);
  }
  function loop(uint256 amount) external within(77) returns (uint256 sum) {
    for (uint256 i = 0; i < amount; i++) {
      if (i == 1) continue;
      uint256 part = i * 2;
      { uint256 extra = 1; part += extra; }
      sum = sum.plus(part);
      if (i == 3) break;
      emit At(amount, i, sum);
    }
    total = sum;
    uint256 i = 99;
    emit At(amount, i, sum);
    return sum + 1;
  }
  function small(uint8 small_, int16 low, bytes4 four) external {
    uint8 small = small_;
    unchecked { small += 250; }
    bool yes = low < 0;
    address who = msg.sender;
    emit Small(small, low, yes, four, who);
  }
  function texts(string calldata note, bytes memory raw) external {
    string memory said;
    emit Texts(note, raw, said);
    said = string.concat(note, "!");
    emit Texts(note, raw, said);
    inner(said, note);
  }
  function inner(string memory said, string calldata note) internal {
    bytes memory raw = bytes(note[1:]);
    emit Texts(note, raw, said);
  }
  function kinds(Mood mood, Price price) external {
    Says self = this;
    Pair memory pair = Pair(1, 2);
    uint256[] memory list = new uint256[](3);
    list[1] = pair.two;
    emit Kinds(mood, price, self);
  }
  function down(uint256 amount) public returns (uint256 sum) {
    uint256 i = amount * 10;
    if (amount > 0) sum = down(amount - 1) + i;
    emit At(amount, i, sum);
  }
  function assembled(uint256 amount) external returns (uint256 sum) {
    uint256 i;
    assembly { let x := 3 i := add(amount, x) sum := mul(i, 2) }
    emit At(amount, i, sum);
    (sum, i) = (i, sum);
    emit At(amount, i, sum);
  }
  function tries(uint256 amount) external returns (uint256 sum) {
    uint256 i = 4;
    try this.down(amount) returns (uint256 found) {
      uint256 more = found;
      sum = more;
      emit At(amount, i, sum);
    } catch (bytes memory) {
      sum = 7;
    }
    try this.fails() { sum = 1; } catch Error(string memory) { uint256 other = 8; sum += other; emit At(amount, i, sum); }
    emit At(amount, i, sum);
  }
  modifier noted(uint256 by) {
    uint256 before = total + by;
    uint256 most = before * 2;
    emit In(before, most);
    _;
    emit In(before, most);
  }
  function twice(uint256 amount) external noted(1) noted(5) returns (uint256 sum) {
    uint256 i = amount + 1;
    Pair memory pair; string memory none; uint256[] memory list;
    sum = i + pair.one + bytes(none).length + list.length;
    emit At(amount, i, sum);
  }
  function falls(uint256 amount) external { stumbles(amount); }
  function stumbles(uint256 amount) internal returns (uint256) { require(amount > 5); total = 1; return 1; }
  function fails() external pure { revert("no"); }
}`

const compilations = new Map<string, Compilation>()

function compiledSays(options: CompileOptions): Compilation {
  const key = JSON.stringify(options)
  const compilation = compilations.get(key) ?? compiled({ 'contracts/Says.sol': SAYS }, options)
  compilations.set(key, compilation)
  return compilation
}

const says = async (options: CompileOptions = {}) => {
  const compilation = compiledSays(options)
  const devnet = await knowing(compilation)
  const contract = await placed(devnet, compilation, 'Says')
  return {
    address: contract.address,
    run: (name: string, ...args: unknown[]) => debugged(devnet, contract, name, args),
  }
}

/** The variables at a step, by name. */
function variablesAt({ steps }: DebugRun, at: number): Map<string, unknown> {
  const { frame } = steps[at]!
  const told = steps.slice(0, at + 1).findLast((step) => step.frame === frame && step.variables !== undefined)
  return new Map(told?.variables?.map(({ name, value }) => [name, value]))
}

/** The arguments of each event, and the variables of the same names at its step. */
function saidAndTold(run: DebugRun): [said: unknown[], told: unknown[]][] {
  return run.steps.flatMap(({ logs }, at) =>
    logs.map(({ args }): [unknown[], unknown[]] => {
      const told = variablesAt(run, at)
      return [args!.map(({ value }) => value), args!.map(({ name }) => told.get(name))]
    }),
  )
}

function expectTold(run: DebugRun, count: number): void {
  const all = saidAndTold(run)
  expect(all).toHaveLength(count)
  for (const [said, told] of all) expect(told.map(String)).toEqual(said.map(String))
}

describe('variables of a step', () => {
  it('are what the code says of them: in loops, nested blocks, recursion, assembly and try', async () => {
    const { run } = await says()
    expectTold(await run('down', 3n), 4)
    expectTold(await run('assembled', 5n), 2)
    expectTold(await run('tries', 1n), 5)
    expectTold(await run('twice', 1n), 5)
    const looped = await run('loop', 9n)
    const [inFirst, ...others] = saidAndTold(looped)
    const [inLast] = others.splice(-1)
    expect(others).toHaveLength(3)
    for (const [said, told] of others) expect(told).toEqual(said)
    // The stack position of a modifier's parameter is unknown.
    expect(inFirst).toEqual([
      [0n, 77n],
      [0n, undefined],
    ])
    expect(inLast).toEqual([
      [0n, 13n],
      [0n, undefined],
    ])
  })

  it('have the values of their types', async () => {
    const { run, address } = await says()
    expectTold(await run('small', 9, -3, '0x01020304'), 1)
    expectTold(await run('texts', 'hello', '0xabcd'), 3)
    const kinds = await run('kinds', 2, 2n ** 128n - 1n)
    const at = kinds.steps.findIndex(({ logs }) => logs.length > 0)
    const { variables } = kinds.steps.slice(0, at + 1).findLast((step) => step.variables !== undefined)!
    expect(variables).toEqual([
      { name: 'mood', type: 'enum Says.Mood', value: 'angry' },
      { name: 'price', type: 'Price', value: 2n ** 128n - 1n },
      { name: 'self', type: 'contract Says', value: expect.stringMatching(new RegExp(address, 'i')) },
      { name: 'pair', type: 'struct Says.Pair memory', value: undefined },
      { name: 'list', type: 'uint256[] memory', value: undefined },
    ])
  })

  it('are none before their declaration is over, and told again only where they are others', async () => {
    const { run } = await says()
    const { steps } = await run('small', 9, -3, '0x01020304')
    const told = steps.flatMap(({ variables }) =>
      variables === undefined ? [] : [variables.map(({ name }) => name)],
    )
    expect(told.at(0)).toEqual(['small_', 'low', 'four'])
    expect(
      told.some((names) => names.includes('small') && names.includes('yes') && !names.includes('who')),
    ).toBe(true)
    expect(told.length).toBeLessThan(8)
  })
})

describe('functions', () => {
  const internal = (told: DebugRun) =>
    told.frames.flatMap((frame) =>
      frame.kind === 'function' && !frame.isModifier
        ? [
            [
              frame.function,
              frame.args?.map(({ name, value }) => [name, value]),
              frame.result?.map(({ name, value }) => [name, value]),
            ],
          ]
        : [],
    )

  for (const optimizer of [false, true]) {
    it(`have their arguments and results${optimizer ? ', optimized ones too' : ''}`, async () => {
      const { run } = await says(optimizer ? { optimizer } : {})
      expect(internal(await run('down', 2n))).toEqual([
        ['down', [['amount', 1n]], [['sum', 10n]]],
        ['down', [['amount', 0n]], [['sum', 0n]]],
      ])
      expect(internal(await run('texts', 'hello', '0xabcd'))).toEqual([
        [
          'inner',
          [
            ['said', 'hello!'],
            ['note', 'hello'],
          ],
          [],
        ],
      ])
    })
  }

  it('that failed have no result', async () => {
    const { run } = await says()
    const told = await run('falls', 4n)
    expect(told.status).toBe('reverted')
    expect(internal(told)).toEqual([['stumbles', [['amount', 4n]], undefined]])
  })

  it('via IR have neither, and steps have no variables', async () => {
    const { run } = await says({ viaIR: true })
    const { frames, steps } = await run('down', 2n)
    expect(frames.every((frame) => frame.kind === 'message' || frame.args === undefined)).toBe(true)
    expect(steps.every(({ variables }) => variables === undefined)).toBe(true)
    const optimized = await (await says({ optimizer: true })).run('down', 2n)
    expect(optimized.steps.every(({ variables }) => variables === undefined)).toBe(true)
  })
})
