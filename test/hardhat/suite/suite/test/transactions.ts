import { expect } from 'chai'
import { network } from 'hardhat'
import { messageOf } from '../support.ts'

const { ethers, networkHelpers, provider } = await network.create()
const [owner, alice, bob] = await ethers.getSigners()
const suite = await ethers.deployContract('Suite')
const GWEI = 10n ** 9n
const ask = (method: string, ...params: unknown[]) => provider.request({ method, params })

describe('transactions', () => {
  it('of type 0 have a gas price', async () => {
    const sent = await owner.sendTransaction({ type: 0, to: alice, gasPrice: 5n * GWEI })
    const receipt = (await sent.wait())!
    expect([sent.type, sent.gasPrice, receipt.gasPrice]).to.deep.equal([0, 5n * GWEI, 5n * GWEI])
  })

  it('of type 1 have an access list', async () => {
    const address = await suite.getAddress()
    const accessList = [{ address, storageKeys: [ethers.ZeroHash] }]
    const sent = await owner.sendTransaction({ type: 1, to: alice, accessList })
    expect(sent.accessList).to.deep.equal(accessList)
    expect((await sent.wait())!.gasUsed).to.equal(21_000n + 2_400n + 1_900n)
  })

  it('of type 2 pay the base fee and the tip', async () => {
    const fees = { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: 2n * GWEI }
    const receipt = (await (await owner.sendTransaction({ to: alice, ...fees })).wait())!
    const { baseFeePerGas } = (await receipt.getBlock())!
    expect([receipt.type, receipt.gasPrice]).to.deep.equal([2, baseFeePerGas! + 2n * GWEI])
  })

  it('have type 2 by default', async () => {
    expect((await owner.sendTransaction({ to: alice })).type).to.equal(2)
  })

  it('below the base fee are refused', async () => {
    const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
    const message = await messageOf(owner.sendTransaction({ to: alice, ...fees }))
    await networkHelpers.mine()
    const { baseFeePerGas } = (await ethers.provider.getBlock('latest'))!
    expect(message).to.equal(
      `Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of ${baseFeePerGas}`,
    )
  })

  it('with too little gas for their data are refused', async () => {
    const message = await messageOf(owner.sendTransaction({ to: alice, gasLimit: 20_000n }))
    expect(message).to.equal('Transaction requires at least 21000 gas but got 20000')
  })

  it('with more gas than a transaction may have are refused', async () => {
    const message = await messageOf(owner.sendTransaction({ to: alice, gasLimit: 61_000_000n }))
    expect(message).to.equal('Transaction gas limit is 61000000 and exceeds transaction gas cap of 16777216')
  })

  it('have a receipt', async () => {
    const sent = await suite.set(1n)
    const receipt = (await sent.wait())!
    expect(receipt.status).to.equal(1)
    expect(receipt.from).to.equal(owner.address)
    expect(receipt.to).to.equal(await suite.getAddress())
    expect(receipt.contractAddress).to.equal(null)
    expect(receipt.index).to.equal(0)
    expect(receipt.cumulativeGasUsed).to.equal(receipt.gasUsed)
  })

  it('that deploy have the address of the contract in their receipt', async () => {
    const other = await ethers.deployContract('Suite')
    const receipt = (await other.deploymentTransaction()!.wait())!
    expect(receipt.contractAddress).to.equal(await other.getAddress())
    expect(receipt.to).to.equal(null)
  })

  it('use the gas of a transfer', async () => {
    expect((await (await owner.sendTransaction({ to: alice, value: 1n })).wait())!.gasUsed).to.equal(21_000n)
  })

  it('use the gas of a first write, of a second and of a refund', async () => {
    const other = await ethers.deployContract('Suite')
    const gasOf = async (value: bigint) => (await (await other.set(value)).wait())!.gasUsed
    const [first, second, refunded] = [await gasOf(1n), await gasOf(2n), await gasOf(0n)]
    expect(first - second).to.equal(17_100n)
    // 4 800 for the slot, and 12 for a byte of data that is zero; at most a fifth is refunded.
    expect(second - refunded).to.equal(4_812n)
  })

  it('have estimates that suffice', async () => {
    const gasLimit = await suite.store.estimateGas(3n, 'text')
    const receipt = (await (await suite.store(3n, 'text', { gasLimit })).wait())!
    expect(receipt.gasUsed).to.equal(gasLimit)
  })

  it('are in their block', async () => {
    const { hash, blockNumber } = await suite.set(2n)
    const block = (await ethers.provider.getBlock(blockNumber!, true))!
    expect(block.prefetchedTransactions.map((sent) => sent.hash)).to.deep.equal([hash])
    expect(block.gasUsed).to.equal((await ethers.provider.getTransactionReceipt(hash))!.gasUsed)
  })

  it('that are unknown are null', async () => {
    expect(await ethers.provider.getTransaction(ethers.id('none'))).to.equal(null)
  })

  it('return values in calls', async () => {
    const { chain, gas } = await suite.environment()
    expect([chain, gas]).to.deep.equal([31_337n, 60_000_000n])
  })

  it('called with a state override see its balance and code', async () => {
    const code = await ethers.provider.getCode(suite)
    const to = `0x${'77'.repeat(20)}`
    const state = { [to]: { code, stateDiff: { [ethers.ZeroHash]: ethers.toBeHex(99, 32) } } }
    const data = suite.interface.encodeFunctionData('value')
    expect(await ask('eth_call', { to, data }, 'latest', state)).to.equal(ethers.toBeHex(99, 32))
    expect(await ethers.provider.getCode(to)).to.equal('0x')
  })

  it('are traced step by step', async () => {
    const { hash } = await suite.set(6n)
    const { gas, failed, structLogs } = (await ask('debug_traceTransaction', hash)) as {
      gas: number
      failed: boolean
      structLogs: { op: string; pc: number; depth: number; gasCost: number }[]
    }
    expect([failed, BigInt(gas)]).to.deep.equal([
      false,
      (await ethers.provider.getTransactionReceipt(hash))!.gasUsed,
    ])
    expect(structLogs.slice(0, 3).map(({ op, pc, depth }) => [op, pc, depth])).to.deep.equal([
      ['PUSH1', 0, 1],
      ['PUSH1', 2, 1],
      ['MSTORE', 4, 1],
    ])
    expect(structLogs.filter(({ op }) => op === 'SSTORE')).to.have.length(1)
  })
})

describe('without automine', () => {
  beforeEach(() => ask('evm_setAutomine', false))
  afterEach(async () => {
    await ask('evm_setIntervalMining', 0)
    await ask('evm_setAutomine', true)
    await networkHelpers.mine()
  })

  const simple = { to: bob, value: 1n, gasLimit: 21_000n }

  it('transactions wait', async () => {
    const sent = await owner.sendTransaction(simple)
    expect(sent.blockNumber).to.equal(null)
    expect(await ethers.provider.getTransactionReceipt(sent.hash)).to.equal(null)
    await networkHelpers.mine()
    expect((await sent.wait())!.status).to.equal(1)
  })

  it('blocks have more than one transaction', async () => {
    const sent = [await owner.sendTransaction(simple), await alice.sendTransaction(simple)]
    await networkHelpers.mine()
    const receipts = await Promise.all(sent.map(({ hash }) => ethers.provider.getTransactionReceipt(hash)))
    expect(receipts[0]!.blockNumber).to.equal(receipts[1]!.blockNumber)
    expect(receipts.map((receipt) => receipt!.index).sort()).to.deep.equal([0, 1])
  })

  it('the pending count is ahead', async () => {
    const before = await owner.getNonce()
    await owner.sendTransaction(simple)
    await owner.sendTransaction(simple)
    expect(await owner.getNonce('latest')).to.equal(before)
    expect(await owner.getNonce('pending')).to.equal(before + 2)
  })

  it('the block has the transaction with the higher fee first', async () => {
    const low = await owner.sendTransaction({
      ...simple,
      maxPriorityFeePerGas: 1n,
      maxFeePerGas: 100n * GWEI,
    })
    const high = await alice.sendTransaction({
      ...simple,
      maxPriorityFeePerGas: GWEI,
      maxFeePerGas: 100n * GWEI,
    })
    await networkHelpers.mine()
    expect((await ethers.provider.getBlock('latest'))!.transactions).to.deep.equal([high.hash, low.hash])
  })

  it('a transaction is replaced by one with a higher fee', async () => {
    const nonce = await owner.getNonce()
    const first = await owner.sendTransaction({ ...simple, nonce, gasPrice: 10n * GWEI })
    const second = await owner.sendTransaction({ ...simple, nonce, gasPrice: 20n * GWEI })
    await networkHelpers.mine()
    expect((await ethers.provider.getBlock('latest'))!.transactions).to.deep.equal([second.hash])
    expect(await ethers.provider.getTransaction(first.hash)).to.equal(null)
  })

  it('a transaction is not replaced by one with nearly the same fee', async () => {
    const nonce = await owner.getNonce()
    await owner.sendTransaction({ ...simple, nonce, gasPrice: 10n * GWEI })
    const second = owner.sendTransaction({ ...simple, nonce, gasPrice: 10n * GWEI + 1n })
    expect(await messageOf(second)).to.match(/[Rr]eplacement transaction underpriced/)
  })

  it('a transaction is dropped', async () => {
    const { hash } = await owner.sendTransaction(simple)
    expect(await networkHelpers.dropTransaction(hash)).to.equal(true)
    await networkHelpers.mine()
    expect(await ethers.provider.getTransaction(hash)).to.equal(null)
  })

  it('a transaction with a later nonce waits for the one before', async () => {
    const nonce = await owner.getNonce()
    const later = await owner.sendTransaction({ ...simple, nonce: nonce + 1 })
    await networkHelpers.mine()
    expect(await ethers.provider.getTransactionReceipt(later.hash)).to.equal(null)
    await owner.sendTransaction({ ...simple, nonce })
    await networkHelpers.mine()
    expect((await later.wait())!.status).to.equal(1)
  })

  it('a block is full', async () => {
    const nonce = await owner.getNonce()
    const sent = []
    for (let i = 0; i < 4; i++) {
      const gas = { gasLimit: 16_000_000n, nonce: nonce + i }
      sent.push(await suite.getFunction('invalid').send(gas))
    }
    await networkHelpers.mine()
    expect((await ethers.provider.getBlock('latest'))!.transactions).to.have.length(3)
    expect(await ethers.provider.getTransactionReceipt(sent[3].hash)).to.equal(null)
  })

  it('blocks come at an interval', async () => {
    const before = await ethers.provider.getBlockNumber()
    const sent = await owner.sendTransaction(simple)
    await ask('evm_setIntervalMining', 1_000)
    expect((await sent.wait())!.blockNumber).to.be.greaterThan(before)
  })

  it('the setting can be read', async () => {
    expect(await ask('hardhat_getAutomine')).to.equal(false)
  })
})
