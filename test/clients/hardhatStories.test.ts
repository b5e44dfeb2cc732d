/**
 * What suites that were written for Hardhat's own network do (OpenZeppelin's among them), with ethers as it comes, over HTTP, against
 * the profile `hardhat`. Hardhat 3.18's own network answers all of it the same, but for the last: it refuses to send what fails.
 */
import { Contract, toBeHex, Wallet } from 'ethers'
import { describe, expect, it } from 'vitest'
import { Ballot } from '../../fixtures/contracts/Ballot.ts'
import { DoubleCounter } from '../../fixtures/contracts/DoubleCounter.ts'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { UpgradeableProxy } from '../../fixtures/contracts/UpgradeableProxy.ts'
import { connectedEthers, deployed, overHttp } from '../support/clients/ethers.ts'

async function suite() {
  const { provider } = await connectedEthers(overHttp, { profile: 'hardhat' })
  return { provider, signer: await provider.getSigner(0) }
}

/** Sends `method` of `contract`, estimated by ethers, and waits for its receipt, which says that it succeeded. */
async function sent(contract: Contract, method: string, ...args: unknown[]): Promise<void> {
  const transaction = await contract.getFunction(method)(...args)
  expect(await transaction.wait()).toMatchObject({ status: 1 })
}

/** The custom error with which `asked` is refused, by the ABI of `contract`: its name and its arguments. */
async function refusalOf(contract: Contract, asked: Promise<unknown>): Promise<unknown[]> {
  const error = await asked.then(
    () => expect.fail('expected a refusal'),
    (refusal: { code: string; data: string }) => refusal,
  )
  expect(error.code).toBe('CALL_EXCEPTION')
  const { name, args } = contract.interface.parseError(error.data)!
  return [name, ...args]
}

describe('a vote', () => {
  const DAY = 86_400

  async function ballot() {
    const { provider, signer } = await suite()
    const { number, timestamp } = (await provider.getBlock('latest'))!
    const [snapshot, deadline] = [number + 10, timestamp + DAY]
    return { provider, snapshot, deadline, contract: await deployed(Ballot, signer, snapshot, deadline) }
  }

  it('is cast in the block after its snapshot, when the newest block is the snapshot itself', async () => {
    const { provider, snapshot, contract } = await ballot()
    await provider.send('hardhat_mine', [toBeHex(snapshot - 1 - (await provider.getBlockNumber()))])
    const early = await refusalOf(contract, contract.getFunction('vote').estimateGas())
    expect(early).toEqual(['NotActive', BigInt(snapshot), BigInt(snapshot)])
    await provider.send('hardhat_mine', [])
    expect(await provider.getBlockNumber()).toBe(snapshot)
    await sent(contract, 'vote')
    expect(await contract.getFunction('votes')()).toBe(1n)
  })

  it('is executed in the block whose time was set to its deadline', async () => {
    const { provider, deadline, contract } = await ballot()
    await provider.send('evm_setNextBlockTimestamp', [deadline - 1])
    const early = await refusalOf(contract, contract.getFunction('execute').estimateGas())
    expect(early).toEqual(['NotOver', BigInt(deadline - 1), BigInt(deadline)])
    await provider.send('evm_setNextBlockTimestamp', [deadline])
    await sent(contract, 'execute')
    expect(await contract.getFunction('executed')()).toBe(true)
  })

  it('is executed after evm_increaseTime, without a block in between', async () => {
    const { provider, contract } = await ballot()
    await provider.send('evm_increaseTime', [DAY])
    await sent(contract, 'execute')
    expect(await contract.getFunction('executed')()).toBe(true)
  })
})

describe('a proxy that a fixture deployed', () => {
  it('has its first implementation after each evm_revert, and is upgraded to what is deployed at the same address again', async () => {
    const { provider, signer } = await suite()
    const first = await deployed(DoubleCounter, signer)
    const proxy = await deployed(UpgradeableProxy, signer, first.target)
    const counter = new Contract(proxy.target, DoubleCounter.abi, signer)
    const store = new Contract(proxy.target, Store.abi, signer)
    const implementation = proxy.getFunction('implementation')
    let snapshot = await provider.send('evm_snapshot', [])
    const upgrades: unknown[] = []
    for (let round = 0; round < 3; round++) {
      expect(await implementation()).toBe(first.target)
      await sent(counter, 'increment')
      expect(await counter.getFunction('count1')()).toBe(1n)
      const next = await deployed(Store, signer)
      await sent(proxy, 'upgradeTo', next.target)
      expect(await implementation()).toBe(next.target)
      // The proxy's storage stays: the counter's first slot is the store's.
      expect(await store.getFunction('get')(0n)).toBe(1n)
      upgrades.push(next.target)
      expect(await provider.send('evm_revert', [snapshot])).toBe(true)
      snapshot = await provider.send('evm_snapshot', [])
    }
    expect(new Set(upgrades).size).toBe(1)
  })
})

it('a contract that is placed at its canonical address before the first test is estimated, called and there after evm_revert', async () => {
  const { provider, signer } = await suite()
  const address = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
  await provider.send('hardhat_setCode', [address, Store.deployedBytecode])
  const store = new Contract(address, Store.abi, signer)
  const snapshot = await provider.send('evm_snapshot', [])
  await sent(store, 'set', 1n, 42n)
  expect(await store.getFunction('get')(1n)).toBe(42n)
  expect(await provider.send('evm_revert', [snapshot])).toBe(true)
  expect(await provider.getCode(address)).toBe(Store.deployedBytecode)
  expect(await store.getFunction('get')(1n)).toBe(0n)
})

it('an account delegates to code (EIP-7702), and its authorization comes back as it was signed', async () => {
  const { provider, signer } = await suite()
  const store = await deployed(Store, signer)
  const payer = new Wallet(`0x${'77'.repeat(32)}`, provider)
  await provider.send('hardhat_setBalance', [payer.address, toBeHex(10n ** 18n)])
  const guest = new Wallet(`0x${'88'.repeat(32)}`, provider)
  const authorization = await guest.authorize({ address: store.target as string })
  const data = store.interface.encodeFunctionData('set', [1n, 42n])
  const setting = await payer.sendTransaction({ to: guest, data, authorizationList: [authorization] })
  expect(await setting.wait()).toMatchObject({ status: 1, type: 4 })
  expect(await provider.getStorage(guest, 1n)).toBe(toBeHex(42, 32))
  const { authorizationList } = (await provider.getTransaction(setting.hash))!
  expect(authorizationList![0]!.signature.serialized).toBe(authorization.signature.serialized)
  // A call with such a list, its quantities as bytes: yParity 0x00 or 0x01, r and s of 32 bytes.
  const { r, s, yParity } = authorization.signature
  const asBytes = {
    address: store.target,
    chainId: '0x7a69',
    nonce: '0x00',
    yParity: toBeHex(yParity, 1),
    r,
    s,
  }
  const call = { from: payer.address, to: guest.address, data, authorizationList: [asBytes] }
  expect(await provider.send('eth_call', [call, 'latest'])).toBe('0x')
})

it('a contract of 30,000 bytes is deployed', async () => {
  const { provider, signer } = await suite()
  const deploying = await signer.sendTransaction({ data: '0x6175305ff3' })
  const { contractAddress } = (await deploying.wait())!
  expect((await provider.getCode(contractAddress!)).length).toBe(2 + 2 * 30_000)
})

describe('what a contract reverted with reaches ethers', () => {
  const reverting = async () => {
    const { provider, signer } = await suite()
    return { provider, signer, contract: await deployed(Reverter, signer) }
  }
  it('from a call, an estimate and a transaction: a custom error with its arguments', async () => {
    const { signer, contract } = await reverting()
    const method = contract.getFunction('writeThenRevertCustom')
    for (const ask of [method.staticCall, method.estimateGas, method.send]) {
      expect(await refusalOf(contract, ask(7n))).toEqual(['Custom', 7n, signer.address])
    }
  })

  it('as words, as a panic, and as no data at all', async () => {
    const { contract } = await reverting()
    const of = (name: string) => contract.getFunction(name).estimateGas()
    await expect(of('writeThenRevertString')).rejects.toMatchObject({ reason: 'Something went wrong' })
    await expect(of('writeThenPanicAssert')).rejects.toMatchObject({ revert: { name: 'Panic', args: [1] } })
    await expect(of('writeThenRevertEmpty')).rejects.toMatchObject({ data: '0x', reason: 'require(false)' })
  })

  it('from a transaction that was mined, when its call is made again at its block as Hardhat’s matchers do', async () => {
    const { provider, signer, contract } = await reverting()
    const failing = await contract.getFunction('writeThenRevertCustom')(7n, { gasLimit: 100_000n })
    const receipt = await failing.wait().catch((error: { receipt: unknown }) => error.receipt)
    expect(receipt).toMatchObject({ status: 0 })
    const {
      to,
      from,
      data,
      value,
      nonce,
      gasLimit,
      type,
      chainId,
      maxFeePerGas,
      maxPriorityFeePerGas,
      accessList,
    } = failing
    const fees = { maxFeePerGas, maxPriorityFeePerGas }
    const again = {
      to,
      from,
      data,
      value,
      nonce,
      gasLimit,
      type,
      chainId,
      accessList,
      ...fees,
      blockTag: receipt.blockNumber,
    }
    expect(await refusalOf(contract, provider.call(again))).toEqual(['Custom', 7n, signer.address])
  })
})
