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

  it('with a gas price below the base fee are refused', async () => {
    const message = await messageOf(owner.sendTransaction({ type: 0, to: alice, gasPrice: 1n }))
    expect(message).to.match(/^Transaction gasPrice \(1\) is too low for the next block, which has a baseFee/)
  })

  it('may be estimated and called with fees below the base fee', async () => {
    const call = { from: owner.address, to: alice.address, gasPrice: '0x1' }
    expect(await ask('eth_call', call)).to.equal('0x')
    expect(Number(await ask('eth_estimateGas', call))).to.be.within(21_000, 21_001)
  })

  it('with another chain id are refused, and calls are not', async () => {
    const call = { from: owner.address, to: alice.address, chainId: '0x1' }
    const message = await messageOf(ask('eth_sendTransaction', call))
    expect(message).to.equal('Invalid chainId 1 provided, expected 31337 instead.')
    expect(await ask('eth_call', call)).to.equal('0x')
  })

  it('with both kinds of fee are refused, as are calls and estimates', async () => {
    const call = { from: owner.address, to: alice.address, gasPrice: '0x77359400' }
    for (const method of ['eth_sendTransaction', 'eth_call', 'eth_estimateGas']) {
      for (const [fees, text] of [
        [{ maxFeePerGas: '0x77359400' }, 'maxFeePerGas params'],
        [{ maxPriorityFeePerGas: '0x1' }, 'maxPriorityFeePerGas'],
        [{ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }, 'maxFeePerGas params'],
      ] as const) {
        const message = await messageOf(ask(method, { ...call, ...fees }))
        expect(message).to.equal(`Cannot send both gasPrice and ${text}`)
      }
    }
  })

  it('without recipient and data are refused, as are calls and estimates', async () => {
    for (const method of ['eth_sendTransaction', 'eth_call', 'eth_estimateGas']) {
      const message = await messageOf(ask(method, { from: owner.address, value: '0x1' }))
      expect(message).to.equal('Contract creation without any data provided')
    }
  })

  it('with another nonce than the next are refused', async () => {
    const nonce = await owner.getNonce()
    const note = "Note that transactions can't be queued when automining."
    const refusal = (got: number) => messageOf(owner.sendTransaction({ to: alice, nonce: got }))
    expect(await refusal(nonce - 1)).to.equal(
      `Nonce too low. Expected nonce to be ${nonce} but got ${nonce - 1}. ${note}`,
    )
    expect(await refusal(nonce + 1)).to.equal(
      `Nonce too high. Expected nonce to be ${nonce} but got ${nonce + 1}. ${note}`,
    )
  })

  it('of another chain are refused', async () => {
    const wallet = ethers.Wallet.createRandom()
    const fields = { to: alice.address, nonce: 0, gasLimit: 21_000n }
    const send = async (transaction: object) =>
      messageOf(
        ask(
          'eth_sendRawTransaction',
          await wallet.signTransaction({ ...fields, chainId: 5, ...transaction }),
        ),
      )
    expect(await send({ type: 2, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })).to.equal(
      'Trying to send a raw transaction with an invalid chainId. The expected chainId is 31337',
    )
    expect(await send({ type: 0, gasPrice: 1n })).to.equal(
      'Trying to send an incompatible EIP-155 transaction, signed for another chain.',
    )
  })

  it('with init code that is too large are refused', async () => {
    const message = await messageOf(
      owner.sendTransaction({ data: `0x${'00'.repeat(50_000)}`, gasLimit: 10n ** 7n }),
    )
    expect(message).to.match(/init code length is 50000. The max length allowed by EIP-3860 is 49152\.\n/)
  })

  it('with less gas than the floor of their data are refused', async () => {
    const data = `0x${'11'.repeat(50)}`
    expect(await messageOf(owner.sendTransaction({ to: alice, data, gasLimit: 22_000n }))).to.equal(
      'Transaction requires gas floor of 23000 but got limit of 22000',
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
  // ethers cannot read the pending block of Hardhat's network, which has no number.
  const pendingBlock = () =>
    ask('eth_getBlockByNumber', 'pending', false) as Promise<
      Record<string, string> & { transactions: string[] }
    >

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

  it('the pending block has the transactions that wait, and their effects', async () => {
    const to = ethers.Wallet.createRandom().address
    const sent = await owner.sendTransaction({ ...simple, to })
    const { transactions, gasUsed } = await pendingBlock()
    expect([transactions, Number(gasUsed)]).to.deep.equal([[sent.hash], 21_000])
    const balances = [await ethers.provider.getBalance(to, 'pending'), await ethers.provider.getBalance(to)]
    expect(balances).to.deep.equal([1n, 0n])
    expect(await ask('eth_getTransactionReceipt', sent.hash)).to.equal(null)
    expect(await ask('eth_getTransactionByHash', sent.hash)).to.include({
      blockHash: null,
      blockNumber: null,
    })
  })

  it('calls in the pending block see the transactions that wait', async () => {
    await suite.set(5n)
    await networkHelpers.mine()
    await suite.set(77n)
    expect(await suite.value({ blockTag: 'pending' })).to.equal(77n)
    expect(await suite.value()).to.equal(5n)
    await networkHelpers.mine()
    expect(await suite.value()).to.equal(77n)
  })

  it('the pending block changes when a transaction is dropped or replaced', async () => {
    const to = ethers.Wallet.createRandom().address
    const balance = () => ethers.provider.getBalance(to, 'pending')
    const transactions = async () => (await pendingBlock()).transactions
    const nonce = await owner.getNonce()
    const fees = { maxPriorityFeePerGas: 1n, maxFeePerGas: 100n * GWEI }
    const first = await owner.sendTransaction({ ...simple, ...fees, to, nonce })
    const other = await alice.sendTransaction({
      ...simple,
      maxPriorityFeePerGas: GWEI,
      maxFeePerGas: 100n * GWEI,
      to,
    })
    expect(await transactions()).to.deep.equal([other.hash, first.hash])
    await networkHelpers.dropTransaction(other.hash)
    expect([await transactions(), await balance()]).to.deep.equal([[first.hash], 1n])
    const dearer = { maxPriorityFeePerGas: 100n, maxFeePerGas: 200n * GWEI }
    const second = await owner.sendTransaction({ ...simple, ...dearer, to, nonce, value: 7n })
    expect([await transactions(), await balance()]).to.deep.equal([[second.hash], 7n])
  })

  it('the pending block has the values that are set for the next block', async () => {
    const { hash } = await owner.sendTransaction({ ...simple, maxFeePerGas: 100n * GWEI })
    const timestamp = (await networkHelpers.time.latest()) + 5_000
    await networkHelpers.time.setNextBlockTimestamp(timestamp)
    await networkHelpers.setNextBlockBaseFeePerGas(5n * GWEI)
    const pending = await pendingBlock()
    expect([pending.timestamp, pending.baseFeePerGas].map(Number)).to.deep.equal([timestamp, 5e9])
    await networkHelpers.mine()
    const latest = (await ethers.provider.getBlock('latest'))!
    expect([latest.timestamp, latest.baseFeePerGas]).to.deep.equal([timestamp, 5n * GWEI])
    expect(latest.transactions).to.deep.equal([hash])
  })

  it('a filter has a transaction once', async () => {
    const filter = await ask('eth_newPendingTransactionFilter')
    const { hash } = await owner.sendTransaction(simple)
    expect(await ask('eth_getFilterChanges', filter)).to.deep.equal([hash])
    await networkHelpers.mine()
    expect(await ask('eth_getFilterChanges', filter)).to.deep.equal([])
  })

  it('a transaction that waits is known', async () => {
    const { hash } = await owner.sendTransaction(simple)
    const raw = ethers.Transaction.from((await ethers.provider.getTransaction(hash))!).serialized
    expect(await messageOf(ethers.provider.send('eth_sendRawTransaction', [raw]))).to.equal(
      `Known transaction: ${hash}`,
    )
  })

  it('a low nonce is refused in other words', async () => {
    const nonce = await owner.getNonce()
    expect(await messageOf(owner.sendTransaction({ ...simple, nonce: nonce - 1 }))).to.equal(
      `Transaction nonce too low. Expected nonce to be at least ${nonce} but got ${nonce - 1}.`,
    )
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
