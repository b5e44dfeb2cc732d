/** `preseal_getStorage` and `preseal_getVariable`: slots by the names of variables, whether their keys were seen or not. */
import { concat, keccak256, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { checksummed } from '../../src/model/account/account.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { knowing, placed } from '../support/compilers/debugged.ts'
import { compiled } from '../support/compilers/solidity.ts'

const STORE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Store {
  enum Status { Open, Sold }
  struct Item { uint64 amount; bool isNew; string note; }
  address owner = msg.sender;
  bool paused;
  Status status;
  int16 level;
  mapping(address => uint256) balances;
  mapping(address => mapping(uint256 => Item)) items;
  mapping(string => uint256) prices;
  uint16[] shorts;
  string short;
  string long;
  uint256 public total;
  function fill(address to, uint256 id, string calldata name) external {
    status = Status.Sold;
    level = -5;
    balances[to] = 7;
    items[to][id] = Item(9, true, "as new");
    prices[name] = 11;
    shorts.push(1);
    shorts.push(2);
    short = "brief";
    long = "longer than the thirty-one bytes that fit into one slot";
  }
}
`
const NESTED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Nested {
  struct Line { string text; uint256[] marks; }
  struct Page { uint64 number; Line[] lines; mapping(address => uint256) seen; }
  Page[] pages;
  uint256[][2] pairs;
  mapping(uint256 => Page[]) books;
  function fill(address reader) external {
    write(pages.push(), reader);
    write(books[5].push(), reader);
    pairs[1].push(21);
    pairs[1].push(22);
  }
  function write(Page storage page, address reader) internal {
    page.number = 3;
    page.lines.push().marks.push(4);
    page.lines.push().text = "longer than the thirty-one bytes that fit into one slot";
    page.lines[1].marks.push(6);
    page.seen[reader] = 7;
  }
}
`
const run = compiled({ 'Store.sol': STORE, 'Nested.sol': NESTED })

interface Entry {
  readonly slot: string
  readonly word: string
  readonly variables: readonly { readonly name: string; readonly type: string; readonly value: unknown }[]
}
interface Page {
  readonly contract: string | null
  readonly entries: Entry[]
  readonly next: string | null
  readonly isPartial: boolean
}

async function filled() {
  const devnet = await knowing(run, { rhythm: 'instant' })
  const { address, abi } = await placed(devnet, run, 'Store')
  const bob = devnet.accounts[1]!.address
  const args = [bob, 1_000_001n, 'apple']
  await devnet.write({ abi, address, functionName: 'fill', args } as never)
  return { devnet, address, bob }
}

function named({ entries }: Page): [name: string, value: unknown][] {
  return entries.flatMap(({ variables }) =>
    variables.map(({ name, value }): [string, unknown] => [name, value]),
  )
}

describe('preseal_getStorage', () => {
  it('names what is in arrays within structs within arrays and mappings', async () => {
    const devnet = await knowing(run, { rhythm: 'instant' })
    const { address, abi } = await placed(devnet, run, 'Nested')
    const bob = devnet.accounts[1]!.address
    await devnet.write({ abi, address, functionName: 'fill', args: [bob] } as never)
    const page = await ask<Page>(devnet, 'preseal_getStorage', address)
    const within = (outer: string) => [
      [`${outer}.number`, '3'],
      [`${outer}.lines`, '2'],
      [`${outer}.lines[0].marks`, '1'],
      [`${outer}.lines[0].marks[0]`, '4'],
      [`${outer}.lines[1].text`, 'longer than the thirty-one bytes that fit into one slot'],
      [`${outer}.lines[1].marks[0]`, '6'],
      [`${outer}.seen[${bob}]`, '7'],
    ]
    const names = [
      ...within('pages[0]'),
      ...within('books[5][0]'),
      ['pairs[1][0]', '21'],
      ['pairs[1][1]', '22'],
    ]
    expect(named(page)).toEqual(expect.arrayContaining(names))
    expect(page.entries.filter(({ variables }) => variables.length === 0)).toEqual([])
  })

  it('names plain variables in the order of their declarations, those that are zero, too', async () => {
    const { devnet, address } = await filled()
    const page = await ask<Page>(devnet, 'preseal_getStorage', address)
    expect([page.contract, page.next, page.isPartial]).toEqual(['Store', null, false])
    expect(page.entries[0]).toEqual({
      slot: `0x${'0'.repeat(64)}`,
      word: await ask(devnet, 'eth_getStorageAt', address, '0x0', 'latest'),
      variables: [
        {
          name: 'owner',
          type: 'address',
          value: checksummed(devnet.accounts[0]!.address.toLowerCase() as `0x${string}`),
        },
        { name: 'paused', type: 'bool', value: false },
        { name: 'status', type: 'enum Store.Status', value: 'Sold' },
        { name: 'level', type: 'int16', value: -5 },
      ],
    })
    expect(named(page)).toEqual(
      expect.arrayContaining([
        ['shorts', '2'],
        ['short', 'brief'],
        ['long', 'longer than the thirty-one bytes that fit into one slot'],
        ['total', '0'],
      ]),
    )
  })

  it('finds the keys of mappings that transactions have named, also of texts and in mappings of mappings', async () => {
    const { devnet, address, bob } = await filled()
    const page = await ask<Page>(devnet, 'preseal_getStorage', address)
    const key = checksummed(bob.toLowerCase() as `0x${string}`)
    expect(named(page)).toEqual(
      expect.arrayContaining([
        [`balances[${key}]`, '7'],
        [`items[${key}][1000001].amount`, '9'],
        [`items[${key}][1000001].isNew`, true],
        [`items[${key}][1000001].note`, 'as new'],
        ['prices["apple"]', '11'],
      ]),
    )
    for (const { variables } of page.entries) expect(variables).not.toEqual([])
  })

  it('names the variables whose values are found by keys', async () => {
    const { devnet, address } = await filled()
    expect(await ask<object>(devnet, 'preseal_getStorage', address)).toMatchObject({
      keyed: [
        { name: 'balances', type: 'mapping(address => uint256)' },
        { name: 'items', type: 'mapping(address => mapping(uint256 => struct Store.Item))' },
        { name: 'prices', type: 'mapping(string => uint256)' },
        { name: 'shorts', type: 'uint16[]' },
      ],
    })
  })

  it('is that of the moment that is asked for', async () => {
    const { devnet, address } = await filled()
    const page = await ask<Page>(devnet, 'preseal_getStorage', address, '0x1')
    expect(named(page)).toEqual(
      expect.arrayContaining([
        ['status', 'Open'],
        ['level', 0],
        ['short', ''],
      ]),
    )
  })

  it('names the storage of a proxy by the variables of its implementation', async () => {
    const { devnet, address } = await filled()
    const clone = `0x363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`
    await ask(devnet, 'anvil_setCode', STRANGER, clone)
    await ask(devnet, 'anvil_setStorageAt', STRANGER, '0x6', `0x${'00'.repeat(31)}05`)
    const page = await ask<Page>(devnet, 'preseal_getStorage', STRANGER)
    expect(page.contract).toBe('Store')
    expect(named(page)).toContainEqual(['total', '0'])
  })

  it('tells slots and words where nothing is known of the code, page by page', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setCode', STRANGER, '0x600160020300')
    for (let i = 1; i <= 5; i++) {
      await ask(devnet, 'anvil_setStorageAt', STRANGER, `0x${i}`, `0x${i.toString(16).padStart(64, '0')}`)
    }
    const all = await ask<Page>(devnet, 'preseal_getStorage', STRANGER)
    expect(all).toMatchObject({ contract: null, next: null, isPartial: false })
    expect(all.entries).toHaveLength(5)
    for (const { slot, word, variables } of all.entries) expect([word, variables]).toEqual([slot, []])
    const paged: Entry[] = []
    let after: string | null = null
    do {
      const page: Page = await ask(devnet, 'preseal_getStorage', STRANGER, 'latest', {
        limit: 2,
        ...(after === null ? {} : { after }),
      })
      expect(page.entries.length).toBeLessThanOrEqual(2)
      paged.push(...page.entries)
      after = page.next
    } while (after !== null)
    expect(paged).toEqual(all.entries)
  })

  it('is empty for an account without storage', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const empty = { contract: null, entries: [], keyed: [], next: null, isPartial: false }
    expect(await ask(devnet, 'preseal_getStorage', STRANGER)).toEqual(empty)
  })
})

describe('preseal_getVariable', () => {
  const variable = (devnet: Devnet, address: string, name: string, at = 'latest') =>
    ask<Page & { name: string; type: string }>(devnet, 'preseal_getVariable', address, name, at)

  it('tells what a mapping has for a key, where eth_getStorageAt has it, also where it is zero', async () => {
    const { devnet, address, bob } = await filled()
    const key = checksummed(bob.toLowerCase() as `0x${string}`)
    const slot = keccak256(concat([pad(bob), pad('0x1')]))
    expect(await variable(devnet, address, `balances[${bob}]`)).toEqual({
      contract: 'Store',
      name: `balances[${key}]`,
      type: 'uint256',
      entries: [
        {
          slot,
          word: await ask(devnet, 'eth_getStorageAt', address, slot, 'latest'),
          variables: [{ name: `balances[${key}]`, type: 'uint256', value: '7' }],
        },
      ],
      isCut: false,
    })
    const none = await variable(devnet, address, `balances[${STRANGER}]`)
    expect(named(none)).toEqual([[expect.stringContaining('balances['), '0']])
    expect(named(await variable(devnet, address, `balances[${bob}]`, '0x1'))).toEqual([
      [`balances[${key}]`, '0'],
    ])
  })

  it('follows keys of mappings of mappings to the members of a struct, and texts as keys', async () => {
    const { devnet, address, bob } = await filled()
    const key = checksummed(bob.toLowerCase() as `0x${string}`)
    const item = `items[${key}][1000001]`
    const whole = await variable(devnet, address, `items[${bob}][0xf4241]`)
    expect(whole.type).toBe('struct Store.Item')
    expect(named(whole)).toEqual([
      [`${item}.amount`, '9'],
      [`${item}.isNew`, true],
      [`${item}.note`, 'as new'],
    ])
    expect(named(await variable(devnet, address, `${item}.note`))).toEqual([[`${item}.note`, 'as new']])
    expect(named(await variable(devnet, address, 'prices["apple"]'))).toEqual([['prices["apple"]', '11']])
  })

  it('tells the elements of arrays, and of packed variables only the one that was named', async () => {
    const { devnet, address } = await filled()
    expect(named(await variable(devnet, address, 'shorts[1]'))).toEqual([['shorts[1]', 2]])
    expect(named(await variable(devnet, address, 'shorts')).slice(0, 3)).toEqual([
      ['shorts', '2'],
      ['shorts[0]', 1],
      ['shorts[1]', 2],
    ])
    expect(named(await variable(devnet, address, ' level '))).toEqual([['level', -5]])
    const long = await variable(devnet, address, 'long')
    expect(named(long)).toEqual([['long', 'longer than the thirty-one bytes that fit into one slot']])
  })

  it.each([
    ['balance[1]', /expected a variable: owner, paused, status, level, balances, .*got "balance\[1\]"/],
    ['balances', /expected balances\[key\], with a key of the type address, got "balances"/],
    ['balances[0x12]', /expected balances\[key\], with a key of the type address/],
    ['prices[apple]', /expected prices\[key\], with a key of the type string/],
    ['shorts[2]', /expected shorts\[index\], with an index less than 2/],
    ['level[1]', /expected level without a key, because its type is int16/],
    ['level.x', /expected level without a member, because its type is int16/],
    ['shorts!', /expected a variable: /],
    ['shorts[0', /expected \[key\], \[index\] or \.member after shorts/],
  ])('says of %s what would be right', async (name, message) => {
    const { devnet, address } = await filled()
    await expect(variable(devnet, address, name)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    })
  })

  it('says that a contract has no variables', async () => {
    const stateless = compiled({
      'Adder.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Adder { function add(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }`,
    })
    const devnet = await knowing(stateless, { rhythm: 'instant' })
    const { address } = await placed(devnet, stateless, 'Adder')
    await expect(variable(devnet, address, 'total')).rejects.toThrow(
      'expected nothing: the contract has no variable in storage, got "total"',
    )
  })

  it('says where no layout is known', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(variable(devnet, STRANGER, 'x')).rejects.toThrow('expected a contract whose storage layout')
  })
})
