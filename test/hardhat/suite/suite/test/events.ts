import { anyUint, anyValue } from '@nomicfoundation/hardhat-ethers-chai-matchers/withArgs'
import { expect } from 'chai'
import type { Log } from 'ethers'
import { network } from 'hardhat'
import { messageOf } from '../support.ts'

const { ethers } = await network.create()
const [owner, alice] = await ethers.getSigners()
const suite = await ethers.deployContract('Suite')

describe('events', () => {
  it('have values', async () => {
    const token = await ethers.deployContract('Token', [10n])
    await expect(token.transfer(alice, 3n)).to.emit(token, 'Transfer').withArgs(owner, alice, 3n)
  })

  it('have any value', async () => {
    await expect(suite.store(5n, 'a')).to.emit(suite, 'Stored').withArgs(anyUint, anyValue, 'a')
  })

  it('have the hash of an indexed text', async () => {
    await expect(suite.store(5n, 'a')).to.emit(suite, 'Stored').withArgs(5n, 'a', 'a')
    const receipt = (await (await suite.store(5n, 'a')).wait())!
    expect(receipt.logs[0].topics[2]).to.equal(ethers.id('a'))
  })

  it('have structs and lists', async () => {
    await expect(suite.pair()).to.emit(suite, 'Pair').withArgs(owner, [7n, 'seven'], [])
  })

  it('of one name may be more than one', async () => {
    const sent = suite.pair()
    await expect(sent).to.emit(suite, 'Stored').withArgs(1n, 'a', 'b')
    await expect(sent).to.emit(suite, 'Stored').withArgs(2n, 'a', 'c')
  })

  it('are not there', async () => {
    await expect(suite.set(1n)).not.to.emit(suite, 'Stored')
  })

  it('with other values are not there', async () => {
    const wrong = expect(suite.store(1n, 'a')).to.emit(suite, 'Stored').withArgs(2n, 'a', 'a')
    expect(await messageOf(wrong)).to.match(/expected 1 to equal 2/i)
  })

  it('are found by a filter', async () => {
    const { blockNumber } = (await (await suite.store(77n, 'a')).wait())!
    const found = await suite.queryFilter(suite.filters.Stored(77n), blockNumber)
    expect(found).to.have.length(1)
    expect(await suite.queryFilter(suite.filters.Stored(78n), blockNumber)).to.have.length(0)
  })

  it('come from a constructor', async () => {
    const token = await ethers.deployContract('Token', [10n])
    await expect(token.deploymentTransaction())
      .to.emit(token, 'Transfer')
      .withArgs(ethers.ZeroAddress, owner, 10n)
  })

  it('of a transaction that reverts are not there', async () => {
    const receipt = (await (await suite.store(1n, 'x')).wait())!
    await expect(suite.plain({ gasLimit: 100_000 })).to.revert(ethers)
    expect(await suite.queryFilter('Stored', receipt.blockNumber + 1)).to.have.length(0)
  })

  it('reach a listener', async () => {
    const seen = new Promise((resolve) => suite.once('Stored', (id) => resolve(id)))
    await suite.store(31n, 'heard')
    expect(await seen).to.equal(31n)
  })

  it('have a place in the block', async () => {
    const { logs, hash, blockHash } = (await (await suite.pair()).wait())!
    expect(logs.map(({ index }: Log) => index)).to.deep.equal([0, 1, 2])
    expect(logs.every((log: Log) => log.transactionHash === hash && log.blockHash === blockHash)).to.equal(
      true,
    )
  })
})

describe('console.log', () => {
  it('does not change what a transaction does', async () => {
    await suite.set(4n)
    await suite.log()
    expect(await suite.value()).to.equal(5n)
  })
})
