/** Code is recognized with any immutables, libraries, metadata and constructor arguments. */
import { describe, expect, it } from 'vitest'
import { fromHex, type Hex, toHex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import type { CodeMatch, Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'

const VAULT = `
  // SPDX-License-Identifier: MIT
  pragma solidity ^0.8.0;
  library Sum {
    function add(uint256 a, uint256 b) public pure returns (uint256) { return a + b; }
    // Changes state, so that the library checks for DELEGATECALL.
    function append(uint256[] storage list, uint256 a) public { list.push(a); }
  }
  contract Vault {
    error TooMuch(uint256 asked);
    uint256 public immutable cap;
    uint256 public held;
    constructor(uint256 cap_) { cap = cap_; }
    function put(uint256 amount) external {
      if (amount > cap) revert TooMuch(amount);
      held = Sum.add(held, amount);
    }
  }
  contract Maker { function make() external returns (Vault) { return new Vault(5); } }
`
const LIBRARY = '11'.repeat(20)

/** A devnet that knows the compilations, and its `find`. */
async function knowing(...compilations: readonly Compilation[]) {
  const devnet = await createDevnet({ rhythm: 'manual' })
  for (const compilation of compilations) devnet.artifacts.add(compilation)
  await devnet.artifacts.load()
  return devnet
}

/** A contract's code with its libraries linked. */
function codeOf(compilation: Compilation, name: string, kind: 'bytecode' | 'deployedBytecode'): Uint8Array {
  const { object } = contractOf(compilation, name).output.evm![kind]!
  return fromHex(`0x${object.replace(/__\$.{34}\$__/g, LIBRARY)}` as Hex)
}

function find(devnet: Devnet, code: Uint8Array, isCreation = false): string | undefined {
  return described(devnet.artifacts.find(code, isCreation))
}

function described(match: CodeMatch | undefined): string | undefined {
  if (match === undefined) return undefined
  const all = match.kind === 'contract' ? [match.contract] : match.contracts
  return all.map(({ sourceName, name }) => `${sourceName}:${name}`).join(' or ')
}

describe('code', () => {
  it.each([
    ['legacy', false],
    ['via IR', true],
  ])('is recognized with immutables that have values and libraries that are linked, %s', async (_, viaIR) => {
    const vault = compiled({ 'Vault.sol': VAULT }, { viaIR })
    const devnet = await knowing(vault)
    const code = codeOf(vault, 'Vault', 'deployedBytecode')
    const places = Object.values(
      contractOf(vault, 'Vault').output.evm!.deployedBytecode!.immutableReferences!,
    )
    for (const { start, length } of places.flat()) code.fill(7, start, start + length)
    expect(find(devnet, code)).toBe('Vault.sol:Vault')
    const changed = code.slice()
    changed[code.length - 60]! ^= 1
    expect(find(devnet, changed)).toBe(undefined)
  })

  it.each([
    ['legacy', false],
    ['via IR', true],
  ])('of a library is recognized with its own address in it, %s', async (_, viaIR) => {
    const vault = compiled({ 'Vault.sol': VAULT }, { viaIR })
    const devnet = await knowing(vault)
    const { abi, evm } = contractOf(vault, 'Sum').output
    const { address } = await devnet.deploy({ abi: abi!, bytecode: `0x${evm!.bytecode!.object}` })
    const deployed = await devnet.request({ method: 'eth_getCode', params: [address, 'latest'] })
    expect(deployed).toContain(address.slice(2).toLowerCase())
    expect(find(devnet, fromHex(deployed))).toBe('Vault.sol:Sum')
  })

  it('of a creation is recognized with constructor arguments behind it', async () => {
    const vault = compiled({ 'Vault.sol': VAULT })
    const devnet = await knowing(vault)
    const code = codeOf(vault, 'Vault', 'bytecode')
    expect(find(devnet, code, true)).toBe('Vault.sol:Vault')
    expect(find(devnet, new Uint8Array([...code, ...new Uint8Array(32).fill(9)]), true)).toBe(
      'Vault.sol:Vault',
    )
    expect(find(devnet, code.subarray(0, -1), true)).toBe(undefined)
  })

  it('is recognized with other metadata, its own and that of contracts it creates', async () => {
    const vault = compiled({ 'Vault.sol': VAULT })
    // A comment changes the metadata hash only.
    const other = compiled({ 'Vault.sol': `${VAULT}// Another line.` })
    const devnet = await knowing(vault)
    for (const name of ['Vault', 'Maker', 'Sum']) {
      const code = codeOf(other, name, 'deployedBytecode')
      expect(code).not.toEqual(codeOf(vault, name, 'deployedBytecode'))
      expect(find(devnet, code)).toBe(`Vault.sol:${name}`)
      expect(find(devnet, codeOf(other, name, 'bytecode'), true)).toBe(`Vault.sol:${name}`)
    }
  })

  it('that several contracts have is of the one with the same metadata', async () => {
    const text = (name: string) => `pragma solidity ^0.8.0; contract ${name} { uint256 public x; }`
    const both = compiled({ 'One.sol': text('One'), 'Two.sol': text('Two') })
    const devnet = await knowing(both)
    expect(find(devnet, codeOf(both, 'One', 'deployedBytecode'))).toBe('One.sol:One')
    expect(find(devnet, codeOf(both, 'Two', 'deployedBytecode'))).toBe('Two.sol:Two')
  })

  it('that several contracts have equally is of all of them', async () => {
    const text = (name: string) => `pragma solidity ^0.8.0; contract ${name} { uint256 public x; }`
    const known = compiled({ 'One.sol': text('One'), 'Two.sol': text('Two') })
    const unknown = compiled({ 'Three.sol': text('Three') })
    const devnet = await knowing(known)
    expect(find(devnet, codeOf(unknown, 'Three', 'deployedBytecode'))).toBe('One.sol:One or Two.sol:Two')
  })

  it('that was compiled twice from the same source is of one contract', async () => {
    const devnet = await knowing(compiled({ 'Vault.sol': VAULT }), compiled({ 'Vault.sol': VAULT }))
    const code = codeOf(compiled({ 'Vault.sol': VAULT }), 'Vault', 'deployedBytecode')
    expect(find(devnet, code)).toBe('Vault.sol:Vault')
  })

  it('that nobody compiled, and no code, are nobody’s', async () => {
    const devnet = await knowing(compiled({ 'Vault.sol': VAULT }))
    expect(find(devnet, fromHex('0x6000'))).toBe(undefined)
    expect(find(devnet, new Uint8Array())).toBe(undefined)
    expect(find(devnet, new Uint8Array(), true)).toBe(undefined)
  })
})

describe('artifacts', () => {
  it('name custom errors without their ABIs being added', async () => {
    const vault = compiled({ 'Vault.sol': VAULT })
    const devnet = await createDevnet({ rhythm: 'manual', artifacts: vault })
    const abi = ['constructor(uint256)', 'function put(uint256)'] as const
    const bytecode = toHex(codeOf(vault, 'Vault', 'bytecode'))
    const { address } = await devnet.deploy({ abi, bytecode }, { args: [5n] })
    const put = devnet.write({ abi, address, functionName: 'put', args: [6n] })
    await expect(put).rejects.toThrow('put reverted: TooMuch(asked: 6)')
  })

  it('of a devnet are known to its forks, and those of a fork to nobody else', async () => {
    const vault = compiled({ 'Vault.sol': VAULT })
    const devnet = await knowing(vault)
    const fork = devnet.fork()
    const one = compiled({ 'One.sol': 'contract One { uint256 public x; }' })
    fork.artifacts.add(one)
    await fork.artifacts.load()
    await devnet.artifacts.load()
    expect(find(fork, codeOf(vault, 'Vault', 'bytecode'), true)).toBe('Vault.sol:Vault')
    expect(find(fork, codeOf(one, 'One', 'deployedBytecode'))).toBe('One.sol:One')
    expect(find(devnet, codeOf(one, 'One', 'deployedBytecode'))).toBe(undefined)
  })

  it('that are ABIs or of one contract are added to the ABIs', async () => {
    const devnet = await createDevnet({ rhythm: 'manual' })
    devnet.artifacts.add(['error Custom(uint256 code)'])
    devnet.artifacts.add({ Other: ['error Other()'] })
    expect([...devnet.abis].map(({ name }) => name)).toEqual(['Other', undefined])
  })

  it.each([[undefined], [7], ['']])('are not %j', async (what) => {
    const devnet = await createDevnet({ rhythm: 'manual' })
    expect(() => devnet.artifacts.add(what as never)).toThrow(
      /artifacts\.add: expected a path, \{ input, output \} of solc, an ABI or an artifact, got/,
    )
  })
})
