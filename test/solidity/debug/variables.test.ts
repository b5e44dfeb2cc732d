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
  event After(uint256 before, uint256 later, uint256 most);
  uint256 public total;

  modifier within(uint256 most) {
    uint256 before = total;
    emit In(before, most);
    _;
    uint256 later = total;
    emit After(before, later, most);
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
  struct Tagged { uint128 one; uint64 two; string[] tags; }
  Tagged tagged;
  mapping(address => uint256) sumOf;
  function contents(Pair[] calldata pairs, string[][] calldata texts, uint256 count) external {
    tagged.one = 7; tagged.two = 8; tagged.tags.push("x"); tagged.tags.push("y");
    Tagged storage kept = tagged;
    Tagged memory copy = kept;
    uint8[] memory many = new uint8[](count);
    total = pairs.length + texts.length + copy.one + many.length;
  }
  function unknown() external {
    Pair memory pointer;
    assembly { pointer := 0xffffff }
    mapping(address => uint256) storage sums = sumOf;
    function() internal callback = falling;
    string memory long = new string(5000);
    total = sums[msg.sender] + bytes(long).length;
    callback();
  }
  function falling() internal { total++; }
  uint64 immutable most = 5;
  int16 immutable least;
  constructor() { least = -3; }
  function bounds() external view returns (int256) { return int256(uint256(most)) + least; }
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
    devnet,
    contract,
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

/** The variables at the last step that has some, by name. */
function variablesAtEnd(steps: DebugRun['steps']) {
  const told = steps.findLast(({ variables }) => variables !== undefined && variables.length > 3)
  return new Map(told?.variables?.map((one) => [one.name, one]))
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
    expectTold(await run('loop', 9n), 5)
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
      { name: 'pair', type: 'struct Says.Pair memory', value: { one: 1n, two: 2n } },
      { name: 'list', type: 'uint256[] memory', value: [0n, 2n, 0n] },
    ])
  })

  it('of reference types have their contents in memory, calldata and storage, as far as the limits', async () => {
    const { run } = await says()
    const pairs = [{ one: 3n, two: 4n }]
    const { steps } = await run('contents', pairs, [['a', 'b'], []], 100n)
    const variables = variablesAtEnd(steps)
    expect(variables.get('pairs')?.value).toEqual(pairs)
    expect(variables.get('texts')?.value).toEqual([['a', 'b'], []])
    expect(variables.get('kept')?.value).toEqual({ one: 7n, two: 8n, tags: ['x', 'y'] })
    expect(variables.get('copy')?.value).toEqual({ one: 7n, two: 8n, tags: ['x', 'y'] })
    expect(variables.get('many')).toMatchObject({ value: Array.from({ length: 64 }, () => 0), omitted: 36 })
  })

  it('that are unknown have a reason', async () => {
    const { run } = await says()
    const { steps } = await run('unknown')
    const variables = variablesAtEnd(steps)
    const reasons = [...variables.values()].map(({ name, reason }) => [name, reason])
    expect(reasons).toEqual([
      ['pointer', 'pointer outside memory'],
      ['sums', 'mappings have no list of keys'],
      ['callback', 'internal function without a name'],
      ['long', 'longer than 4,096 bytes'],
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

  it('via IR have their arguments and results, and parameters that are never assigned', async () => {
    const { run } = await says({ viaIR: true })
    const told = await run('down', 2n)
    expect(internal(told)).toEqual([
      ['down', [['amount', 1n]], [['sum', 10n]]],
      ['down', [['amount', 0n]], [['sum', 0n]]],
    ])
    const { variables } = told.steps.findLast(
      ({ frame, variables }) => frame === 2 && variables?.length === 3,
    )!
    expect(variables?.map(({ name, value, reason }) => [name, value, reason])).toEqual([
      ['amount', 0n, undefined],
      ['sum', undefined, 'compiled via IR'],
      ['i', undefined, 'compiled via IR'],
    ])
  })
})

describe('immutables', () => {
  it('have the values in the code that runs; while it is created they have none', async () => {
    const { devnet, contract, run } = await says()
    const { frames } = await run('bounds')
    expect(frames[0]).toMatchObject({
      immutables: [
        { name: 'most', type: 'uint64', value: 5n },
        { name: 'least', type: 'int16', value: -3 },
      ],
    })
    const created = await devnet.debug(contract.hash)
    expect(created.frames[0]).toMatchObject({
      immutables: [{ reason: 'assigned when creation ends' }, { reason: 'assigned when creation ends' }],
    })
  })
})

describe('variables of optimized code', () => {
  it('are what the code says of them, or have a reason', async () => {
    const { run } = await says({ optimizer: true })
    const all = [...saidAndTold(await run('down', 3n)), ...saidAndTold(await run('loop', 9n))]
    expect(all).toHaveLength(9)
    for (const [said, told] of all) expect(told.map(String)).toEqual(said.map(String))
    const { steps } = await run('down', 2n)
    const unknown = steps.flatMap(({ variables = [] }) =>
      variables.filter(({ value }) => value === undefined),
    )
    expect(unknown.length).toBeGreaterThan(0)
    for (const { reason } of unknown) expect(reason).toMatch(/^(moved|inlined|changes) /)
  })
})
