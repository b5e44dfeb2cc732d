/** `devnet.provider`: EIP-1193 with its events, for what looks for a wallet. */
import { BrowserProvider, ContractFactory } from 'ethers'
import { createWalletClient, custom, getAddress, SwitchChainError } from 'viem'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet, ProviderEvents } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { behind } from '../support/clients/behind.ts'
import { ask, devnetChain, STRANGER, started } from '../support/clients/clients.ts'

/** What the provider tells from now on. */
function told<E extends keyof ProviderEvents>(devnet: Devnet, event: E): Parameters<ProviderEvents[E]>[0][] {
  const all: Parameters<ProviderEvents[E]>[0][] = []
  const add = (payload: Parameters<ProviderEvents[E]>[0]) => void all.push(payload)
  devnet.provider.on(event, add as ProviderEvents[E])
  return all
}

describe('devnet.provider', () => {
  it('is one and the same', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(devnet.provider).toBe(devnet.provider)
  })

  it('says what a request is, where it is asked as others ask', async () => {
    const { provider } = await started({ rhythm: 'manual' })
    await expect(provider.request('eth_chainId' as never)).rejects.toMatchObject({
      code: -32600,
      message: 'invalid request: expected { method, params }, got "eth_chainId"',
    })
  })

  it('serves ethers’ BrowserProvider', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const provider = new BrowserProvider(devnet.provider)
    const signer = await provider.getSigner()
    expect(signer.address).toBe(getAddress(devnet.accounts[0]!.address))
    const factory = new ContractFactory(Token.abi as never, Token.bytecode, signer)
    const token = await factory.deploy('Gold', 'GOLD')
    await token.waitForDeployment()
    const address = (await token.getAddress()) as `0x${string}`
    expect(await devnet.read({ abi: Token.abi, address, functionName: 'name' })).toBe('Gold')
    provider.destroy()
  })

  it('serves viem’s custom, and what viem asks of wallets', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const wallet = createWalletClient({ transport: custom(devnet.provider, { retryCount: 0 }) })
    const addresses = devnet.accounts.map(({ address }) => getAddress(address))
    expect(await wallet.requestAddresses()).toEqual(addresses)
    const [permission] = await wallet.requestPermissions({ eth_accounts: {} })
    expect(permission).toMatchObject({
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: addresses.map((one) => one.toLowerCase()) }],
    })
    expect(await wallet.getPermissions()).toEqual([permission])
    await wallet.switchChain({ id: 31337 })
    await wallet.addChain({ chain: devnetChain })
    await expect(wallet.switchChain({ id: 1 })).rejects.toBeInstanceOf(SwitchChainError)
    const account = addresses[0]!
    expect(await wallet.getCapabilities({ account })).toEqual({
      31337: { atomic: { status: 'unsupported' } },
    })
    const calls = [{ to: STRANGER, value: 1n }] as const
    const { id } = await wallet.sendCalls({
      account,
      chain: devnetChain,
      calls,
      experimental_fallback: true,
    })
    expect(await wallet.getCallsStatus({ id })).toMatchObject({ status: 'success' })
  })

  it('tells that it is connected, to whoever listens from the beginning, once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const early = told(devnet, 'connect')
    await ask(devnet, 'eth_chainId')
    const late = told(devnet, 'connect')
    await ask(devnet, 'eth_chainId')
    expect([early, late]).toEqual([[{ chainId: '0x7a69' }], []])
  })

  it('tells that it is closed, once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const errors = told(devnet, 'disconnect')
    await devnet.close()
    await devnet.close()
    expect(errors).toMatchObject([{ code: 4900, message: 'the devnet is closed' }])
    await expect(devnet.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
  })

  it('tells nobody that it is connected where it is closed by then, or was before it was asked for', async () => {
    const closing = await started({ rhythm: 'manual' })
    const early = told(closing, 'connect')
    await closing.close()
    const closed = await started({ rhythm: 'manual' })
    await closed.close()
    const late = told(closed, 'connect')
    await Promise.resolve()
    expect([early, late]).toEqual([[], []])
  })

  it('that is closed refuses what a fault left without an answer, and tells nothing more', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { provider } = devnet
    const [messages, errors] = [told(devnet, 'message'), told(devnet, 'disconnect')]
    await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
    await devnet.faults.timeout({ method: 'eth_gasPrice' })
    const unanswered = expect(provider.request({ method: 'eth_gasPrice' })).rejects.toMatchObject({
      code: 4900,
    })
    // Two turns later it is known that it gets no answer.
    await ask(devnet, 'eth_chainId')
    provider.close()
    provider.close()
    await unanswered
    await devnet.mine()
    expect(messages).toEqual([])
    expect(errors).toMatchObject([{ code: 4900 }])
  })

  it('tells what was subscribed to', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const messages = told(devnet, 'message')
    const subscription = await devnet.provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
    await devnet.mine()
    expect(messages).toMatchObject([
      { type: 'eth_subscription', data: { subscription, result: { number: '0x1' } } },
    ])
  })

  it('tells nothing of a subscription before its caller has the id, however many functions pass it on', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 0 })
    const order: string[] = []
    devnet.provider.on('message', ({ data }) => void order.push(`message of ${data.subscription}`))
    const ticks = Array.from({ length: 30 }, () => devnet.tick())
    const id = await behind(100, () => ask<string>(devnet, 'eth_subscribe', 'newHeads'))
    order.push(`id ${id}`)
    await Promise.all(ticks)
    await devnet.tick()
    expect(order[0]).toBe(`id ${id}`)
    expect(order).toHaveLength(32)
  })

  it('tells within a command what happens in it, though it was called together with the subscription', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 0 })
    const order: string[] = []
    devnet.provider.on('message', ({ data }) => void order.push(`message of ${data.subscription}`))
    const tick = devnet.tick().then(() => void order.push('end of the tick'))
    const id = await ask<string>(devnet, 'eth_subscribe', 'newHeads')
    order.push(`id ${id}`)
    await tick
    expect(order).toEqual([`id ${id}`, `message of ${id}`, 'end of the tick'])
  })

  it('tells within a command what follows a subscription that a listener made in it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const order: string[] = []
    devnet.provider.on('message', ({ data }) => void order.push(`message of ${data.subscription}`))
    const end = devnet.on('preconfirmed', () => {
      end()
      void behind(100, () => ask<string>(devnet, 'eth_subscribe', 'newHeads')).then((id) =>
        order.push(`id ${id}`),
      )
    })
    await devnet.mine()
    order.push('end of the command')
    expect(order).toEqual(['id 0x1', 'message of 0x1', 'end of the command'])
  })

  it('tells another chain id, and the old one when it is taken back', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const chains = told(devnet, 'chainChanged')
    const before = devnet.snapshot()
    await ask(devnet, 'anvil_setChainId', 5)
    await ask(devnet, 'anvil_setChainId', 5)
    await devnet.mine()
    await devnet.restore(before)
    expect(chains).toEqual(['0x5', '0x7a69'])
  })

  it('tells other accounts: impersonated ones', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const own = devnet.accounts.map(({ address }) => onWire(address))
    const accounts = told(devnet, 'accountsChanged')
    const pirate = await devnet.impersonate(STRANGER)
    await pirate.stop()
    expect(accounts).toEqual([[...own, STRANGER], own])
  })

  it('tells those no more who do not listen any more', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const chains: string[] = []
    const add = (chainId: string) => void chains.push(chainId)
    devnet.provider.on('chainChanged', add).removeListener('chainChanged', add)
    await ask(devnet, 'anvil_setChainId', 5)
    expect(chains).toEqual([])
  })

  it('tells the same to those who take the devnet itself for a provider', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const chains: string[] = []
    const add = (chainId: string) => void chains.push(chainId)
    const stop = devnet.on('chainChanged', add)
    await ask(devnet, 'anvil_setChainId', 5)
    stop()
    devnet.on('chainChanged', add)
    devnet.removeListener('chainChanged', add)
    await ask(devnet, 'anvil_setChainId', 6)
    expect(chains).toEqual(['0x5'])
  })
})

describe('a wallet’s methods', () => {
  it.each([
    ['wallet_switchEthereumChain', [{ chainId: '0x1' }]],
    ['wallet_addEthereumChain', [{ chainId: '0x1', chainName: 'Ethereum', rpcUrls: [] }]],
  ])('%s refuses other chains with the code that apps look for', async (method, params) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.provider.request({ method, params })).rejects.toMatchObject({
      code: 4902,
      message: expect.stringMatching(/^Unrecognized chain ID "0x1": this devnet is the chain "0x7a69"/),
    })
    await ask(devnet, 'anvil_setChainId', 1)
    await expect(devnet.provider.request({ method, params })).resolves.toBeNull()
  })

  it('read their parameters strictly', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const refused = { code: -32602, message: expect.stringContaining('params[0]') }
    await expect(ask(devnet, 'wallet_switchEthereumChain', '0x1')).rejects.toMatchObject(refused)
    await expect(ask(devnet, 'wallet_switchEthereumChain', { chainId: 1 })).rejects.toMatchObject(refused)
    await expect(ask(devnet, 'wallet_requestPermissions')).rejects.toMatchObject(refused)
  })
})
