/** A chain that others made, on a devnet: all hardforks from Frontier on. */
import { createBlockFromRPC, type JSONRPCBlock } from '@ethereumjs/block'
import type { TypedTransaction } from '@ethereumjs/tx'
import type { PostByzantiumTxReceipt, PreByzantiumTxReceipt, RunTxResult } from '@ethereumjs/vm'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { EMPTY_REQUESTS_HASH } from '../../src/model/block/header.ts'
import { block, blockBy, chain, expectHead, hash, refusal, standingAt } from '../support/chains/imports.ts'
import {
  BEGINS,
  BROKE,
  COUNTED,
  COUNTER,
  GENESIS,
  LENGTH,
  MINER,
  PRICES,
  timeOf,
  WITHDRAWER,
} from '../support/chains/minedChain.ts'
import { commonOf } from '../support/chains/miner.ts'
import { ask, started } from '../support/clients/clients.ts'
import { answering, type Instruction } from '../support/compilers/assembly.ts'

type Json = Record<string, unknown>
const NUMBERS = chain.blocks.map((_, i) => i + 1)
const GWEI = 10n ** 9n
const ETHER = 10n ** 18n

/** What a sender pays per gas (EIP-1559). */
function priceOf(transaction: TypedTransaction, baseFeePerGas: bigint): bigint {
  if ('gasPrice' in transaction) return transaction.gasPrice
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction
  const wanted = baseFeePerGas + maxPriorityFeePerGas
  return wanted < maxFeePerGas ? wanted : maxFeePerGas
}

/** A receipt as EthereumJS's results say it. */
function receiptOf(number: number, index: number): Json {
  const { block, result } = chain.blocks[number - 1]!
  const transaction = block.transactions[index]!
  const { totalGasSpent, createdAddress } = result.results[index] as RunTxResult
  const receipt = result.receipts[index] as PreByzantiumTxReceipt & PostByzantiumTxReceipt
  const before = result.receipts.slice(0, index).reduce((sum, { logs }) => sum + logs.length, 0)
  const place = {
    blockHash: hash(number),
    blockNumber: numberToHex(number),
    transactionHash: toHex(transaction.hash()),
    transactionIndex: numberToHex(index),
  }
  const { blobGasUsed, blobGasPrice } = receipt as { blobGasUsed?: bigint; blobGasPrice?: bigint }
  return {
    ...place,
    type: numberToHex(transaction.type),
    ...(receipt.stateRoot === undefined
      ? { status: numberToHex(receipt.status) }
      : { root: toHex(receipt.stateRoot) }),
    gasUsed: numberToHex(totalGasSpent),
    cumulativeGasUsed: numberToHex(receipt.cumulativeBlockGasUsed),
    logsBloom: toHex(receipt.bitvector),
    logs: receipt.logs.map(([address, topics, data], i) => ({
      ...place,
      address: toHex(address),
      topics: topics.map(toHex),
      data: toHex(data),
      logIndex: numberToHex(before + i),
      blockTimestamp: numberToHex(timeOf(number)),
      removed: false,
    })),
    from: transaction.getSenderAddress().toString(),
    to: transaction.to?.toString() ?? null,
    contractAddress: createdAddress?.toString() ?? null,
    effectiveGasPrice: numberToHex(priceOf(transaction, block.header.baseFeePerGas ?? 0n)),
    ...(transaction.type === 3
      ? { blobGasUsed: numberToHex(blobGasUsed!), blobGasPrice: numberToHex(blobGasPrice!) }
      : {}),
  }
}

describe('the chain that these tests import', () => {
  it('has everything that a file of blocks can have', () => {
    const all = chain.blocks.map(({ block }) => block)
    const results = chain.blocks.flatMap(({ result }) => result.results)
    const hardforks = new Set(all.map(({ common }) => common.hardfork()))
    expect(hardforks.size).toBe(Object.keys(BEGINS).length + 1)
    expect(new Set(all.flatMap(({ transactions }) => transactions.map(({ type }) => type)))).toEqual(
      new Set([0, 1, 2, 3, 4]),
    )
    const depths = all.flatMap(({ header, uncleHeaders }) =>
      uncleHeaders.map(({ number }) => header.number - number),
    )
    expect(new Set(depths)).toEqual(new Set([1n, 2n, 6n]))
    const requests = all.flatMap(({ header }) => (header.requestsHash ? [toHex(header.requestsHash)] : []))
    expect(requests.filter((hash) => hash !== EMPTY_REQUESTS_HASH)).toHaveLength(3)
    expect(new Set(results.map(({ execResult }) => execResult.exceptionError?.error))).toEqual(
      new Set([undefined, 'revert', 'invalid opcode']),
    )
    expect(results.some(({ execResult }) => execResult.selfdestruct?.size)).toBe(true)
    expect(results.filter(({ createdAddress }) => createdAddress).length).toBeGreaterThan(2)
  })
})

describe('an imported chain', () => {
  it('has the same blocks, from which EthereumJS rebuilds its own', async () => {
    const devnet = await standingAt(LENGTH)
    const common = commonOf(GENESIS)
    for (const number of NUMBERS) {
      const json = await blockBy(devnet, number, true)
      expect(json).toMatchObject({ number: numberToHex(number), hash: hash(number) })
      expect(await ask(devnet, 'eth_getBlockByHash', hash(number), true)).toEqual(json)
      const theirs = createBlockFromRPC(json as unknown as JSONRPCBlock, [], { common, setHardfork: true })
      expect(toHex(theirs.hash())).toBe(hash(number))
      const { block: own } = chain.blocks[number - 1]!
      expect(theirs.transactions.map((tx) => toHex(tx.serialize()))).toEqual(
        own.transactions.map((tx) => toHex(tx.serialize())),
      )
      expect(theirs.withdrawals?.map((one) => one.toJSON())).toEqual(
        own.withdrawals?.map((one) => one.toJSON()),
      )
      expect(json.uncles).toEqual(own.uncleHeaders.map((header) => toHex(header.hash())))
      expect(json.size).toBe(numberToHex(block(number).length))
    }
  })

  it('has the receipts that EthereumJS made', async () => {
    const devnet = await standingAt(LENGTH)
    for (const number of NUMBERS) {
      const { transactions } = chain.blocks[number - 1]!.block
      for (const [index, transaction] of transactions.entries()) {
        const receipt = await ask(devnet, 'eth_getTransactionReceipt', toHex(transaction.hash()))
        expect(receipt).toEqual(receiptOf(number, index))
      }
    }
  })

  it.each([
    ['baseFeePerGas', BEGINS.london],
    ['withdrawals', BEGINS.shanghai],
    ['withdrawalsRoot', BEGINS.shanghai],
    ['blobGasUsed', BEGINS.cancun],
    ['excessBlobGas', BEGINS.cancun],
    ['parentBeaconBlockRoot', BEGINS.cancun],
    ['requestsHash', BEGINS.prague],
  ])('has %s from block %i on', async (field, first) => {
    const devnet = await standingAt(LENGTH)
    for (const number of NUMBERS) {
      expect(field in (await blockBy(devnet, number)), `block ${number}`).toBe(number >= first)
    }
  })

  it('has the state in receipts before Byzantium, and whether they succeeded afterwards', async () => {
    const devnet = await standingAt(LENGTH)
    const roots: unknown[] = []
    for (const number of NUMBERS) {
      for (const { hash: transaction } of chain.blocks[number - 1]!.block.transactions.map((tx) => ({
        hash: toHex(tx.hash()),
      }))) {
        const receipt = await ask<Json>(devnet, 'eth_getTransactionReceipt', transaction)
        expect('root' in receipt).toBe(number < BEGINS.byzantium)
        expect('status' in receipt).toBe(number >= BEGINS.byzantium)
        if ('root' in receipt) roots.push(receipt.root)
      }
    }
    expect(new Set(roots).size).toBe(roots.length)
  })

  it('has transactions with blobs as execution-apis describes them', async () => {
    const devnet = await standingAt(LENGTH)
    const { transactions } = chain.blocks[45]!.block
    const json = await ask(devnet, 'eth_getTransactionByHash', toHex(transactions[2]!.hash()))
    expect(json).toMatchObject({
      type: '0x3',
      maxFeePerBlobGas: numberToHex(10n * GWEI),
      blobVersionedHashes: [`0x01${'00'.repeat(31)}`, `0x01${'11'.repeat(31)}`],
      accessList: [],
      blockNumber: '0x2e',
    })
    expect('yParity' in (json as Json)).toBe(true)
  })

  it('has paid whoever mined, and whoever mined beside it (Yellow Paper 11.3)', async () => {
    const devnet = await standingAt(LENGTH)
    const balance = async (address: Hex, number: number) =>
      BigInt(await ask<Hex>(devnet, 'eth_getBalance', address, numberToHex(number)))
    // An ommer of the generation before gets 7/8 of five ether.
    expect((await balance(WITHDRAWER, 3)) - (await balance(WITHDRAWER, 2))).toBe((5n * ETHER * 7n) / 8n)
    // Of six generations before, 2/8 of Byzantium's three ether.
    expect((await balance(BROKE.address, 10)) - (await balance(BROKE.address, 9))).toBe(
      (3n * ETHER * 2n) / 8n,
    )
    // Whoever names one gets 1/32 more. Nothing else is in block 13, and nothing is paid in block 28.
    const fee = 20n * GWEI * 37_275n
    expect((await balance(MINER.address, 10)) - (await balance(MINER.address, 9))).toBe(
      3n * ETHER + (3n * ETHER) / 32n + fee,
    )
    expect((await balance(MINER.address, 13)) - (await balance(MINER.address, 12))).toBe(2n * ETHER)
    expect((await balance(MINER.address, 28)) - (await balance(MINER.address, 27))).toBe(0n)
  })

  it('has paid withdrawals, which are in gwei', async () => {
    const devnet = await standingAt(LENGTH)
    const before = BigInt(await ask<Hex>(devnet, 'eth_getBalance', WITHDRAWER, '0x1d'))
    const after = BigInt(await ask<Hex>(devnet, 'eth_getBalance', WITHDRAWER, '0x1e'))
    expect(after - before).toBe((32n * GWEI + 5n) * GWEI)
    expect((await blockBy(devnet, 30)).withdrawals).toMatchObject([
      { index: '0x0', validatorIndex: '0x7', address: WITHDRAWER, amount: numberToHex(32n * GWEI) },
      { index: '0x1', validatorIndex: '0x10000000000', address: BROKE.address, amount: '0x1' },
      { index: '0x2', amount: '0x5' },
      { index: '0x3', amount: '0x0' },
    ])
    // A withdrawal of nothing makes no account.
    const { address } = ((await blockBy(devnet, 30)).withdrawals as { address: Hex }[])[3]!
    const proof = await ask<Json>(devnet, 'eth_getProof', address, [], '0x1e')
    expect(proof).toMatchObject({ balance: '0x0', nonce: '0x0' })
  })

  it('has the logs, and the state behind them at each block', async () => {
    const devnet = await standingAt(LENGTH)
    const logs = await ask<Json[]>(devnet, 'eth_getLogs', {
      fromBlock: '0x0',
      address: COUNTER,
      topics: [COUNTED],
    })
    const counted = NUMBERS.map(
      (number) =>
        chain.blocks[number - 1]!.result.receipts.flatMap((receipt) => receipt.logs).filter(
          ([address]) => toHex(address) === COUNTER,
        ).length,
    )
    const first = 41
    expect(logs.map(({ data }) => Number(data as Hex))).toEqual(logs.map((_, i) => first + 1 + i))
    let count = first
    for (const number of NUMBERS) {
      count += counted[number - 1]!
      const slot = await ask<Hex>(devnet, 'eth_getStorageAt', COUNTER, '0x0', numberToHex(number))
      expect(Number(slot), `block ${number}`).toBe(count)
      expect(logs.filter(({ blockNumber }) => blockNumber === numberToHex(number))).toHaveLength(
        counted[number - 1]!,
      )
    }
  })

  it.each<[Instruction, number, Uint8Array]>([
    ['STATICCALL', BEGINS.byzantium, answering(0, 0, 0, 0, 4, 'GAS', 'STATICCALL')],
    ['SHR', BEGINS.constantinople, answering(1, 1, 'SHR')],
    ['CHAINID', BEGINS.istanbul, answering('CHAINID')],
    ['BASEFEE', BEGINS.london, answering('BASEFEE')],
    ['BLOBBASEFEE', BEGINS.cancun, answering('BLOBBASEFEE')],
  ])('is called under the rules of the block: %s is known from block %i on', async (_, first, code) => {
    const devnet = await standingAt(LENGTH)
    const call = (number: number) =>
      ask(devnet, 'eth_call', { to: PRICES, gas: '0x186a0' }, numberToHex(number), {
        [PRICES]: { code: toHex(code) },
      })
    await expect(call(first - 1)).rejects.toMatchObject({ message: 'EVM error: InvalidFEOpcode' })
    expect(await call(first)).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('has seen prices of blobs in code as EthereumJS has', async () => {
    const devnet = await standingAt(LENGTH)
    for (const number of [33, 34, 35, 40, 41, 43, 44, 46]) {
      const price = await ask<Hex>(devnet, 'eth_getStorageAt', PRICES, '0x2', numberToHex(number))
      expect(BigInt(price)).toBe(chain.blocks[number - 1]!.block.header.getBlobGasPrice())
    }
  })

  it('has a history of fees across all hardforks', async () => {
    const devnet = await standingAt(LENGTH)
    const history = await ask<{ baseFeePerGas: Hex[]; baseFeePerBlobGas: Hex[] }>(
      devnet,
      'eth_feeHistory',
      numberToHex(LENGTH),
      'latest',
      [],
    )
    const headers = chain.blocks.map(({ block }) => block.header)
    expect(history.baseFeePerGas.slice(0, -1).map(BigInt)).toEqual(
      headers.map(({ baseFeePerGas = 0n }) => baseFeePerGas),
    )
    expect(BigInt(history.baseFeePerGas.at(-1)!)).toBe(headers.at(-1)!.calcNextBaseFee())
    expect(history.baseFeePerBlobGas.slice(0, -1).map(BigInt)).toEqual(
      headers.map((header) => (header.excessBlobGas === undefined ? 0n : header.getBlobGasPrice())),
    )
    const last = headers.at(-1)!
    expect(BigInt(history.baseFeePerBlobGas.at(-1)!)).toBe(last.calcNextBlobGasPrice(last.common))
  })

  it('is passed over where it is there already', async () => {
    const devnet = await standingAt(LENGTH)
    const sealed = vi.fn()
    devnet.on('sealed', sealed)
    expect(await devnet.import(chain.file)).toEqual({ imported: 0, known: LENGTH })
    expect(sealed).not.toHaveBeenCalled()
    await expectHead(devnet, LENGTH)
  })

  it('may begin with block 0, as geth writes it', async () => {
    const devnet = await standingAt(0)
    const first = chain.genesisBlock.serialize()
    expect(await devnet.import([first, ...chain.encoded])).toEqual({ imported: LENGTH, known: 1 })
    const other = await started({ rhythm: 'manual' })
    const error = await refusal(other, [first, ...chain.encoded])
    expect(error).toMatchObject({ field: 'number', blockNumber: 0n, imported: 0 })
    expect(error.message).toContain('this chain has another block 0, 0x')
  })

  it('is heard of block by block', async () => {
    const devnet = await standingAt(0)
    const heard: bigint[] = []
    devnet.on('sealed', ({ block }) => heard.push(block.header.number))
    const progress = vi.fn()
    await devnet.import(chain.file, { onProgress: progress })
    expect(heard).toEqual(NUMBERS.map(BigInt))
    expect(progress).toHaveBeenLastCalledWith({
      blocks: LENGTH,
      number: BigInt(LENGTH),
      bytes: chain.file.length,
    })
  })

  it('answers questions while it comes in', async () => {
    const devnet = await standingAt(0)
    const answers: Promise<unknown>[] = []
    await devnet.import(chain.file, { onProgress: () => answers.push(ask(devnet, 'eth_blockNumber')) })
    expect(await Promise.all(answers)).toEqual(NUMBERS.map((number) => numberToHex(number)))
  })
})
