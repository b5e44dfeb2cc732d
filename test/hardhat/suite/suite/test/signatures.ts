import { expect } from 'chai'
import { network } from 'hardhat'

const { ethers, provider } = await network.create()
const [owner, alice] = await ethers.getSigners()
const suite = await ethers.deployContract('Suite')
const domain = async () => ({
  name: 'Suite',
  version: '1',
  chainId: (await ethers.provider.getNetwork()).chainId,
  verifyingContract: await suite.getAddress(),
})
const types = {
  Mail: [
    { name: 'to', type: 'address' },
    { name: 'text', type: 'string' },
  ],
}

function recovered(digest: string, signature: string) {
  const { v, r, s } = ethers.Signature.from(signature)
  return suite.recover(digest, v, r, s)
}

describe('signatures', () => {
  it('of a message are recovered by a contract', async () => {
    const signature = await alice.signMessage('hello')
    expect(await recovered(ethers.hashMessage('hello'), signature)).to.equal(alice.address)
  })

  it('of bytes are recovered', async () => {
    const bytes = ethers.getBytes(ethers.id('x'))
    expect(ethers.verifyMessage(bytes, await alice.signMessage(bytes))).to.equal(alice.address)
  })

  it('of typed data are recovered by a contract', async () => {
    const value = { to: owner.address, text: 'hi' }
    const signature = await alice.signTypedData(await domain(), types, value)
    const digest = ethers.TypedDataEncoder.hash(await domain(), types, value)
    expect(await recovered(digest, signature)).to.equal(alice.address)
  })

  it('of typed data are those of a wallet with the same key', async () => {
    const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
    const value = { to: owner.address, text: 'hi' }
    const own = await new ethers.Wallet(key).signTypedData(await domain(), types, value)
    expect(await alice.signTypedData(await domain(), types, value)).to.equal(own)
  })

  it('of another message give another address', async () => {
    const signature = await alice.signMessage('hello')
    expect(await recovered(ethers.hashMessage('hallo'), signature)).not.to.equal(alice.address)
  })

  it('that are invalid give the zero address', async () => {
    expect(await suite.recover(ethers.id('x'), 30, ethers.ZeroHash, ethers.ZeroHash)).to.equal(
      ethers.ZeroAddress,
    )
  })

  it('of transactions are accepted raw', async () => {
    const wallet = ethers.Wallet.createRandom().connect(ethers.provider)
    await owner.sendTransaction({ to: wallet, value: 10n ** 18n })
    await expect(wallet.sendTransaction({ to: alice, value: 5n })).to.changeEtherBalance(ethers, alice, 5n)
  })

  it('authorize code for an account (EIP-7702)', async () => {
    const wallet = ethers.Wallet.createRandom().connect(ethers.provider)
    const authorization = await wallet.authorize({
      address: await suite.getAddress(),
      nonce: 0,
      chainId: 31_337,
    })
    const sent = await owner.sendTransaction({ type: 4, to: alice, authorizationList: [authorization] })
    expect((await sent.wait())!.status).to.equal(1)
    const target = (await suite.getAddress()).slice(2).toLowerCase()
    expect(await ethers.provider.getCode(wallet.address)).to.equal(`0xef0100${target}`)
  })

  it('authorize code that runs for an account', async () => {
    const authorization = await alice.authorize({ address: await suite.getAddress() })
    await owner.sendTransaction({
      type: 4,
      to: alice.address,
      data: suite.interface.encodeFunctionData('set', [55n]),
      authorizationList: [authorization],
    })
    expect(await (await ethers.getContractAt('Suite', alice.address)).value()).to.equal(55n)
    expect(await suite.value()).to.equal(0n)
  })
})

describe('created contracts', () => {
  it('have the address of create2', async () => {
    const factory = await ethers.deployContract('Factory')
    const { bytecode } = await ethers.getContractFactory('Suite')
    const salt = ethers.id('salt')
    const address = ethers.getCreate2Address(await factory.getAddress(), salt, ethers.keccak256(bytecode))
    await expect(factory.create2(salt)).to.emit(factory, 'Created').withArgs(address)
  })

  it('cannot be created twice at an address', async () => {
    const factory = await ethers.deployContract('Factory')
    await factory.create2(ethers.ZeroHash)
    await expect(factory.create2(ethers.ZeroHash)).to.be.revertedWithoutReason(ethers)
  })

  it('get a value', async () => {
    const factory = await ethers.deployContract('Factory')
    const receipt = await (await factory.create2(ethers.id('other'), { value: 9n })).wait()
    const child = receipt!.logs.map((log: never) => factory.interface.parseLog(log))[0]!.args.child
    expect(await ethers.provider.getBalance(child)).to.equal(9n)
  })

  it('are clones with storage of their own (EIP-1167)', async () => {
    const factory = await ethers.deployContract('Factory')
    const address = await factory.clone.staticCall(suite)
    await factory.clone(suite)
    const clone = await ethers.getContractAt('Suite', address)
    await clone.set(12n)
    expect(await clone.value()).to.equal(12n)
    expect(await suite.value()).to.equal(0n)
  })

  it('pass on the custom errors of their target', async () => {
    const factory = await ethers.deployContract('Factory')
    const address = await factory.clone.staticCall(suite)
    await factory.clone(suite)
    const clone = await ethers.getContractAt('Suite', address)
    await expect(clone.plain()).to.be.revertedWithCustomError(suite, 'Plain')
  })

  it('run code of another contract by delegatecall', async () => {
    const delegator = await ethers.deployContract('Delegator')
    await delegator.set(suite, 34n)
    expect(await delegator.value()).to.equal(34n)
    expect(await suite.value()).to.equal(0n)
  })

  it('have no code before', async () => {
    const params = [ethers.getCreateAddress({ from: owner.address, nonce: 1_000 }), 'latest']
    expect(await provider.request({ method: 'eth_getCode', params })).to.equal('0x')
  })
})
