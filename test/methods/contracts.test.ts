/** What a devnet tells of contracts: whose code it is, its ABI, its sources, and which contracts there are. */
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { SocketClient } from '../support/clients/socket.ts'
import { knowing, placed } from '../support/compilers/debugged.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import "./Owned.sol";

contract Vault is Owned {
  error Closed(uint256 since);
  event Filled(address indexed by, uint256 amount);
  uint256 public total;
  function fill(uint256 amount) external { total += amount; emit Filled(msg.sender, amount); }
}
`
const OWNED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Owned { address public owner = msg.sender; }
`
const TWINS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
interface Left { function go() external; }
interface Right { function go() external; }
`
const DIAMOND = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Diamond {
  struct Facet { address facetAddress; bytes4[] functionSelectors; }
  bytes32 constant PLACE = keccak256("diamond.standard.diamond.storage");
  address immutable facet;
  constructor(address to) { facet = to; }
  function placed() external view returns (uint256 word) { bytes32 place = PLACE; assembly { word := sload(place) } }
  function facets() external view returns (Facet[] memory all) {
    all = new Facet[](2);
    all[0].facetAddress = facet;
    all[0].functionSelectors = new bytes4[](2);
    all[0].functionSelectors[0] = 0x01020304;
    all[0].functionSelectors[1] = 0x0a0b0c0d;
    all[1].facetAddress = address(this);
    all[1].functionSelectors = new bytes4[](1);
    all[1].functionSelectors[0] = this.facets.selector;
  }
}
`

const run = compiled({
  'src/Vault.sol': VAULT,
  'src/Owned.sol': OWNED,
  'src/Twins.sol': TWINS,
  'src/Diamond.sol': DIAMOND,
})

type Json = Record<string, unknown>

async function withVault(): Promise<{ devnet: Devnet; vault: `0x${string}` }> {
  const devnet = await knowing(run, { rhythm: 'instant' })
  const { address } = await placed(devnet, run, 'Vault')
  return { devnet, vault: address.toLowerCase() as `0x${string}` }
}

function cloneOf(target: string): string {
  return `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`
}

const CLONE = `0x${'c1'.repeat(20)}`

describe('preseal_getContract', () => {
  it('tells name, source, compiler and ABI of code that artifacts know', async () => {
    const { devnet, vault } = await withVault()
    const known = await ask<Json>(devnet, 'preseal_getContract', vault)
    expect(known).toMatchObject({ name: 'Vault', proxies: [], facets: [] })
    expect(known.code).toEqual({
      address: vault,
      match: 'exact',
      name: 'Vault',
      source: { path: 'src/Vault.sol', line: 6 },
      compiler: {
        version: expect.stringMatching(/^0\.8\.\d+$/),
        language: 'Solidity',
        optimizer: expect.objectContaining({ enabled: false }),
        viaIR: false,
        evmVersion: expect.any(String),
      },
      candidates: [],
      hasSources: true,
      hasStorageLayout: true,
    })
    expect(known.abi).toEqual(contractOf(run, 'Vault').output.abi)
  })

  it('says that code is similar where only its metadata differs', async () => {
    const { devnet, vault } = await withVault()
    const code = await ask<string>(devnet, 'eth_getCode', vault)
    // The hash behind 64 "ipfs" 58 22 12 20.
    const at = code.indexOf('64697066735822') + 18
    await ask(
      devnet,
      'anvil_setCode',
      STRANGER,
      `${code.slice(0, at)}${'ee'.repeat(32)}${code.slice(at + 64)}`,
    )
    expect(await ask(devnet, 'preseal_getContract', STRANGER)).toMatchObject({
      code: { match: 'similar', name: 'Vault' },
    })
  })

  it('answers null where nothing is known, and where there is no code', async () => {
    const { devnet, vault } = await withVault()
    await ask(devnet, 'anvil_setCode', STRANGER, '0x600160020300')
    expect(await ask(devnet, 'preseal_getContract', STRANGER)).toBe(null)
    expect(await ask(devnet, 'preseal_getContract', devnet.accounts[0]!.address)).toBe(null)
    expect(await ask(devnet, 'preseal_getContract', vault, '0x0')).toBe(null)
  })

  it('lists the contracts that compile to the same code', async () => {
    const plain = compiled({
      'A.sol': 'pragma solidity ^0.8.24; contract A { uint256 public x; }',
      'B.sol': 'pragma solidity ^0.8.24; contract B { uint256 public x; }',
    })
    const devnet = await knowing(plain, { rhythm: 'instant' })
    const { address } = await placed(devnet, plain, 'A')
    const code = await ask<string>(devnet, 'eth_getCode', address)
    const at = code.indexOf('64697066735822') + 18
    await ask(
      devnet,
      'anvil_setCode',
      STRANGER,
      `${code.slice(0, at)}${'ee'.repeat(32)}${code.slice(at + 64)}`,
    )
    expect(await ask(devnet, 'preseal_getContract', STRANGER)).toMatchObject({
      name: null,
      code: {
        match: 'ambiguous',
        candidates: [
          { name: 'A', path: 'A.sol' },
          { name: 'B', path: 'B.sol' },
        ],
      },
    })
  })

  it('names a proxy after its implementation, and tells where that is', async () => {
    const { devnet, vault } = await withVault()
    await ask(devnet, 'anvil_setCode', CLONE, cloneOf(vault))
    const known = await ask<Json>(devnet, 'preseal_getContract', CLONE)
    expect(known).toMatchObject({
      name: 'Vault',
      code: { address: CLONE, match: 'unknown', name: null, source: null, compiler: null },
      proxies: [{ kind: 'eip1167', target: { address: vault, name: 'Vault' } }],
    })
    expect(known.abi).toEqual(contractOf(run, 'Vault').output.abi)
  })

  it('follows the delegation of an account to a proxy', async () => {
    const { devnet, vault } = await withVault()
    await ask(devnet, 'anvil_setCode', CLONE, cloneOf(vault))
    await ask(devnet, 'anvil_setCode', STRANGER, `0xef0100${CLONE.slice(2)}`)
    expect(await ask(devnet, 'preseal_getContract', STRANGER)).toMatchObject({
      name: 'Vault',
      proxies: [
        { kind: 'eip7702', target: { address: CLONE } },
        { kind: 'eip1167', target: { address: vault } },
      ],
    })
  })

  it('tells the facets of a diamond with their selectors and their ABIs', async () => {
    const { devnet, vault } = await withVault()
    const { address } = await placed(devnet, run, 'Diamond', [vault])
    const known = await ask<Json>(devnet, 'preseal_getContract', address)
    expect(known).toMatchObject({
      name: 'Diamond',
      facets: [
        { selectors: ['0x01020304', '0x0a0b0c0d'], code: { address: vault, name: 'Vault' } },
        { selectors: ['0x7a0ed627'], code: { name: 'Diamond' } },
      ],
    })
    const names = (known.abi as { name?: string }[]).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['facets', 'fill', 'Closed', 'Filled']))
  })

  it('knows the name and, as JSON, the ABI that was added for an address', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setCode', STRANGER, '0x600160020300')
    devnet.abis.add(['function go(uint256 far) returns (bool)'], { name: 'Walker', address: STRANGER })
    expect(await ask(devnet, 'preseal_getContract', STRANGER)).toMatchObject({
      name: 'Walker',
      abi: [{ type: 'function', name: 'go', inputs: [{ name: 'far', type: 'uint256' }] }],
      code: { match: 'named', name: 'Walker', source: null, hasSources: false },
    })
  })

  it('answers over a WebSocket', async () => {
    const { devnet, vault } = await withVault()
    const { webSocketUrl } = await devnet.listen({ port: 0 })
    const client = await SocketClient.connect(webSocketUrl)
    try {
      expect((await client.ask('preseal_getContract', vault)).result).toMatchObject({ name: 'Vault' })
    } finally {
      client.close()
    }
  })
})

describe('sources', () => {
  it('are listed, the one of the contract first', async () => {
    const { devnet, vault } = await withVault()
    const sources = await ask<Json[]>(devnet, 'preseal_getSources', vault)
    expect(sources[0]).toEqual({ path: 'src/Vault.sol', sourceName: 'src/Vault.sol', isOwn: true })
    expect(sources.slice(1).map(({ path }) => path)).toContain('src/Owned.sol')
    expect(await ask(devnet, 'preseal_getSources', STRANGER)).toBe(null)
  })

  it('are returned as text, and nothing that is not one of them', async () => {
    const { devnet, vault } = await withVault()
    expect(await ask(devnet, 'preseal_getSource', vault, 'src/Owned.sol')).toEqual({
      path: 'src/Owned.sol',
      text: OWNED,
      isCut: false,
    })
    for (const path of ['package.json', '../package.json', '/etc/hostname', '__proto__', 'toString', '']) {
      expect(await ask(devnet, 'preseal_getSource', vault, path)).toBe(null)
    }
  })

  it('are cut where they are longer than a million characters', async () => {
    const long = `${OWNED}// ${'x'.repeat(1_000_000)}`
    const big = compiled({ 'Big.sol': long })
    const devnet = await knowing(big, { rhythm: 'instant' })
    const { address } = await placed(devnet, big, 'Owned')
    const { text, isCut } = await ask<{ text: string; isCut: boolean }>(
      devnet,
      'preseal_getSource',
      address,
      'Big.sol',
    )
    expect([text.length, isCut]).toEqual([1_000_000, true])
  })
})

describe('preseal_listContracts', () => {
  it('lists each contract once, page by page, with its name', async () => {
    const { devnet, vault } = await withVault()
    await ask(devnet, 'anvil_setCode', CLONE, cloneOf(vault))
    await ask(devnet, 'anvil_setCode', STRANGER, `0xef0100${CLONE.slice(2)}`)
    const all = await ask<{ contracts: Json[]; next: unknown }>(devnet, 'preseal_listContracts')
    expect(all.next).toBe(null)
    const find = (address: string) => all.contracts.find((one) => one.address === address)
    expect(find(vault)).toMatchObject({ name: 'Vault', proxy: null })
    expect(find(CLONE)).toEqual({ address: CLONE, name: 'Vault', codeSize: '0x2d', proxy: 'eip1167' })
    // An account that delegates has no code of its own.
    expect(find(STRANGER)).toBe(undefined)

    const paged: unknown[] = []
    let after: unknown = null
    do {
      const page: { contracts: Json[]; next: unknown } = await ask(
        devnet,
        'preseal_listContracts',
        'latest',
        {
          limit: 2,
          ...(after === null ? {} : { after }),
        },
      )
      expect(page.contracts.length).toBeLessThanOrEqual(2)
      paged.push(...page.contracts)
      after = page.next
    } while (after !== null)
    expect(paged).toEqual(all.contracts)
  })

  it('lists those of the moment that is asked for', async () => {
    const { devnet, vault } = await withVault()
    const { contracts } = await ask<{ contracts: Json[] }>(devnet, 'preseal_listContracts', 'earliest')
    expect(contracts.some(({ address }) => address === vault)).toBe(false)
  })

  it.each([
    [{ limit: 0 }, /params\[1\]\.limit: expected a number from 1 to 1000/],
    [{ limit: 1_001 }, /params\[1\]\.limit/],
    [{ after: '0x12' }, /params\[1\]\.after: expected a 20-byte address/],
    [{ before: 1 }, /params\[1\]\.before: expected nothing but limit and after/],
    ['all', /params\[1\]: expected an object \{limit\?, after\?\}/],
  ])('refuses the page %j', async (page, message) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(ask(devnet, 'preseal_listContracts', 'latest', page)).rejects.toThrow(message)
  })
})
describe('preseal_getCreation', () => {
  it('tells whose constructor creation code runs, and where its arguments begin', async () => {
    const devnet = await knowing(run, { rhythm: 'instant' })
    const { evm } = contractOf(run, 'Diamond').output
    const code = `0x${evm!.bytecode!.object}`
    expect(await ask(devnet, 'preseal_getCreation', `${code}${'00'.repeat(32)}`)).toEqual({
      name: 'Diamond',
      path: 'src/Diamond.sol',
      codeSize: `0x${((code.length - 2) / 2).toString(16)}`,
      constructor: expect.objectContaining({
        type: 'constructor',
        inputs: [expect.objectContaining({ name: 'to' })],
      }),
    })
    const vault = `0x${contractOf(run, 'Vault').output.evm!.bytecode!.object}`
    expect(await ask(devnet, 'preseal_getCreation', vault)).toMatchObject({
      name: 'Vault',
      constructor: null,
    })
    expect(await ask(devnet, 'preseal_getCreation', '0x6001600155')).toBe(null)
  })
})
