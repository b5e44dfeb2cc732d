import { expect } from 'chai'
import { network } from 'hardhat'
import { messageOf } from '../support.ts'

const { ethers } = await network.create()
const [owner] = await ethers.getSigners()
const suite = await ethers.deployContract('Suite')
const GAS = { gasLimit: 200_000n }
const VM = 'VM Exception while processing transaction: '

describe('a reason', () => {
  const text = `${VM}reverted with reason string 'too small'`

  it('is in the error of a call', async () => {
    await expect(suite.atLeast.staticCall(9)).to.be.revertedWith('too small')
  })

  it('is in the error of a transaction', async () => {
    await expect(suite.atLeast(9)).to.be.revertedWith('too small')
  })

  it('is in the error of a transaction with its own gas', async () => {
    await expect(suite.atLeast(9, GAS)).to.be.revertedWith(/^too/)
  })

  it('is in the error of an estimate', async () => {
    await expect(suite.atLeast.estimateGas(9)).to.be.revertedWith('too small')
  })

  it('is in the message of a transaction, word for word', async () => {
    expect(await messageOf(suite.atLeast(9))).to.equal(text)
  })

  it('is in the message of a transaction with its own gas, word for word', async () => {
    expect(await messageOf(suite.atLeast(9, GAS))).to.equal(text)
  })

  it('is in the message of an estimate, word for word', async () => {
    expect(await messageOf(suite.atLeast.estimateGas(9))).to.equal(text)
  })

  it('is in the error of a deployment', async () => {
    expect(await messageOf(ethers.deployContract('FailingConstructor', [1]))).to.equal(
      `${VM}reverted with reason string 'kind 1'`,
    )
  })

  it('comes from another contract', async () => {
    const refuser = await ethers.deployContract('Refuser')
    await suite.deposit({ value: 5n })
    await expect(suite.pay(refuser, 1n)).to.be.revertedWith('no gifts')
  })

  it('is not there where a transaction succeeds', async () => {
    await expect(suite.atLeast(10)).not.to.revert(ethers)
    await expect(suite.atLeast(11)).not.to.be.revertedWith('too small')
  })
})

describe('a custom error', () => {
  it('has no values', async () => {
    await expect(suite.plain()).to.be.revertedWithCustomError(suite, 'Plain')
    expect(await messageOf(suite.plain())).to.equal(`${VM}reverted with custom error 'Plain()'`)
  })

  it('has values', async () => {
    await expect(suite.values(7n))
      .to.be.revertedWithCustomError(suite, 'Values')
      .withArgs(7n, 'a text', owner)
  })

  it('has values in its message', async () => {
    expect(await messageOf(suite.getFunction('values').send(7n))).to.equal(
      `${VM}reverted with custom error 'Values(7, "a text", "${owner.address}")'`,
    )
  })

  it('has structs and lists', async () => {
    await expect(suite.withPoint())
      .to.be.revertedWithCustomError(suite, 'WithPoint')
      .withArgs([1n, 'one'], [0n, 2n], '0xc0de')
  })

  it('has structs and lists in its message', async () => {
    expect(await messageOf(suite.getFunction('withPoint').send())).to.equal(
      `${VM}reverted with custom error 'WithPoint([1, "one"], [0, 2], "0xc0de")'`,
    )
  })

  it('comes from a constructor', async () => {
    const factory = await ethers.getContractFactory('FailingConstructor')
    await expect(factory.deploy(2)).to.be.revertedWithCustomError(factory, 'Forbidden').withArgs(2n)
  })

  it('is not another one', async () => {
    await expect(suite.plain()).not.to.be.revertedWithCustomError(suite, 'Values')
  })

  it('is unknown', async () => {
    expect(await messageOf(suite.getFunction('unknownError').send())).to.equal(
      `${VM}reverted with an unrecognized custom error (return data: 0xdeadbeef)`,
    )
  })

  it('of a call has its data', async () => {
    const data = await suite.plain.staticCall().catch((error: { data: string }) => error.data)
    expect(data).to.equal(ethers.id('Plain()').slice(0, 10))
  })
})

describe('a panic', () => {
  const cases = [
    ['assertion', [false], 0x01],
    ['add', [1], 0x11],
    ['divide', [0], 0x12],
    ['color', [2], 0x21],
    ['pop', [], 0x31],
    ['item', [0], 0x32],
    ['allocate', [2n ** 64n], 0x41],
    ['callNothing', [], 0x51],
  ] as const
  for (const [name, args, code] of cases) {
    it(`of the code 0x${code.toString(16)} is the error of ${name}`, async () => {
      await expect(suite.getFunction(name).staticCall(...args)).to.be.revertedWithPanic(code)
    })
  }

  it('is in the message, word for word', async () => {
    expect(await messageOf(suite.getFunction('add').send(1))).to.equal(
      `${VM}reverted with panic code 0x11 (Arithmetic operation overflowed outside of an unchecked block)`,
    )
  })

  it('has an unknown code', async () => {
    expect(await messageOf(suite.getFunction('panicWith').send(0x99))).to.equal(
      `${VM}reverted with unknown panic code 0x99`,
    )
  })

  it('comes from a constructor', async () => {
    await expect(ethers.deployContract('FailingConstructor', [3])).to.be.revertedWithPanic(1)
  })
})

describe('a failure without data', () => {
  const send = (fields: object) => messageOf(owner.sendTransaction({ to: suite, ...fields }))
  const encoded = (name: string, args: unknown[] = []) => suite.interface.encodeFunctionData(name, args)

  it('has no reason', async () => {
    await expect(suite.withoutReason()).to.be.revertedWithoutReason(ethers)
    expect(await messageOf(suite.withoutReason())).to.equal('Transaction reverted without a reason string')
  })

  it('is a value for a function that is not payable', async () => {
    expect(await send({ data: encoded('set', [1]), value: 3n })).to.equal(
      'Transaction reverted: non-payable function was called with value 3',
    )
  })

  it('is an unknown selector', async () => {
    expect(await send({ data: '0x12345678' })).to.equal(
      "Transaction reverted: function selector was not recognized and there's no fallback function",
    )
  })

  it('is a value for a contract without receive', async () => {
    expect(await send({ value: 1n })).to.equal(
      "Transaction reverted: function selector was not recognized and there's no fallback nor receive function",
    )
  })

  it('is a list of parameters that is too short', async () => {
    expect(await send({ data: encoded('set', [1]).slice(0, 20) })).to.equal(
      'Transaction reverted: function was called with incorrect parameters',
    )
  })

  it('is a call to an address without code', async () => {
    expect(await messageOf(suite.setOf(`0x${'12'.repeat(20)}`))).to.equal(
      'Transaction reverted: function call to a non-contract account',
    )
  })

  it('is too little data from an address without code', async () => {
    expect(await messageOf(suite.transferOf(`0x${'12'.repeat(20)}`))).to.equal(
      'Transaction reverted: function returned an unexpected amount of data',
    )
  })

  it('is a value for a constructor that is not payable', async () => {
    const factory = await ethers.getContractFactory('Token')
    const { data } = await factory.getDeployTransaction(1n)
    const message = await messageOf(owner.sendTransaction({ data, value: 2n }))
    expect(message).to.equal('Transaction reverted: non-payable function was called with value 2')
  })

  it('is an invalid opcode', async () => {
    expect(await messageOf(suite.getFunction('invalid').send({ gasLimit: 100_000 }))).to.equal(
      `${VM}invalid opcode`,
    )
  })

  it('is too little gas', async () => {
    expect(await messageOf(suite.burnGas({ gasLimit: 100_000 }))).to.equal('Transaction ran out of gas')
  })

  it('leaves a receipt with status 0 and all of the gas', async () => {
    await messageOf(suite.burnGas({ gasLimit: 100_000 }))
    const { transactions } = (await ethers.provider.getBlock('latest'))!
    const receipt = (await ethers.provider.getTransactionReceipt(transactions[0]))!
    expect([receipt.status, receipt.gasUsed]).to.deep.equal([0, 100_000n])
  })
})
