import { expect } from 'chai'
import { network } from 'hardhat'
import ShopModule from '../../ignition/modules/Shop.ts'

const { ethers, ignition, networkHelpers, preseal } = await network.create()

async function openShop() {
  const [owner, buyer] = await ethers.getSigners()
  const shop = await ethers.deployContract('Shop', [3n])
  return { owner: owner!, buyer: buyer!, shop }
}

describe('a shop, with ethers', () => {
  it('sells', async () => {
    const { shop, buyer } = await networkHelpers.loadFixture(openShop)
    await expect(shop.connect(buyer).getFunction('buy')(2n)).to.emit(shop, 'Sold').withArgs(buyer.address, 2n)
    expect(await shop.getFunction('stock')()).to.equal(1n)
  })

  it('sells no more than it has', async () => {
    const { shop } = await networkHelpers.loadFixture(openShop)
    await expect(shop.getFunction('buy')(5n))
      .to.be.revertedWithCustomError(shop, 'InsufficientStock')
      .withArgs(3n, 5n)
    await expect(shop.getFunction('close')()).to.be.revertedWith('not sold out')
  })

  it('is deployed by Ignition', async () => {
    const { shop } = await ignition.deploy(ShopModule)
    expect(await shop.getFunction('stock')()).to.equal(3n)
  })

  it('signs an authorization with the key of an account (EIP-7702)', async () => {
    const { shop, buyer } = await networkHelpers.loadFixture(openShop)
    const authorization = await buyer.authorize({ address: await shop.getAddress() })
    expect(authorization.signature.r).to.match(/^0x/)
  })

  it('runs on a devnet', async () => {
    expect(preseal.settings.profile).to.equal('hardhat')
  })
})

describe('a shop, on a chain that pre-confirms', () => {
  it('has sold before the block is sealed', async () => {
    const { preseal: devnet } = await network.create('slices')
    const shop = await devnet.deploy('Shop', { args: [3n] })
    const { hash } = await devnet.write({ ...shop, functionName: 'buy', args: [2n], until: 'preconfirmed' })
    const hashesIn = async (tag: 'pending' | 'latest') =>
      (await devnet.request({ method: 'eth_getBlockByNumber', params: [tag, false] }))?.transactions
    expect(await hashesIn('pending')).to.include(hash)
    expect(await hashesIn('latest')).not.to.include(hash)
  })
})
