/** The accessed storage variables by name and value, for all compiler settings. */
import { describe, expect, it } from 'vitest'
import { checksummed } from '../../../src/model/account/account.ts'
import {
  debugged,
  knowing,
  type Placed,
  placed,
  storageIn,
  writesIn,
} from '../../support/compilers/debugged.ts'
import { type CompileOptions, compiled } from '../../support/compilers/solidity.ts'

const STORE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
type Price is uint128;
interface Thing {}
library Sets {
  struct Set { uint8 size; mapping(uint => bool) has; }
  function add(Set storage set, uint key) external { set.has[key] = true; set.size++; }
}
abstract contract Owned {
  address owner;
  constructor() { owner = msg.sender; }
}
contract Store is Owned {
  enum Status { Open, Sold, Gone }
  struct Item { uint64 amount; bool isNew; string note; uint256[] bids; }
  bool paused;              // beside owner
  int16 level;              // beside owner
  Status status;            // beside owner
  bytes4 tag;               // beside owner
  Price price;
  Thing thing;
  mapping(address => mapping(string => Item)) items;
  mapping(Status => uint256) counts;
  mapping(bytes4 => int256) byTag;
  uint16[] shorts;
  uint256[3][2] grid;
  string text;
  bytes raw;
  Sets.Set set;
  uint256 transient lock;
  uint256 public total;

  function pack() external { paused = true; level = -5; status = Status.Gone; tag = 0x01020304; }
  function unpack() external returns (bool) { level = -6; return paused; }
  function values() external { price = Price.wrap(9); thing = Thing(address(this)); }
  function nested(string calldata key) external {
    Item storage item = items[msg.sender][key];
    item.amount = 7;
    item.isNew = true;
    item.note = "new";
    item.bids.push(11);
    item.bids.push(12);
  }
  function keys() external { counts[Status.Sold] = 3; byTag[0x0a0b0c0d] = -4; }
  function arrays() external { shorts.push(1); shorts.push(2); grid[1][2] = 5; shorts[0] = 3; }
  function element(uint256 i) external view returns (uint16) { return shorts[i]; }
  function write(string calldata value) external { text = value; }
  function read() external view returns (string memory) { return text; }
  function fill() external { raw = hex"00ff"; raw.push(0x01); }
  function enter() external { lock = 1; total += lock; lock = 0; }
  function lend(uint256 key) external { Sets.add(set, key); }
  function fail() external { total = 1; this.inner(); }
  function inner() external { total = 2; this.nothing(); revert(); }
  function nothing() external {}
  function caught() external { try this.inner() {} catch {} total = 3; }
}`

const LONG = 'a text that is longer than the thirty-one bytes of a slot'
const WAYS: [name: string, options: CompileOptions][] = [
  ['as it is written', {}],
  ['optimized', { optimizer: true }],
  ['via IR', { viaIR: true }],
  ['optimized via IR', { viaIR: true, optimizer: true }],
]

describe.each(WAYS)('the storage of a contract compiled %s', (_, options) => {
  const compilation = compiled({ 'Store.sol': STORE }, options)
  const started = async () => {
    const devnet = await knowing(compilation)
    const sets = await placed(devnet, compilation, 'Sets')
    const store = await placed(devnet, compilation, 'Store', [], { Sets: sets.address })
    const run = (name: string, ...args: unknown[]) => debugged(devnet, store, name, args)
    return { devnet, store, run, me: devnet.accounts[0]!.address }
  }

  it('has variables that share a slot, each with what it was and is', async () => {
    const { run, devnet, store, me } = await started()
    expect(writesIn(await devnet.debug(store.hash))).toEqual([
      `owner: 0x0000000000000000000000000000000000000000 → ${me}`,
    ])
    // Optimized code may write several variables in one SSTORE.
    expect(writesIn(await run('pack')).sort()).toEqual([
      'level: 0 → -5',
      'paused: false → true',
      'status: Open → Gone',
      'tag: 0x00000000 → 0x01020304',
    ])
    expect(writesIn(await run('unpack'))).toEqual(['level: -5 → -6'])
  })

  it("has values of users' types and contracts", async () => {
    const { run, store } = await started()
    expect(writesIn(await run('values'))).toEqual([
      'price: 0 → 9',
      `thing: 0x0000000000000000000000000000000000000000 → ${checksummed(store.address.toLowerCase() as never)}`,
    ])
  })

  it('has structs in mappings of mappings, by their keys', async () => {
    const { run, me } = await started()
    const item = `items[${me}]["red"]`
    const writes = writesIn(await run('nested', 'red'))
    expect(writes.filter((write) => !write.includes('.note'))).toEqual([
      `${item}.amount: 0 → 7`,
      `${item}.isNew: false → true`,
      `${item}.bids: 0 → 1`,
      `${item}.bids[0]: 0 → 11`,
      `${item}.bids: 1 → 2`,
      `${item}.bids[1]: 0 → 12`,
    ])
    expect(writes).toContain(`${item}.note:  → new`)
  })

  it('has keys that are enums, and bytes', async () => {
    const { run } = await started()
    // The optimizer hashes constant keys itself: then only the slot is known.
    const writes = writesIn(await run('keys'))
    expect(writes).toHaveLength(2)
    for (const [i, known] of ['counts[Sold]: 0 → 3', 'byTag[0x0a0b0c0d]: 0 → -4'].entries()) {
      if (options.optimizer !== true) expect(writes[i]).toBe(known)
      else expect([known, expect.stringMatching(/^0x/)]).toContainEqual(writes[i])
    }
  })

  it('has elements of arrays, dynamic and fixed, packed and not', async () => {
    const { run, devnet, store } = await started()
    expect(writesIn(await run('arrays'))).toEqual([
      'shorts: 0 → 1',
      'shorts[0]: 0 → 1',
      'shorts: 1 → 2',
      'shorts[1]: 0 → 2',
      'grid[1][2]: 0 → 5',
      'shorts[0]: 1 → 3',
    ])
    const { steps } = await devnet.debug({ ...store, functionName: 'element', args: [1n] })
    expect(steps.flatMap(({ storage }) => storage)).toMatchObject([
      { kind: 'read', name: 'shorts', value: 2n },
      { kind: 'read', name: 'shorts[0:16]', type: 'uint16[]', value: [3, 2, ...Array(14).fill(0)] },
    ])
  })

  it('has texts that grow beyond a slot, and shrink', async () => {
    const { run, devnet, store } = await started()
    const texts = async (value: string) =>
      writesIn(await run('write', value)).filter((write) => write.startsWith('text:'))
    expect(await texts('short')).toEqual(['text:  → short'])
    expect(await texts(LONG)).toEqual([`text: short → ${LONG}`])
    const { steps, frames } = await devnet.debug({ ...store, functionName: 'read' })
    expect(steps.flatMap(({ storage }) => storage).find(({ name }) => name === 'text')?.value).toBe(LONG)
    expect(frames[0]).toMatchObject({ result: [{ value: LONG }] })
    expect(await texts(`${LONG}!`)).toEqual([`text: ${LONG} → ${LONG}!`])
    expect(await texts('')).toEqual([`text: ${LONG}! → `])
    // Some compiler settings write the length first.
    expect(writesIn(await run('fill')).at(-1)).toMatch(/^raw: .* → 0x00ff01$/)
  })

  it('has what is transient', async () => {
    const { run } = await started()
    const writes = writesIn(await run('enter'))
    expect(writes).toEqual(['lock: 0 → 1', 'total: 0 → 1', 'lock: 1 → 0'])
  })

  it('has the variables of the caller in libraries', async () => {
    const { run } = await started()
    expect(writesIn(await run('lend', 5n))).toEqual(['set.has[5]: false → true', 'set.size: 0 → 1'])
  })

  it('says what was undone', async () => {
    const { run } = await started()
    expect(writesIn(await run('fail'))).toEqual(['total: 0 → 1 !', 'total: 1 → 2 !'])
    expect(writesIn(await run('caught'))).toEqual(['total: 0 → 2 !', 'total: 0 → 3'])
  })
})

describe('the storage of a run', () => {
  it('is the same by EthereumJS', async () => {
    const compilation = compiled({ 'Store.sol': STORE })
    const runs = await Promise.all(
      (['wasm', 'ethereumjs'] as const).map(async (engine) => {
        const devnet = await knowing(compilation, { engine })
        const sets = await placed(devnet, compilation, 'Sets')
        const store = await placed(devnet, compilation, 'Store', [], { Sets: sets.address })
        return [
          await debugged(devnet, store, 'nested', ['blue']),
          await debugged(devnet, store, 'write', [LONG]),
          await debugged(devnet, store, 'enter'),
          await debugged(devnet, store, 'caught'),
        ]
      }),
    )
    expect(runs[1]).toEqual(runs[0])
  })

  it('of a proxy is named by the layout of its implementation', async () => {
    const compilation = compiled({ 'Proxied.sol': PROXIED })
    const devnet = await knowing(compilation)
    const counter = await placed(devnet, compilation, 'Counter')
    const proxy = await placed(devnet, compilation, 'Proxy', [counter.address])
    const run = await debugged(devnet, { ...proxy, abi: counter.abi } as Placed, 'add', [4n])
    const implementation = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    const word = `0x${counter.address.slice(2).toLowerCase().padStart(64, '0')}`
    expect(storageIn(run)).toEqual([`${implementation}: ${word}`, 'count: 0', 'count: 0 → 4'])
    const address = proxy.address.toLowerCase()
    expect(run.steps.flatMap(({ storage }) => storage).map((one) => one.address)).toEqual([
      address,
      address,
      address,
    ])
  })

  it('is told by slots where the compiler wrote neither layout nor syntax tree, and it is said so', async () => {
    const { input, output, ...rest } = compiled({ 'Proxied.sol': PROXIED })
    const contracts = Object.fromEntries(
      Object.entries(output.contracts!).map(([source, named]) => [
        source,
        Object.fromEntries(
          Object.entries(named).map(([name, { storageLayout: _, ...contract }]) => [name, contract]),
        ),
      ]),
    )
    const sources = { 'Proxied.sol': { id: 0 } }
    const compilation = { input, output: { ...output, sources, contracts }, ...rest }
    const devnet = await knowing(compilation)
    const run = await debugged(devnet, await placed(devnet, compilation, 'Counter'), 'add', [4n])
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
    expect(writesIn(run)).toEqual([`${word(0)}: ${word(0)} → ${word(4)}`])
    expect(run.gaps).toMatchObject([{ reason: 'noStorageLayout', contract: 'Counter' }])
    expect(run.gaps[0]!.text).toContain('outputSelection')
  })
})

const PROXIED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Counter {
  uint256 count;
  function add(uint256 n) external { count += n; }
}
contract Proxy {
  // keccak256("eip1967.proxy.implementation") - 1
  bytes32 constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  constructor(address to) { assembly { sstore(SLOT, to) } }
  fallback() external {
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(ok) { revert(0, returndatasize()) }
      return(0, returndatasize())
    }
  }
}`
