/** Accounts are named after the code that they run: proxies after their implementation. */
import { describe, expect, it } from 'vitest'
import { type Address, fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { describeTransaction, type TransactionDescription } from '../../../src/cli/callTree.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import type { CodeMatch } from '../../../src/solidity/artifacts/compilation.ts'
import { contractAt, implementationOf } from '../../../src/solidity/artifacts/proxies.ts'
import { compileWithPackages, openZeppelinInput } from '../../support/compilers/openZeppelin.ts'

const TARGET = `
  pragma solidity ^0.8.20;
  contract Target { function seven() external pure returns (uint256) { return 7; } }
  contract Facet { function eight() external pure returns (uint256) { return 8; } }
`
/** A minimal diamond with the storage of EIP-2535's third reference implementation. */
const DIAMOND = `
  pragma solidity ^0.8.20;
  contract Diamond {
    struct Entry { address facet; uint96 position; }
    function entries() private pure returns (mapping(bytes4 => Entry) storage all) {
      bytes32 slot = keccak256("diamond.standard.diamond.storage");
      assembly { all.slot := slot }
    }
    constructor(bytes4 selector, address facet) { entries()[selector] = Entry(facet, 5); }
    fallback() external payable {
      address facet = entries()[msg.sig].facet;
      assembly {
        calldatacopy(0, 0, calldatasize())
        let done := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
        returndatacopy(0, 0, returndatasize())
        if done { return(0, returndatasize()) }
        revert(0, returndatasize())
      }
    }
  }
`

const input = openZeppelinInput((file) =>
  /^proxy\/(ERC1967\/ERC1967Proxy|beacon\/BeaconProxy|beacon\/UpgradeableBeacon)\.sol$/.test(file),
)
const all = {
  ...input,
  sources: { ...input.sources, 'Target.sol': { content: TARGET }, 'Diamond.sol': { content: DIAMOND } },
}
const run = { input: all, output: compileWithPackages(all) }
const SEVEN = { abi: ['function seven() view returns (uint256)'], functionName: 'seven' } as const

/** Calldata of `seven()`: the proxy wants to be initialized. */
const SEVEN_CALLED = '0x78710d37'

async function begun(): Promise<{ devnet: Devnet; target: Address }> {
  const devnet = await createDevnet({ rhythm: 'instant', artifacts: run })
  const { address } = await devnet.deploy('Target')
  return { devnet, target: address }
}

/** The account's name, if its code runs that of the target. */
async function named(devnet: Devnet, account: string): Promise<string | undefined> {
  const address = account.toLowerCase() as Address
  expect(await devnet.read({ ...SEVEN, address })).toBe(7n)
  return nameAt(devnet, address)
}

/** The name by a node's code and storage, fetched until nothing is missing. */
async function nameAt(devnet: Devnet, address: string, selector?: Hex): Promise<string | undefined> {
  await devnet.artifacts.load()
  const known = new Map<string, Hex>()
  for (;;) {
    const missing: [method: string, params: string[]][] = []
    const read = (method: string, ...params: string[]) => {
      const value = known.get(`${method} ${params}`)
      if (value === undefined) missing.push([method, params])
      return value ?? '0x'
    }
    const state = {
      code: (account: Address) => fromHex(read('eth_getCode', account)),
      storage: (account: Address, slot: bigint) =>
        BigInt(read('eth_getStorageAt', account, `0x${slot.toString(16)}`).padEnd(3, '0')),
    }
    const match = contractAt(state, address.toLowerCase() as Address, devnet.artifacts.find, selector)
    if (missing.length === 0) return text(match)
    for (const [method, params] of missing) {
      known.set(`${method} ${params}`, (await devnet.request({ method, params })) as Hex)
    }
  }
}

function text(match: CodeMatch | undefined): string | undefined {
  return match?.kind === 'contract'
    ? match.contract.name
    : match?.contracts.map(({ name }) => name).join(' or ')
}

describe('an account is named after what it runs', () => {
  it('where it is a contract itself', async () => {
    const { devnet, target } = await begun()
    expect(await named(devnet, target)).toBe('Target')
    expect(await nameAt(devnet, `0x${'99'.repeat(20)}`)).toBe(undefined)
  })

  it('where it is a proxy with its implementation in the slot of EIP-1967', async () => {
    const { devnet, target } = await begun()
    const { address } = await devnet.deploy('ERC1967Proxy', { args: [target, SEVEN_CALLED] })
    expect(await named(devnet, address)).toBe('Target')
  })

  it('where it is a proxy with a beacon', async () => {
    const { devnet, target } = await begun()
    const owner = devnet.accounts[0]!.address
    const beacon = await devnet.deploy('UpgradeableBeacon', { args: [target, owner] })
    const { address } = await devnet.deploy('BeaconProxy', { args: [beacon.address, '0x'] })
    expect(await named(devnet, address)).toBe('Target')
    expect(await nameAt(devnet, beacon.address)).toBe('UpgradeableBeacon')
  })

  it('where a slot of its beacon was not fetched of a network, without asking for it', () => {
    const [proxy, beacon, target] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(20)}` as Address)
    const own = fromHex('0x635c60da1b')
    const state = {
      code: (account: Address) => (account === proxy ? own : new Uint8Array(1)),
      storage(account: Address, slot: bigint) {
        if (account === proxy) return BigInt(beacon!)
        if (slot === 1n) throw new Error('not fetched')
        return BigInt(target!)
      },
    }
    expect(implementationOf(state, proxy!, own).address).toBe(target)
  })

  it.each([
    ['of EIP-1167', '363d3d373d3d3d363d73', '5af43d82803e903d91602b57fd5bf3'],
    ['of 44 bytes', '3d3d3d3d363d3d37363d73', '5af43d3d93803e602a57fd5bf3'],
    ['of EIP-7511', '365f5f375f5f365f73', '5af43d5f5f3e5f3d91602a57fd5bf3'],
    ['of Solady with PUSH0', '5f5f365f5f37365f73', '5af43d5f5f3e6029573d5ffd5b3d5ff3'],
    ['with arguments behind it', '363d3d373d3d3d363d73', '5af43d82803e903d91602b57fd5bf3c0ffee'],
  ])('where it is a minimal proxy %s', async (_, before, after) => {
    const { devnet, target } = await begun()
    const clone = `0x${'c1'.repeat(20)}`
    await devnet.request({
      method: 'anvil_setCode',
      params: [clone, `0x${before}${target.slice(2).toLowerCase()}${after}`],
    })
    expect(await named(devnet, clone)).toBe('Target')
  })

  it('where its key holder delegates to a contract, or to a proxy', async () => {
    const { devnet, target } = await begun()
    const proxy = `0x${'c1'.repeat(20)}`
    const clone = `0x363d3d373d3d3d363d73${target.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`
    await devnet.request({ method: 'anvil_setCode', params: [proxy, clone] })
    for (const [account, delegate] of [
      [devnet.accounts[1]!.address, target],
      [devnet.accounts[2]!.address, proxy],
    ] as const) {
      await devnet.request({ method: 'anvil_setCode', params: [account, `0xef0100${delegate.slice(2)}`] })
      expect(await named(devnet, account)).toBe('Target')
    }
  })

  it('where it is a diamond, by the selector that is called', async () => {
    const { devnet, target } = await begun()
    const { address } = await devnet.deploy('Diamond', { args: [SEVEN_CALLED, target] })
    expect(await devnet.read({ ...SEVEN, address })).toBe(7n)
    expect(await nameAt(devnet, address, SEVEN_CALLED)).toBe('Target')
    expect(await nameAt(devnet, address, '0x12345678')).toBe('Diamond')
    expect(await nameAt(devnet, address)).toBe('Diamond')
  })

  it('in the lines of the command line, too', async () => {
    const { devnet, target } = await begun()
    const address = `0x${'c1'.repeat(20)}` as const
    const clone = `0x363d3d373d3d3d363d73${target.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`
    await devnet.request({ method: 'anvil_setCode', params: [address, clone] })
    const said: Promise<TransactionDescription>[] = []
    devnet.on('sealed', ({ block, state }) => {
      said.push(describeTransaction(devnet, block.transactions[0]!, block.receipts[0]!, state))
    })
    await devnet.send({ to: address, data: SEVEN_CALLED })
    expect(await said[0]).toMatchObject({ contract: 'Target', call: 'seven()' })
  })

  it('and after itself where there is nothing behind it', async () => {
    const { devnet, target } = await begun()
    const { address } = await devnet.deploy('ERC1967Proxy', { args: [target, SEVEN_CALLED] })
    await devnet.request({ method: 'anvil_setCode', params: [target, '0x'] })
    expect(await nameAt(devnet, address)).toBe('ERC1967Proxy')
  })
})
