/** Refused transactions in the dialect `hardhat`. Codes and texts are those of Hardhat 3.9's network (EDR) for the same requests. */
import { type Hex, numberToHex, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const GWEI = 10n ** 9n
const ETHER = 10n ** 18n
const NO_QUEUE = "Note that transactions can't be queued when automining."

/** A chain whose first account has sent one transaction. */
async function withOneSent(options: DevnetOptions = {}) {
  const devnet = await started({ profile: 'hardhat', codeSizeLimit: 24_576, ...options })
  await send(devnet, {})
  return devnet
}

function send(devnet: Devnet, fields: object): Promise<Hex> {
  return ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: STRANGER, ...fields })
}

async function sendRaw(devnet: Devnet, fields: object): Promise<Hex> {
  const account = privateKeyToAccount(devnet.accounts[0]!.privateKey)
  const base = { chainId: 31_337, type: 'eip1559', to: STRANGER, gas: 21_000n, nonce: 1 }
  const fees = { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: 100n }
  const transaction = { ...base, ...('gasPrice' in fields ? {} : fees), ...fields } as TransactionSerializable
  return ask(devnet, 'eth_sendRawTransaction', await account.signTransaction(transaction))
}

async function nextBaseFee(devnet: Devnet): Promise<bigint> {
  const { baseFeePerGas } = await ask<{ baseFeePerGas: Hex[] }>(devnet, 'eth_feeHistory', '0x1', 'latest')
  return BigInt(baseFeePerGas.at(-1)!)
}

const INIT_CODE = { to: undefined, data: `0x${'00'.repeat(50_000)}` }
const INIT_CODE_TEXT = `
Trying to send a deployment transaction whose init code length is 50000. The max length allowed by EIP-3860 is 49152.

Enable the 'allowUnlimitedContractSize' option to allow init codes of any length.`

describe('while each transaction is mined at once, a transaction is refused', () => {
  it.each([
    ['a low nonce', { nonce: '0x0' }, `Nonce too low. Expected nonce to be 1 but got 0. ${NO_QUEUE}`],
    ['a high nonce', { nonce: '0x6' }, `Nonce too high. Expected nonce to be 1 but got 6. ${NO_QUEUE}`],
    [
      'a tip above the fee',
      { maxFeePerGas: numberToHex(100n * GWEI), maxPriorityFeePerGas: numberToHex(1000n * GWEI) },
      'maxPriorityFeePerGas (1000000000000) is bigger than maxFeePerGas (100000000000)',
    ],
    ['too little gas', { gas: '0x4e20' }, 'Transaction requires at least 21000 gas but got 20000'],
    [
      'gas below the floor',
      { gas: '0x55f0', data: `0x${'11'.repeat(50)}` },
      'Transaction requires gas floor of 23000 but got limit of 22000',
    ],
    [
      'gas above the cap',
      { gas: '0x1036640' },
      'Transaction gas limit is 17000000 and exceeds transaction gas cap of 16777216',
    ],
  ])('with %s', async (_, fields, message) => {
    const devnet = await withOneSent()
    await expect(send(devnet, fields)).rejects.toMatchObject({ code: -32_000, message })
  })

  it('with a fee below the base fee, in the words of its type', async () => {
    const devnet = await withOneSent()
    const next = `(1) is too low for the next block, which has a baseFeePerGas of ${await nextBaseFee(devnet)}`
    const fees = { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }
    await expect(send(devnet, { ...fees, gas: '0x5208' })).rejects.toMatchObject({
      code: -32_000,
      message: `Transaction maxFeePerGas ${next}`,
    })
    for (const gas of ['0x5208', undefined]) {
      await expect(send(devnet, { gasPrice: '0x1', gas })).rejects.toMatchObject({
        message: `Transaction gasPrice ${next}`,
      })
    }
  })

  it('without the funds', async () => {
    const devnet = await withOneSent()
    const { address } = devnet.accounts[0]!
    const balance = BigInt(await ask<Hex>(devnet, 'eth_getBalance', address))
    await expect(sendRaw(devnet, { value: 20_000n * ETHER })).rejects.toMatchObject({
      code: -32_000,
      message: `Sender doesn't have enough funds to send tx. The max upfront cost is: 20000002100000000000000 and the sender's balance is: ${balance}.`,
    })
  })

  it('of another chain', async () => {
    const devnet = await withOneSent()
    await expect(sendRaw(devnet, { chainId: 5 })).rejects.toMatchObject({
      code: -32_602,
      message: 'Trying to send a raw transaction with an invalid chainId. The expected chainId is 31337',
    })
    const legacy = { type: 'legacy', chainId: 5, gasPrice: 100n * GWEI }
    await expect(sendRaw(devnet, legacy)).rejects.toMatchObject({
      code: -32_602,
      message: 'Trying to send an incompatible EIP-155 transaction, signed for another chain.',
    })
  })

  it('with init code that is too large', async () => {
    const devnet = await withOneSent()
    await expect(send(devnet, { ...INIT_CODE, gas: '0x989680' })).rejects.toMatchObject({
      code: -32_602,
      message: INIT_CODE_TEXT,
    })
  })

  it('from an unknown account', async () => {
    const devnet = await withOneSent()
    const from = '0x00000000219ab540356cbb839cbe05303d7705fa'
    await expect(send(devnet, { from })).rejects.toMatchObject({
      code: -32_000,
      message: 'Unknown account 0x00000000219ab540356cBB839Cbe05303d7705Fa',
    })
  })

  it('with more gas than the block', async () => {
    const devnet = await withOneSent({ gasLimit: 100_000n })
    await expect(send(devnet, { gas: '0x186a1' })).rejects.toMatchObject({
      code: -32_000,
      message: 'Transaction gas limit is 100001 and exceeds block gas limit of 100000',
    })
  })
})

describe('without automine, a transaction is refused', () => {
  async function queueing() {
    const devnet = await withOneSent()
    await ask(devnet, 'evm_setAutomine', false)
    return devnet
  }

  it('with a low nonce', async () => {
    await expect(send(await queueing(), { nonce: '0x0' })).rejects.toMatchObject({
      code: -32_000,
      message: 'Transaction nonce too low. Expected nonce to be at least 1 but got 0.',
    })
  })

  it('if it is known', async () => {
    const devnet = await queueing()
    const hash = await sendRaw(devnet, {})
    await expect(sendRaw(devnet, {})).rejects.toMatchObject({
      code: -32_000,
      message: `Known transaction: ${hash}`,
    })
  })

  it('if it raises the fees of another by less than ten percent', async () => {
    const devnet = await queueing()
    await sendRaw(devnet, {})
    const text = (fee: string, least: bigint) =>
      `Replacement transaction underpriced. A gasPrice/${fee} of at least ${least} is necessary to replace the existing transaction with nonce 1.`
    const cheap = { maxFeePerGas: 101n * GWEI, maxPriorityFeePerGas: 1_000n }
    await expect(sendRaw(devnet, cheap)).rejects.toMatchObject({
      code: -32_000,
      message: text('maxFeePerGas', 110n * GWEI),
    })
    await expect(
      sendRaw(devnet, { maxFeePerGas: 1_000n * GWEI, maxPriorityFeePerGas: 101n }),
    ).rejects.toMatchObject({ message: text('maxPriorityFeePerGas', 110n) })
  })
})

it('a call with too little gas is refused in the same words', async () => {
  const devnet = await withOneSent()
  const from = devnet.accounts[0]!.address
  await expect(ask(devnet, 'eth_call', { from, to: STRANGER, gas: '0x4e20' })).rejects.toMatchObject({
    code: -32_000,
    message: 'Transaction requires at least 21000 gas but got 20000',
  })
})
