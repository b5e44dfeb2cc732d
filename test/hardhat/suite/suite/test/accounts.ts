import { expect } from 'chai'
import { network } from 'hardhat'
import { messageOf } from '../support.ts'

const { ethers, networkHelpers, provider } = await network.create()
const { mine } = networkHelpers
const [owner, alice, bob] = await ethers.getSigners()
const ETHER = 10n ** 18n
const stranger = () => ethers.Wallet.createRandom().address

describe('balances', () => {
  it('of the first accounts are 10000 ether', async () => {
    const signers = await ethers.getSigners()
    expect(signers).to.have.length(20)
    expect(await ethers.provider.getBalance(signers[19])).to.equal(10_000n * ETHER)
  })

  it('of the first accounts are those of the mnemonic of Hardhat', async () => {
    expect(owner.address).to.equal('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(alice.address).to.equal('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  })

  it('change by a transfer', async () => {
    await expect(owner.sendTransaction({ to: alice, value: 100n })).to.changeEtherBalance(ethers, alice, 100n)
  })

  it('of two accounts change by a transfer, without the fee', async () => {
    await expect(owner.sendTransaction({ to: alice, value: 7n })).to.changeEtherBalances(
      ethers,
      [owner, alice],
      [-7n, 7n],
    )
  })

  it('change by the fee, too', async () => {
    const sent = await owner.sendTransaction({ to: alice, value: 7n, gasPrice: 10n ** 10n })
    await expect(sent).to.changeEtherBalances(ethers, [owner], [-(7n + 21_000n * 10n ** 10n)], {
      includeFee: true,
    })
  })

  it('decrease by gasUsed times effectiveGasPrice', async () => {
    const before = await ethers.provider.getBalance(bob)
    const receipt = (await (await bob.sendTransaction({ to: alice, value: 1n })).wait())!
    const after = await ethers.provider.getBalance(bob)
    expect(before - after).to.equal(1n + receipt.gasUsed * receipt.gasPrice)
  })

  it('of contracts change by deposits', async () => {
    const suite = await ethers.deployContract('Suite', { value: 3n })
    await expect(suite.deposit({ value: 5n })).to.changeEtherBalances(ethers, [owner, suite], [-5n, 5n])
    expect(await ethers.provider.getBalance(suite)).to.equal(8n)
  })

  it('change by a payment of a contract', async () => {
    const suite = await ethers.deployContract('Suite', { value: 3n })
    await expect(suite.pay(bob, 2n)).to.changeEtherBalances(ethers, [suite, bob], [-2n, 2n])
  })

  it('are set', async () => {
    const address = stranger()
    await networkHelpers.setBalance(address, 42n)
    expect(await ethers.provider.getBalance(address)).to.equal(42n)
  })

  it('of earlier blocks can be read', async () => {
    const address = stranger()
    const { blockNumber } = (await (await owner.sendTransaction({ to: address, value: 9n })).wait())!
    expect(await ethers.provider.getBalance(address, blockNumber - 1)).to.equal(0n)
    expect(await ethers.provider.getBalance(address, blockNumber)).to.equal(9n)
  })

  it('in a token change by a transfer', async () => {
    const token = await ethers.deployContract('Token', [1_000n])
    await expect(token.transfer(alice, 10n)).to.changeTokenBalance(ethers, token, alice, 10n)
    await expect(token.transfer(alice, 5n)).to.changeTokenBalances(
      ethers,
      token,
      [owner, alice, bob],
      [-5n, 5n, 0n],
    )
  })

  it('in a token are too low', async () => {
    const token = await ethers.deployContract('Token', [1n])
    await expect(token.transfer(alice, 2n))
      .to.be.revertedWithCustomError(token, 'InsufficientBalance')
      .withArgs(owner, 1n, 2n)
  })

  it('are too low for a transfer', async () => {
    const message = await messageOf(owner.sendTransaction({ to: alice, value: 1_000_000n * ETHER }))
    expect(message).to.match(
      /^Sender doesn't have enough funds to send tx. The max upfront cost is: \d+ and the sender's balance is: \d+.$/,
    )
  })
})

describe('nonces', () => {
  it('increase with each transaction', async () => {
    const before = await alice.getNonce()
    const { nonce } = await alice.sendTransaction({ to: bob })
    expect(nonce).to.equal(before)
    expect(await alice.getNonce()).to.equal(before + 1)
  })

  it('increase with a transaction that reverts', async () => {
    const suite = await ethers.deployContract('Suite')
    const before = await alice.getNonce()
    await expect(suite.connect(alice).getFunction('plain')({ gasLimit: 100_000 })).to.revert(ethers)
    expect(await alice.getNonce()).to.equal(before + 1)
  })

  it('stay after a transaction that fails in its estimate', async () => {
    const before = await owner.getNonce()
    await messageOf(owner.sendTransaction({ to: alice, value: 1_000_000n * ETHER }))
    expect(await owner.getNonce()).to.equal(before)
  })

  it('are set', async () => {
    const address = stranger()
    await networkHelpers.setNonce(address, 100)
    expect(await ethers.provider.getTransactionCount(address)).to.equal(100)
  })

  it('cannot be set to a lower value', async () => {
    await owner.sendTransaction({ to: alice })
    expect(await messageOf(networkHelpers.setNonce(owner.address, 0))).to.match(
      /New nonce \(0\) must not be smaller than the existing nonce/,
    )
  })

  it('cannot be set while transactions wait', async () => {
    await provider.request({ method: 'evm_setAutomine', params: [false] })
    await owner.sendTransaction({ to: alice })
    const message = await messageOf(networkHelpers.setNonce(stranger(), 100))
    await networkHelpers.mine()
    await provider.request({ method: 'evm_setAutomine', params: [true] })
    expect(message).to.equal('Cannot set account nonce when the transaction pool is not empty')
  })

  it('of contracts begin with 1', async () => {
    const suite = await ethers.deployContract('Suite')
    expect(await ethers.provider.getTransactionCount(suite)).to.equal(1)
  })

  it('decide the address of a contract', async () => {
    const address = ethers.getCreateAddress({ from: owner.address, nonce: await owner.getNonce() })
    const suite = await ethers.deployContract('Suite')
    expect(await suite.getAddress()).to.equal(address)
  })

  it('that are too low are refused', async () => {
    await bob.sendTransaction({ to: alice })
    const next = await bob.getNonce()
    expect(await messageOf(bob.sendTransaction({ to: alice, nonce: 0 }))).to.equal(
      `Nonce too low. Expected nonce to be ${next} but got 0. Note that transactions can't be queued when automining.`,
    )
  })

  it('that are too high are refused', async () => {
    const next = await bob.getNonce()
    expect(await messageOf(bob.sendTransaction({ to: alice, nonce: next + 5 }))).to.equal(
      `Nonce too high. Expected nonce to be ${next} but got ${next + 5}. Note that transactions can't be queued when automining.`,
    )
  })
})

describe('impersonation', () => {
  it('sends as an address without a key', async () => {
    const address = stranger()
    await networkHelpers.setBalance(address, ETHER)
    const signer = await ethers.getImpersonatedSigner(address)
    const suite = await ethers.deployContract('Suite')
    const { from } = await suite.connect(signer).getFunction('set')(3n)
    expect(from).to.equal(address)
    expect(await suite.value()).to.equal(3n)
  })

  it('sends as a contract', async () => {
    const token = await ethers.deployContract('Token', [10n])
    const receiver = await ethers.deployContract('Receiver')
    await token.transfer(receiver, 4n)
    const address = await receiver.getAddress()
    await networkHelpers.setBalance(address, ETHER)
    const signer = await ethers.getImpersonatedSigner(address)
    await expect(token.connect(signer).getFunction('transfer')(bob, 4n)).to.changeTokenBalances(
      ethers,
      token,
      [receiver, bob],
      [-4n, 4n],
    )
  })

  it('ends', async () => {
    const address = stranger()
    await networkHelpers.setBalance(address, ETHER)
    const signer = await ethers.getImpersonatedSigner(address)
    await signer.sendTransaction({ to: bob })
    await networkHelpers.stopImpersonatingAccount(address)
    expect(await messageOf(signer.sendTransaction({ to: bob }))).to.match(/[Uu]nknown account/)
  })

  it('is not necessary for calls', async () => {
    const suite = await ethers.deployContract('Suite')
    const address = stranger()
    const [sender, origin] = await suite
      .connect(ethers.provider)
      .getFunction('sender')
      .staticCall({ from: address })
    expect([sender, origin]).to.deep.equal([address, address])
  })
})

describe('code and storage', () => {
  it('are set', async () => {
    const suite = await ethers.deployContract('Suite')
    const address = stranger()
    await networkHelpers.setCode(address, await ethers.provider.getCode(suite))
    await networkHelpers.setStorageAt(address, 0, 99n)
    expect(await (await ethers.getContractAt('Suite', address)).value()).to.equal(99n)
  })

  it('can be read', async () => {
    const suite = await ethers.deployContract('Suite')
    await suite.set(0x1234n)
    expect(await ethers.provider.getStorage(suite, 0)).to.equal(ethers.toBeHex(0x1234n, 32))
    expect(await networkHelpers.getStorageAt(await suite.getAddress(), 0)).to.equal(
      ethers.toBeHex(0x1234n, 32),
    )
  })

  it('of an address without code are empty', async () => {
    expect(await ethers.provider.getCode(stranger())).to.equal('0x')
  })

  it('of a contract are those of its artifact', async () => {
    const receiver = await ethers.deployContract('Receiver')
    const { deployedBytecode } = await (await import('hardhat')).artifacts.readArtifact('Receiver')
    expect(await ethers.provider.getCode(receiver)).to.equal(deployedBytecode)
  })
})

describe('the next block', () => {
  it('has the base fee of setNextBlockBaseFeePerGas', async () => {
    await networkHelpers.setNextBlockBaseFeePerGas(10n ** 9n * 77n)
    await mine()
    expect((await ethers.provider.getBlock('latest'))!.baseFeePerGas).to.equal(10n ** 9n * 77n)
  })

  it('has a lower base fee if its parent is empty', async () => {
    await mine()
    const { baseFeePerGas: before } = (await ethers.provider.getBlock('latest'))!
    await mine()
    const { baseFeePerGas: after } = (await ethers.provider.getBlock('latest'))!
    expect(after).to.equal(before! - before! / 8n)
  })

  it('pays to the address of setCoinbase', async () => {
    const suite = await ethers.deployContract('Suite')
    const address = stranger()
    await networkHelpers.setCoinbase(address)
    await owner.sendTransaction({ to: alice, maxPriorityFeePerGas: 5n, maxFeePerGas: 10n ** 12n })
    expect(await ethers.provider.getBalance(address)).to.equal(21_000n * 5n)
    expect((await suite.environment()).coinbase).to.equal(address)
  })

  it('has the value of setPrevRandao', async () => {
    const suite = await ethers.deployContract('Suite')
    await networkHelpers.setPrevRandao(1_234n)
    await mine()
    expect((await suite.environment({ blockTag: 'latest' })).randao).to.equal(1_234n)
  })

  it('has the gas limit of setBlockGasLimit', async () => {
    const { gasLimit } = (await ethers.provider.getBlock('latest'))!
    await networkHelpers.setBlockGasLimit(40_000_000n)
    await mine()
    expect((await ethers.provider.getBlock('latest'))!.gasLimit).to.equal(40_000_000n)
    await networkHelpers.setBlockGasLimit(gasLimit)
  })
})
