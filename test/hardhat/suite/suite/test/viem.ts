import { expect } from 'chai'
import { network } from 'hardhat'
import { getAddress, keccak256, parseEther, toHex } from 'viem'
import { messageOf } from '../support.ts'

const { viem, networkHelpers } = await network.create()
const publicClient = await viem.getPublicClient()
const testClient = await viem.getTestClient()
const [owner, alice] = await viem.getWalletClients()
const suite = await viem.deployContract('Suite')

describe('viem', () => {
  it('writes and reads', async () => {
    await suite.write.set([3n])
    expect(await suite.read.value()).to.equal(3n)
  })

  it('deploys with arguments, as another account', async () => {
    const token = await viem.deployContract('Token', [50n], { client: { wallet: alice } })
    expect(await token.read.balanceOf([alice.account.address])).to.equal(50n)
  })

  it('waits for receipts', async () => {
    const hash = await owner.sendTransaction({ to: alice.account.address, value: parseEther('1') })
    const { status, gasUsed } = await publicClient.waitForTransactionReceipt({ hash })
    expect([status, gasUsed]).to.deep.equal(['success', 21_000n])
  })

  it('has the reason of a revert', async () => {
    expect(await messageOf(suite.write.atLeast([1n]))).to.include('too small')
  })

  it('has the custom error of a revert', async () => {
    const error = await suite.read.values([5n]).catch(({ cause }) => cause.data)
    expect(error.errorName).to.equal('Values')
    expect(error.args[0]).to.equal(5n)
  })

  it('reads events', async () => {
    await suite.write.store([9n, 'text'])
    const [event] = await suite.getEvents.Stored()
    expect([event.args.id, event.args.topic, event.args.text]).to.deep.equal([
      9n,
      keccak256(toHex('text')),
      'text',
    ])
  })

  it('sets balances and impersonates', async () => {
    const address = getAddress(`0x${'ab'.repeat(20)}`)
    await testClient.setBalance({ address, value: parseEther('2') })
    await testClient.impersonateAccount({ address })
    const wallet = await viem.getWalletClient(address)
    await wallet.sendTransaction({ to: alice.account.address, value: 1n })
    expect(await publicClient.getTransactionCount({ address })).to.equal(1)
  })

  it('mines with an interval', async () => {
    const { number } = await publicClient.getBlock()
    await testClient.mine({ blocks: 3, interval: 10 })
    expect(await publicClient.getBlockNumber({ cacheTime: 0 })).to.equal(number + 3n)
  })

  it('signs typed data that verifies', async () => {
    const data = {
      domain: { name: 'Suite', chainId: 31_337 },
      types: { Mail: [{ name: 'text', type: 'string' }] },
      primaryType: 'Mail',
      message: { text: 'hi' },
    } as const
    const signature = await owner.signTypedData(data)
    expect(
      await publicClient.verifyTypedData({ ...data, address: owner.account.address, signature }),
    ).to.equal(true)
  })

  it('simulates a contract', async () => {
    const token = await viem.deployContract('Token', [50n])
    const { result } = await publicClient.simulateContract({
      address: token.address,
      abi: token.abi,
      functionName: 'transfer',
      args: [alice.account.address, 7n],
    })
    expect(result).to.equal(true)
    expect(await token.read.balanceOf([alice.account.address])).to.equal(0n)
  })

  it('moves time', async () => {
    const before = await networkHelpers.time.latest()
    await testClient.increaseTime({ seconds: 300 })
    await testClient.mine({ blocks: 1 })
    expect(await networkHelpers.time.latest()).to.be.within(before + 300, before + 360)
  })
})
