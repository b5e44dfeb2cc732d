/** The gas that is measured of all devnets: what the receipts say, once for each transaction. */
import { concat, type Hex, keccak256, padHex, toBytes, toFunctionSelector } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Shop } from '../../../fixtures/contracts/Shop.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { UpgradeableProxy } from '../../../fixtures/contracts/UpgradeableProxy.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import { measureGas } from '../../../src/measuring/gas.ts'
import { gasJson } from '../../../src/solidity/gas/gasFormats.ts'
import { proxyTo } from '../../support/chains/shop.ts'
import { ask } from '../../support/clients/clients.ts'
import { compiled } from '../../support/compilers/solidity.ts'
import { askedOf } from '../../support/nodes/networkOf.ts'

/** Begins to measure; the figures are asked for as JSON. */
function measured() {
  const { load: loadArtifacts, result: figures, end } = measureGas()
  onTestFinished(end)
  return Object.assign(() => gasJson(figures()).contracts, { loadArtifacts })
}

async function started(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({ consoleLogs: false, rhythm: 'manual', ...options })
  onTestFinished(() => devnet.close())
  return devnet
}

const gasUsed = async (devnet: Devnet, hash: string) =>
  Number((await ask<{ gasUsed: string }>(devnet, 'eth_getTransactionReceipt', hash)).gasUsed)

/** The statistics of these numbers, computed in another way than those of the report. */
function statistics(gas: readonly number[], failed = 0) {
  const sorted = gas.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return {
    min: Math.min(...gas),
    max: Math.max(...gas),
    avg: Math.round(gas.reduce((a, b) => a + b) / gas.length),
    median: Math.round(
      sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2,
    ),
    count: gas.length,
    failed,
  }
}

describe('the gas of a function', () => {
  it('is what the receipts of its transactions say', async () => {
    const contracts = measured()
    const devnet = await started()
    const [alice, bob, carol] = devnet.accounts.map(({ address }) => address)
    devnet.abis.add({ Token })
    const token = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const hashes: string[] = []
    for (const [to, value] of [
      [bob!, 5n],
      [bob!, 6n],
      [carol!, 7n],
      [alice!, 0n],
    ] as const) {
      hashes.push((await devnet.write({ ...token, functionName: 'mint', args: [to, value] })).hash)
    }
    const approved = await devnet.write({ ...token, functionName: 'approve', args: [bob!, 5n] })
    const gas = await Promise.all(hashes.map((hash) => gasUsed(devnet, hash)))
    expect(new Set(gas).size).toBeGreaterThan(1)
    expect(contracts()).toEqual({
      Token: {
        contractName: 'Token',
        sourceName: null,
        deployment: {
          ...statistics([await gasUsed(devnet, token.hash)]),
          runtimeSize: (Token.deployedBytecode.length - 2) / 2,
          initCodeSize: (await inputOf(devnet, token.hash)).length / 2 - 1,
        },
        functions: {
          approve: statistics([await gasUsed(devnet, approved.hash)]),
          mint: statistics(gas),
        },
      },
    })
  })

  it('leaves out transactions that failed, and counts them', async () => {
    const contracts = measured()
    const devnet = await started()
    devnet.abis.add({ Shop })
    const shop = await devnet.deploy(Shop, { args: [3n] })
    const bought = await devnet.write({ ...shop, functionName: 'buy', args: [1n, ''] })
    const failing = devnet.write({ ...shop, functionName: 'buy', args: [9n, ''], gas: 100_000n })
    await expect(failing).rejects.toThrow('InsufficientStock')
    expect(contracts().Shop!.functions).toEqual({ buy: statistics([await gasUsed(devnet, bought.hash)], 1) })
  })

  it('is measured whether a devnet seals by itself, by ticks, or by command', async () => {
    for (const options of [
      { rhythm: 'instant' },
      { profile: 'base-flashblocks', rhythm: 'manual' },
    ] as const) {
      const contracts = measured()
      const devnet = await started(options)
      devnet.abis.add({ Shop })
      const shop = await devnet.deploy(Shop, { args: [3n] })
      const { hash } = await devnet.write({ ...shop, functionName: 'buy', args: [1n, ''] })
      const { Shop: figures, ...others } = contracts()
      expect(figures!.functions).toEqual({ buy: statistics([await gasUsed(devnet, hash)]) })
      // Nor is what an L2 learns of L1 with each block.
      expect(others).toEqual({})
    }
  })

  it('does not contain transfers to accounts without code', async () => {
    const contracts = measured()
    const devnet = await started()
    await devnet.send({ to: devnet.accounts[1]!.address, value: 5n })
    expect(contracts()).toEqual({})
  })
})

describe('a transaction', () => {
  async function withShop() {
    const devnet = await started()
    devnet.abis.add({ Shop })
    const shop = await devnet.deploy(Shop, { args: [3n] })
    const buy = (on: Devnet, until: 'sealed' | 'preconfirmed' = 'sealed') =>
      on.write({ ...shop, functionName: 'buy', args: [1n, ''], until })
    return { devnet, buy }
  }

  it('is measured once, though forks have it', async () => {
    const contracts = measured()
    const { devnet, buy } = await withShop()
    await buy(devnet)
    await buy(devnet, 'preconfirmed')
    for (const fork of [devnet.fork(), devnet.fork()]) {
      await fork.mine()
      await fork.close()
    }
    await devnet.mine()
    expect(contracts().Shop!.deployment!.count).toBe(1)
    expect(contracts().Shop!.functions!.buy!.count).toBe(2)
  })

  it('of each fork is measured, though it is the same', async () => {
    const contracts = measured()
    const { devnet, buy } = await withShop()
    for (const fork of [devnet.fork(), devnet.fork()]) {
      await buy(fork)
      await fork.close()
    }
    expect(contracts().Shop!.functions!.buy!.count).toBe(2)
  })

  it('that is taken back by a snapshot stays measured', async () => {
    const contracts = measured()
    const { devnet, buy } = await withShop()
    const before = devnet.snapshot()
    await buy(devnet)
    await devnet.restore(before)
    await buy(devnet)
    expect(contracts().Shop!.functions!.buy!.count).toBe(2)
  })

  it('that is pre-confirmed and never sealed is measured', async () => {
    const contracts = measured()
    const { devnet, buy } = await withShop()
    await buy(devnet, 'preconfirmed')
    expect(contracts().Shop!.functions!.buy!.count).toBe(1)
    const fork = devnet.fork()
    await buy(fork, 'preconfirmed')
    await fork.close()
    expect(contracts().Shop!.functions!.buy!.count).toBe(2)
  })

  it('is not measured if nobody measures', async () => {
    const { result: figures, end } = measureGas()
    end()
    const { devnet, buy } = await withShop()
    await buy(devnet)
    expect(figures()).toEqual([])
  })
})

describe('a contract', () => {
  it('behind a proxy is named, and functions of the proxy are its own', async () => {
    const contracts = measured()
    const devnet = await started()
    devnet.abis.add({ Shop, UpgradeableProxy })
    const shop = await devnet.deploy(Shop, { args: [3n] })
    const minimal = '0x0000000000000000000000000000000000001167'
    await ask(devnet, 'anvil_setCode', minimal, proxyTo(shop.address))
    await ask(devnet, 'anvil_setStorageAt', minimal, '0x0', `0x${'3'.padStart(64, '0')}`)
    await devnet.write({ ...shop, address: minimal, functionName: 'buy', args: [1n, ''] })
    const delegating = devnet.accounts[3]!.address
    await ask(devnet, 'anvil_setCode', delegating, `0xef0100${shop.address.slice(2)}`)
    await ask(devnet, 'anvil_setStorageAt', delegating, '0x0', `0x${'3'.padStart(64, '0')}`)
    await devnet.write({ ...shop, address: delegating, functionName: 'buy', args: [1n, ''] })
    const upgradeable = await devnet.deploy(UpgradeableProxy, { args: [shop.address] })
    await ask(devnet, 'anvil_setStorageAt', upgradeable.address, '0x0', `0x${'3'.padStart(64, '0')}`)
    await devnet.write({ ...shop, address: upgradeable.address, functionName: 'buy', args: [1n, ''] })
    await devnet.write({ ...upgradeable, functionName: 'upgradeTo', args: [minimal] })
    expect(Object.keys(contracts())).toEqual(['Shop', 'UpgradeableProxy'])
    expect(contracts().Shop!.functions!.buy!.count).toBe(3)
    expect(contracts().UpgradeableProxy!.functions!.upgradeTo!.count).toBe(1)
  })

  it('behind a diamond is that of the facet which has the function', async () => {
    const contracts = measured()
    const devnet = await started()
    devnet.abis.add({ Shop, Token })
    const diamond = '0x0000000000000000000000000000000000002535'
    // PUSH32 of where the reference implementations of EIP-2535 keep their facets, STOP.
    const place = keccak256(toBytes('diamond.standard.diamond.storage'))
    await ask(devnet, 'anvil_setCode', diamond, `0x7f${place.slice(2)}00`)
    const shop = await devnet.deploy(Shop, { args: [3n] })
    const token = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const facets = {
      [toFunctionSelector('buy(uint256,string)')]: shop,
      [toFunctionSelector('mint(address,uint256)')]: token,
    }
    for (const [selector, facet] of Object.entries(facets)) {
      const slot = keccak256(concat([padHex(selector as Hex, { dir: 'right' }), place]))
      await ask(devnet, 'anvil_setStorageAt', diamond, slot, padHex(facet.address))
    }
    for (const data of [...Object.keys(facets), ...Object.keys(facets), '0x12345678']) {
      await devnet.send({ to: diamond, data: data as Hex })
    }
    const { Shop: ofShop, Token: ofToken, ...others } = contracts()
    expect([ofShop!.functions!.buy!.count, ofToken!.functions!.mint!.count]).toEqual([2, 2])
    expect(Object.values(others).map(({ functions }) => functions)).toEqual([
      { '0x12345678': expect.objectContaining({ count: 1 }) },
    ])
  })

  it('on a fork is itself where its network was not asked for its implementation', async () => {
    const proxy = '0x00000000000000000000000000000000000000aa'
    const network = await started()
    // PUSH4 implementation(), as proxies of beacons have it, STOP.
    await ask(network, 'anvil_setCode', proxy, '0x635c60da1b00')
    await network.mine()
    const contracts = measured()
    const devnet = await started({ fork: { provider: askedOf(network).provider } })
    await devnet.send({ to: proxy, data: '0x12345678' })
    expect(Object.values(contracts()).map(({ functions }) => Object.keys(functions!))).toEqual([
      ['0x12345678'],
    ])
  })

  it('that nobody named is told from others by its code, its functions by any ABI', async () => {
    const contracts = measured()
    const devnet = await started()
    await devnet.deploy(Shop, { args: [3n] })
    const shop = await devnet.deploy(Shop, { args: [4n] })
    await devnet.write({ ...shop, functionName: 'buy', args: [1n, ''] })
    const [name, ...others] = Object.keys(contracts())
    expect(name).toMatch(/^unnamed 0x[0-9a-f]{8}$/)
    expect(others).toEqual([])
    expect(contracts()[name!]).toMatchObject({ deployment: { count: 2 }, functions: { buy: { count: 1 } } })
  })

  it('is named by artifacts, with its source file where another has the same name', async () => {
    const contracts = measured()
    const devnet = await started()
    const text = (more: string) =>
      `contract Till { uint256 public held; ${more} function put() external { held++; } }`
    const runs = [
      compiled({ 'src/Till.sol': text('') }),
      compiled({ 'src/old/Till.sol': text('event Put();') }),
    ]
    for (const run of runs) devnet.artifacts.add(run)
    for (const [i, sourceName] of ['src/Till.sol', 'src/old/Till.sol'].entries()) {
      const { abi, evm } = runs[i]!.output.contracts![sourceName]!.Till!
      const till = await devnet.deploy({ abi: abi!, bytecode: `0x${evm!.bytecode!.object}` })
      await devnet.write({ ...till, functionName: 'put' } as never)
    }
    expect(Object.keys(contracts()).every((name) => name.startsWith('unnamed 0x'))).toBe(true)
    await contracts.loadArtifacts()
    expect(Object.keys(contracts())).toEqual(['src/old/Till.sol:Till', 'src/Till.sol:Till'])
    for (const { contractName, functions } of Object.values(contracts())) {
      expect([contractName, functions!.put!.count]).toEqual(['Till', 1])
    }
  })

  it('without any ABI has its functions by selector', async () => {
    const contracts = measured()
    const devnet = await started()
    const address = '0x00000000000000000000000000000000000000aa'
    await ask(devnet, 'anvil_setCode', address, '0x00')
    await devnet.send({ to: address, data: '0x12345678' })
    await devnet.send({ to: address })
    expect(Object.values(contracts()).map(({ functions }) => Object.keys(functions!))).toEqual([
      ['0x12345678', 'receive'],
    ])
  })

  it('has overloads by their signatures', async () => {
    const contracts = measured()
    const devnet = await started()
    const address = '0x00000000000000000000000000000000000000aa'
    const abi = [
      'function pay(uint256 wei)',
      'function pay(address to, uint256 wei)',
      'function end()',
    ] as const
    devnet.abis.add(abi, { name: 'Till', address })
    await ask(devnet, 'anvil_setCode', address, '0x00')
    await devnet.write({ abi, address, functionName: 'pay', args: [5n] })
    await devnet.write({ abi, address, functionName: 'pay', args: [address, 5n] })
    await devnet.write({ abi, address, functionName: 'end' })
    expect(Object.keys(contracts().Till!.functions!)).toEqual(['end', 'pay(address,uint256)', 'pay(uint256)'])
  })
})

async function inputOf(devnet: Devnet, hash: string): Promise<string> {
  return (await ask<{ input: string }>(devnet, 'eth_getTransactionByHash', hash)).input
}
