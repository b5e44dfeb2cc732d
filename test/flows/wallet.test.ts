/** What a wallet does: accounts, sending from unlocked ones, nonces, fees. */
import { type Hex, numberToHex, parseEther, parseGwei } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import type { Devnet } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

type Json = Record<string, unknown>

function send(devnet: Devnet, fields: object = {}): Promise<Hex> {
  const payment = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x1', ...fields }
  return ask(devnet, 'eth_sendTransaction', payment)
}

function transaction(devnet: Devnet, hash: Hex): Promise<Json> {
  return ask(devnet, 'eth_getTransactionByHash', hash)
}

describe('the development accounts', () => {
  it('are those of the well-known mnemonic', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(devnet.accounts.map(({ address }) => onWire(address))).toEqual([
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
      '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
      '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
      '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
      '0x976ea74026e726554db657fa54763abd0c3a0aa9',
      '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
      '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
      '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
    ])
    expect(await ask(devnet, 'eth_accounts')).toEqual(devnet.accounts.map(({ address }) => onWire(address)))
  })

  it('have 10,000 ether each, and the keys that belong to them', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (const { address, privateKey } of devnet.accounts) {
      expect(await ask(devnet, 'eth_getBalance', address)).toBe(numberToHex(parseEther('10000')))
      expect(privateKeyToAccount(privateKey).address).toBe(address)
    }
  })

  it('can be more, with the same first ten', async () => {
    const [few, many] = [
      await started({ rhythm: 'manual' }),
      await started({ rhythm: 'manual', accounts: 12 }),
    ]
    expect(many.accounts.slice(0, 10)).toEqual(few.accounts)
    const mnemonic = 'test test test test test test test test test test test junk'
    const eleventh = mnemonicToAccount(mnemonic, { addressIndex: 11 })
    expect(many.accounts[11]?.address).toBe(eleventh.address)
  })

  it('can be few, none too', async () => {
    const one = await started({ rhythm: 'manual', accounts: 1 })
    expect(await ask(one, 'eth_accounts')).toEqual(['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'])
    const none = await started({ rhythm: 'manual', accounts: 0 })
    expect(await ask(none, 'eth_accounts')).toEqual([])
    const sending = ask(none, 'eth_sendTransaction', { to: STRANGER })
    await expect(sending).rejects.toMatchObject({ code: -32000, message: expect.stringMatching('unlocked') })
  })

  it('can be those of another mnemonic', async () => {
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    const devnet = await started({ rhythm: 'manual', mnemonic, accounts: 3, balance: parseEther('7') })
    const expected = [0, 1, 2].map((addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }))
    expect(devnet.accounts).toEqual(
      expected.map((account) => ({
        address: account.address,
        privateKey: `0x${Buffer.from(account.getHdKey().privateKey!).toString('hex')}`,
      })),
    )
    expect(await ask(devnet, 'eth_getBalance', devnet.accounts[2]!.address)).toBe(
      numberToHex(parseEther('7')),
    )
    await send(devnet)
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x1')
  })
})

describe('a transaction of an unlocked account', () => {
  it('is signed by the devnet, with fees and gas filled in', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await send(devnet)
    expect(await transaction(devnet, hash)).toMatchObject({
      type: '0x2',
      from: onWire(devnet.accounts[0]!.address),
      chainId: '0x7a69',
      nonce: '0x0',
      gas: '0x5208',
      maxFeePerGas: numberToHex(parseGwei('2.75')),
      maxPriorityFeePerGas: numberToHex(parseGwei('1')),
    })
  })

  it('comes from the first account where none is named', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await send(devnet, { from: undefined })
    expect(await transaction(devnet, hash)).toMatchObject({ from: onWire(devnet.accounts[0]!.address) })
  })

  it('gets consecutive nonces, many sent at once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hashes = await Promise.all(Array.from({ length: 20 }, () => send(devnet)))
    const nonces = await Promise.all(
      hashes.map(async (hash) => Number((await transaction(devnet, hash)).nonce)),
    )
    expect(nonces.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x14')
  })

  it('gets consecutive nonces, many senders at once', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const senders = devnet.accounts.flatMap(({ address }) => [address, address, address])
    await Promise.all(senders.map((from) => send(devnet, { from })))
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe(numberToHex(senders.length))
    for (const { address } of devnet.accounts) {
      expect(await ask(devnet, 'eth_getTransactionCount', address)).toBe('0x3')
    }
  })

  it('has a nonce after those that are waiting and those that are pre-confirmed', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await send(devnet)
    await devnet.mine()
    await send(devnet)
    await devnet.tick()
    await send(devnet)
    expect(await transaction(devnet, await send(devnet))).toMatchObject({ nonce: '0x3' })
  })

  it('keeps what its sender chose', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const chosen = {
      nonce: '0x5',
      gas: '0xffff',
      maxFeePerGas: numberToHex(parseGwei('9')),
      maxPriorityFeePerGas: numberToHex(parseGwei('2')),
    }
    expect(await transaction(devnet, await send(devnet, chosen))).toMatchObject(chosen)
  })

  it.each([
    ['0x0', {}, { gasPrice: numberToHex(parseGwei('5')) }],
    ['0x0', { type: '0x0' }, {}],
    ['0x1', { type: '0x1' }, {}],
    [
      '0x1',
      {},
      { gasPrice: numberToHex(parseGwei('5')), accessList: [{ address: STRANGER, storageKeys: [] }] },
    ],
    ['0x2', {}, { accessList: [{ address: STRANGER, storageKeys: [] }] }],
    ['0x2', { type: '0x2' }, { maxFeePerGas: numberToHex(parseGwei('5')) }],
  ])('is of type %s where it has %j and %j', async (type, wished, fields) => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await send(devnet, { ...wished, ...fields })
    expect(await transaction(devnet, hash)).toMatchObject({ type, ...fields })
    await devnet.mine()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1', type })
  })

  it('of one price costs what eth_gasPrice says', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const gasPrice = await ask(devnet, 'eth_gasPrice')
    expect(await transaction(devnet, await send(devnet, { type: '0x0' }))).toMatchObject({ gasPrice })
  })

  it('of one price pays all of it, and what is above the base fee goes to the coinbase', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const gasPrice = numberToHex(parseGwei('5'))
    const hash = await send(devnet, { gasPrice })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
      effectiveGasPrice: gasPrice,
    })
  })

  it('that names a limit of its fee alone gets no tip above it (EIP-1559)', async () => {
    const devnet = await started({ rhythm: 'manual', baseFee: 7n })
    const hash = await send(devnet, { maxFeePerGas: '0x64' })
    expect(await transaction(devnet, hash)).toMatchObject({
      maxFeePerGas: '0x64',
      maxPriorityFeePerGas: '0x0',
    })
  })

  it('sends no wei where it says none', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await transaction(devnet, await send(devnet, { value: undefined }))).toMatchObject({
      value: '0x0',
    })
  })

  it.each(['0x5', 'legacy', 2])('is refused where its type is %j', async (type) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(send(devnet, { type })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^invalid argument 0: params\[0\]\.type: expected one of 0x0, 0x1, 0x2/),
    })
  })

  it('deploys where it has no destination', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const hash = await send(devnet, { to: undefined, value: undefined, data: Emitter.bytecode })
    const receipt = await ask<{ contractAddress: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
    expect(await ask(devnet, 'eth_getCode', receipt.contractAddress)).toBe(Emitter.deployedBytecode)
  })

  it('is estimated on what is pre-confirmed', async () => {
    const devnet = await started({ rhythm: 'manual', receipts: 'preconfirmed' })
    const deployment = await send(devnet, { to: undefined, value: undefined, data: Emitter.bytecode })
    await devnet.tick()
    const { contractAddress: to } = await ask<{ contractAddress: Hex }>(
      devnet,
      'eth_getTransactionReceipt',
      deployment,
    )
    const hash = await send(devnet, { to, data: '0xa55526db' })
    expect(Number((await transaction(devnet, hash)).gas)).toBeGreaterThan(21_000)
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })

  it('that would fail is not sent, but says why', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const hash = await send(devnet, { to: undefined, value: undefined, data: Reverter.bytecode })
    const { contractAddress: to } = await ask<{ contractAddress: Hex }>(
      devnet,
      'eth_getTransactionReceipt',
      hash,
    )
    const sending = send(devnet, { to, value: undefined, data: '0x12345678' })
    await expect(sending).rejects.toMatchObject({ code: -32000, message: 'execution reverted', data: '0x' })
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
  })

  it('of an account that is not unlocked is refused', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(send(devnet, { from: STRANGER })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(new RegExp(`^unknown account ${STRANGER}`)),
    })
  })

  it('that costs more than there is is refused', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const value = numberToHex(parseEther('10000'))
    await expect(send(devnet, { value })).rejects.toThrow('insufficient funds for gas * price + value')
  })

  it('of another chain is refused', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(send(devnet, { chainId: '0x1' })).rejects.toThrow(
      // geth's words (internal/ethapi, `setDefaults`).
      "chainId does not match node's (have=1, want=31337)",
    )
  })

  it('can be found from the moment it is accepted to the end', async () => {
    const devnet = await started({ rhythm: 'manual', receipts: 'preconfirmed' })
    const hash = await send(devnet)
    const lives = [await transaction(devnet, hash)]
    await devnet.tick()
    lives.push(await transaction(devnet, hash))
    await devnet.tick()
    lives.push(await transaction(devnet, hash))
    expect(lives.map(({ hash: found }) => found)).toEqual([hash, hash, hash])
    expect(lives.map(({ blockNumber }) => blockNumber)).toEqual([null, '0x1', '0x1'])
  })
})

describe('the pending nonce', () => {
  const nonce = (devnet: Devnet) =>
    ask(devnet, 'eth_getTransactionCount', devnet.accounts[0]!.address, 'pending')

  it('counts what waits, up to the first gap', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await send(devnet, { nonce: '0x0' })
    await send(devnet, { nonce: '0x1' })
    await send(devnet, { nonce: '0x3' })
    expect(await nonce(devnet)).toBe('0x2')
    await send(devnet, { nonce: '0x2' })
    expect(await nonce(devnet)).toBe('0x4')
  })

  it('counts only what is pre-confirmed, where it is told to', async () => {
    const devnet = await started({ rhythm: 'manual', pendingNonce: 'preconfirmed' })
    await send(devnet)
    expect(await nonce(devnet)).toBe('0x0')
    await devnet.tick()
    expect(await nonce(devnet)).toBe('0x1')
  })

  it('does not change what eth_sendTransaction uses', async () => {
    const devnet = await started({ rhythm: 'manual', pendingNonce: 'preconfirmed' })
    await send(devnet)
    expect(await transaction(devnet, await send(devnet))).toMatchObject({ nonce: '0x1' })
  })
})

describe('fees', () => {
  it('begin at one gwei, and the price adds a tip of one to the fee of the next block', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'eth_gasPrice')).toBe(numberToHex(parseGwei('1.875')))
    expect(await ask(devnet, 'eth_maxPriorityFeePerGas')).toBe(numberToHex(parseGwei('1')))
  })

  it('begin where they are told to, and fall by an eighth with an empty block', async () => {
    const devnet = await started({ rhythm: 'manual', baseFee: parseGwei('80') })
    await devnet.mine()
    expect(await ask(devnet, 'eth_gasPrice')).toBe(numberToHex(parseGwei('62.25')))
  })

  it('rise by an eighth with a full block', async () => {
    const devnet = await started({ rhythm: 'manual', gasLimit: 21_000, baseFee: parseGwei('80') })
    await send(devnet, { gasPrice: numberToHex(parseGwei('200')) })
    await devnet.mine()
    await devnet.tick()
    expect(await ask(devnet, 'eth_gasPrice')).toBe(
      // Down with the empty genesis, then up with the full block: (80 · 7/8) · 9/8 + 1.
      numberToHex(parseGwei('79.75')),
    )
  })

  it('have a history of base fees, fullness and tips', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (const tip of ['1', '2', '3']) {
      const fees = {
        maxFeePerGas: numberToHex(parseGwei('10')),
        maxPriorityFeePerGas: numberToHex(parseGwei(tip)),
      }
      await send(devnet, fees)
    }
    await devnet.mine()
    const history = await ask(devnet, 'eth_feeHistory', '0x2', 'latest', [0, 50, 100])
    expect(history).toEqual({
      oldestBlock: '0x0',
      baseFeePerGas: [numberToHex(1_000_000_000), numberToHex(875_000_000), expect.any(String)],
      gasUsedRatio: [0, 63_000 / 30_000_000],
      baseFeePerBlobGas: ['0x1', '0x1', '0x1'],
      blobGasUsedRatio: [0, 0],
      reward: [['0x0', '0x0', '0x0'], ['1', '2', '3'].map((tip) => numberToHex(parseGwei(tip)))],
    })
  })

  it('have a history that ends with the latest block, though pending was asked for', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    await devnet.tick()
    const history = (newest: string) => ask(devnet, 'eth_feeHistory', 5, newest)
    expect(await history('pending')).toEqual(await history('latest'))
    expect(await history('latest')).not.toHaveProperty('reward')
  })

  it('have a history of at most 1,024 blocks (execution-apis), and of none where none is asked for', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_mine', 1_100)
    const history = (count: unknown) =>
      ask<{ oldestBlock: Hex; gasUsedRatio: number[] }>(devnet, 'eth_feeHistory', count, 'latest')
    const most = await history(2_000)
    expect([most.oldestBlock, most.gasUsedRatio.length]).toEqual([numberToHex(1_100 - 1_023), 1_024])
    expect(await history(0)).toEqual(await history('0x0'))
    expect((await history(0)).gasUsedRatio).toEqual([])
  })

  it('have a history of at most 100 percentiles, as go-ethereum', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    const percentiles = (count: number) => Array.from({ length: count }, (_, i) => (i * 100) / count)
    const { reward } = await ask<{ reward: Hex[][] }>(devnet, 'eth_feeHistory', 1, 'latest', percentiles(100))
    expect(reward[0]).toHaveLength(100)
    await expect(ask(devnet, 'eth_feeHistory', 1, 'latest', percentiles(101))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('at most 100 percentiles'),
    })
  })

  // eth/gasprice/feehistory.go: `p <= rewardPercentiles[i-1]` is refused; reth's fee.rs: `w[0] > w[1]`.
  it.each([
    ['base', true],
    ['geth', false],
  ] as const)(
    'have percentiles that do not fall; in the dialect %s they may be equal: %s',
    async (dialect, mayBe) => {
      const devnet = await started({ rhythm: 'manual', dialect })
      await devnet.mine()
      const asked = (...percentiles: number[]) =>
        ask<{ reward: Hex[][] }>(devnet, 'eth_feeHistory', 1, 'latest', percentiles)
      expect((await asked(0, 49, 49.5, 100)).reward[0]).toHaveLength(4)
      const than = mayBe ? 'not less than' : 'greater than'
      await expect(asked(25, 50, 49)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(
          `params[2][2]: expected a percentile ${than} 50, the one before it, got 49`,
        ),
      })
      for (const outside of [-0.1, 100.1, Number.NaN]) {
        await expect(asked(outside)).rejects.toMatchObject({ code: -32602 })
      }
      if (mayBe) expect((await asked(50, 50)).reward[0]).toHaveLength(2)
      else await expect(asked(50, 50)).rejects.toMatchObject({ code: -32602 })
    },
  )

  it('are those of the block that is being made, whatever was set for the one after it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await send(devnet)
    await devnet.tick()
    const open = numberToHex(875_000_000)
    await ask(devnet, 'anvil_setNextBlockBaseFeePerGas', '0x7')
    expect(await ask(devnet, 'eth_baseFee')).toBe(open)
    // It may come into the open block, which takes nothing cheaper.
    expect(await ask(devnet, 'eth_gasPrice')).toBe(numberToHex(875_000_000 + 1_000_000_000))
  })

  it('leave a transaction waiting that pays too little, until blocks get cheaper', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await send(devnet, { gas: '0x5208', gasPrice: numberToHex(600_000_000) })
    await devnet.mine()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toBeNull()
    for (let block = 0; block < 5; block++) await devnet.mine()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })

  it('are paid to the coinbase, but for the base fee', async () => {
    const coinbase = '0x00000000000000000000000000000000000000cb'
    const devnet = await started({ rhythm: 'manual', coinbase })
    await send(devnet)
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBalance', coinbase)).toBe(numberToHex(21_000n * parseGwei('1')))
  })
})
