/**
 * Fixtures as suites for Hardhat use them: deployed once, restored by `evm_revert` before each test (`loadFixture`). Over HTTP with
 * ethers, which computes where a contract will be from the nonce that it is told.
 */
import plugin from '@nomicfoundation/hardhat-network-helpers'
import type { NetworkHelpers } from '@nomicfoundation/hardhat-network-helpers/types'
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { DevnetOptions } from '../../src/index.ts'
import { started } from '../support/clients/clients.ts'

describe.each([
  ['the profile hardhat', { profile: 'hardhat' }],
  ['the profile default', { tickMs: 5 }],
] as const)('a fixture that evm_revert restores, under %s', (_, options) => {
  async function suite() {
    const devnet = await started(options as DevnetOptions)
    const { url } = await devnet.listen({ port: 0 })
    const provider = new JsonRpcProvider(url, undefined, { pollingInterval: 5, cacheTimeout: -1 })
    onTestFinished(() => provider.destroy())
    const { newConnection } = await (await plugin.hookHandlers!.network!()).default()
    const connection = {
      networkName: 'devnet',
      provider: {
        request: ({ method, params = [] }: { method: string; params?: unknown[] }) =>
          provider.send(method, params),
      },
    }
    const connected = await newConnection!({} as never, async () => connection as never)
    const { networkHelpers } = connected as unknown as { networkHelpers: NetworkHelpers }
    const signer = await provider.getSigner(0)
    const deploy = async (
      { abi, bytecode }: { abi: typeof Token.abi | typeof Store.abi; bytecode: string },
      ...args: unknown[]
    ) => {
      const made = await new ContractFactory(abi as never, bytecode, signer).deploy(...args)
      await made.waitForDeployment()
      return new Contract(await made.getAddress(), abi as never, signer)
    }
    return { provider, signer, deploy, helpers: networkHelpers }
  }

  it('has the nonce and the code of its beginning each time, and what is deployed then is found where it was deployed', async () => {
    const { provider, signer, deploy, helpers } = await suite()
    const fixture = async () => ({ token: await deploy(Token, 'Gold', 'GOLD') })
    const seen: unknown[] = []
    for (let round = 0; round < 3; round++) {
      const { token } = await helpers.loadFixture(fixture)
      const nonce = await provider.getTransactionCount(signer.address)
      // Each round deploys another contract at the same address: that of the round before is gone.
      const other = round % 2 === 0 ? await deploy(Store) : await deploy(Token, 'Silver', 'SILVER')
      const address = await other.getAddress()
      const code = await provider.getCode(address)
      seen.push([nonce, address, await provider.getTransactionCount(signer.address)])
      expect(code).toBe(round % 2 === 0 ? Store.deployedBytecode : Token.deployedBytecode)
      expect(await token.getFunction('name')()).toBe('Gold')
      await (await token.getFunction('mint')(signer.address, 1n)).wait()
      expect(await token.getFunction('balanceOf')(signer.address)).toBe(1n)
    }
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })
})
