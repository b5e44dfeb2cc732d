/** `preseal_getStorage`: slots by the names of variables, whether their keys were seen or not. */
import { describe, expect, it } from 'vitest'
import { checksummed } from '../../src/model/bytes/checksum.ts'
import { ask, STRANGER, started } from '../support/clients.ts'
import { knowing, placed } from '../support/debugged.ts'
import { compiled } from '../support/solidity.ts'

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
const run = compiled({ 'Store.sol': STORE })

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
    const empty = { contract: null, entries: [], next: null, isPartial: false }
    expect(await ask(devnet, 'preseal_getStorage', STRANGER)).toEqual(empty)
  })
})
