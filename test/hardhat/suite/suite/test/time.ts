import { expect } from 'chai'
import { network } from 'hardhat'
import { messageOf } from '../support.ts'

const { ethers, networkHelpers, provider } = await network.create()
const { loadFixture, mine, mineUpTo, takeSnapshot, time } = networkHelpers

const suite = await ethers.deployContract('Suite')
const timeOf = async (block: string | number) => (await ethers.provider.getBlock(block))!.timestamp
const numberNow = () => ethers.provider.getBlockNumber()

describe('time', () => {
  it('goes on by increase', async () => {
    const before = await time.latest()
    await time.increase(3_600)
    expect(await time.latest()).to.equal(before + 3_600)
  })

  it('returns the new time from increase', async () => {
    expect(await time.increase(time.duration.days(2))).to.equal(await time.latest())
  })

  it('goes on to a time by increaseTo', async () => {
    const target = (await time.latest()) + time.duration.weeks(1)
    await time.increaseTo(target)
    expect(await time.latest()).to.equal(target)
  })

  it('does not go back', async () => {
    const now = await time.latest()
    await messageOf(time.increaseTo(now - 1))
    expect(await time.latest()).to.equal(now)
  })

  it('is the one of setNextBlockTimestamp in a transaction', async () => {
    const target = (await time.latest()) + 1_234
    await time.setNextBlockTimestamp(target)
    await suite.storeTime()
    expect(await suite.value()).to.equal(target)
  })

  it('does not change by setNextBlockTimestamp alone', async () => {
    const now = await time.latest()
    await time.setNextBlockTimestamp(now + 50)
    expect(await time.latest()).to.equal(now)
    await mine()
  })

  it('is the one of setNextBlockTimestamp in a call for the pending block', async () => {
    const target = (await time.latest()) + 500
    await time.setNextBlockTimestamp(target)
    expect((await suite.environment({ blockTag: 'pending' })).time).to.equal(target)
    await mine()
  })

  it('has at least a second between blocks', async () => {
    const first = await suite.storeTime()
    const second = await suite.storeTime()
    expect(await timeOf(second.blockNumber!)).to.be.greaterThan(await timeOf(first.blockNumber!))
  })

  it('does not go back after time was moved forward', async () => {
    await time.increase(100_000)
    const before = await time.latest()
    await suite.storeTime()
    expect(await suite.value()).to.be.within(before + 1, before + 60)
  })

  it('of a deadline is over after increaseTo', async () => {
    const deadline = (await time.latest()) + 86_400
    await expect(suite.afterTime(deadline)).to.be.revertedWith('too early')
    await time.increaseTo(deadline)
    expect(await suite.afterTime(deadline)).to.equal(true)
  })

  it('is after the latest block in an estimate', async () => {
    const deadline = (await time.latest()) + 1
    expect(await suite.afterTime.estimateGas(deadline)).to.be.greaterThan(21_000n)
  })

  it('is given by evm_mine', async () => {
    const target = (await time.latest()) + 777
    await provider.request({ method: 'evm_mine', params: [target] })
    expect(await time.latest()).to.equal(target)
  })

  it('goes on by evm_increaseTime with the next block', async () => {
    const before = await time.latest()
    await provider.request({ method: 'evm_increaseTime', params: [1_000] })
    expect(await time.latest()).to.equal(before)
    await mine()
    expect(await time.latest()).to.be.within(before + 1_000, before + 1_060)
  })
})

describe('mining', () => {
  it('adds one block', async () => {
    const before = await numberNow()
    await mine()
    expect(await numberNow()).to.equal(before + 1)
  })

  it('adds a thousand blocks', async () => {
    const before = await numberNow()
    await mine(1_000)
    expect(await numberNow()).to.equal(before + 1_000)
    expect((await ethers.provider.getBlock(before + 500))!.number).to.equal(before + 500)
  })

  it('adds blocks with an interval', async () => {
    await mine()
    const before = await time.latest()
    await mine(10, { interval: 60 })
    const last = await numberNow()
    expect((await timeOf(last)) - (await timeOf(last - 1))).to.equal(60)
    expect(await time.latest()).to.be.within(before + 541, before + 602)
  })

  it('adds blocks up to a number', async () => {
    const target = (await numberNow()) + 25
    await mineUpTo(target)
    expect(await time.latestBlock()).to.equal(target)
  })

  it('does not go back to a number', async () => {
    const now = await numberNow()
    expect(await messageOf(mineUpTo(now - 1))).to.match(/HHE60006/)
  })

  it('gives blocks the hash of their parent', async () => {
    await mine(3)
    const block = (await ethers.provider.getBlock('latest'))!
    const parent = (await ethers.provider.getBlock(block.number - 1))!
    expect(block.parentHash).to.equal(parent.hash)
  })

  it('gives code the hashes of blocks', async () => {
    await mine(2)
    const latest = (await ethers.provider.getBlock('latest'))!
    expect(await suite.hashOf(latest.number - 1)).to.equal(latest.parentHash)
  })
})

describe('snapshots', () => {
  it('restore values', async () => {
    await suite.set(1)
    const snapshot = await takeSnapshot()
    await suite.set(2)
    await snapshot.restore()
    expect(await suite.value()).to.equal(1)
  })

  it('restore more than once', async () => {
    const snapshot = await takeSnapshot()
    const before = await numberNow()
    for (const next of [3, 4]) {
      await suite.set(next)
      await snapshot.restore()
      expect(await numberNow()).to.equal(before)
    }
  })

  it('restore balances and nonces', async () => {
    const [from, to] = await ethers.getSigners()
    const seen = async () => [await ethers.provider.getBalance(from), await from.getNonce()]
    const before = await seen()
    const snapshot = await takeSnapshot()
    await from.sendTransaction({ to, value: 5n })
    expect(await seen()).not.to.deep.equal(before)
    await snapshot.restore()
    expect(await seen()).to.deep.equal(before)
  })

  it('are used up by evm_revert', async () => {
    const id = await provider.request({ method: 'evm_snapshot', params: [] })
    expect(await provider.request({ method: 'evm_revert', params: [id] })).to.equal(true)
    expect(await provider.request({ method: 'evm_revert', params: [id] })).to.equal(false)
  })

  it('remove transactions of later blocks', async () => {
    const snapshot = await takeSnapshot()
    const { hash } = await suite.set(8)
    await snapshot.restore()
    expect(await ethers.provider.getTransactionReceipt(hash)).to.equal(null)
  })
})

describe('fixtures', () => {
  let runs = 0
  async function deployed() {
    runs++
    return { own: await ethers.deployContract('Suite') }
  }

  it('run at first', async () => {
    const { own } = await loadFixture(deployed)
    await own.set(5)
    expect(await own.value()).to.equal(5)
    expect(runs).to.equal(1)
  })

  it('are restored then', async () => {
    const { own } = await loadFixture(deployed)
    expect(await own.value()).to.equal(0)
    expect(runs).to.equal(1)
  })

  it('restore after blocks were mined', async () => {
    await mine(50)
    const { own } = await loadFixture(deployed)
    const number = await numberNow()
    await own.set(1)
    expect(await numberNow()).to.equal(number + 1)
  })

  it('may be others in between', async () => {
    const other = async function other() {
      return (await loadFixture(deployed)).own.getAddress()
    }
    const address = await loadFixture(other)
    const { own } = await loadFixture(deployed)
    expect(await own.getAddress()).to.equal(address)
  })
})
