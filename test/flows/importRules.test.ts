/** Chains that EthereumJS made of what only few chains have, and those of a devnet, under both rules of `import`. */
import { createLegacyTx } from '@ethereumjs/tx'
import { hexToBytes } from '@ethereumjs/util'
import { describe, expect, it } from 'vitest'
import { type Address, type Hex, toHex } from '../../src/bytes/hex.ts'
import type { Devnet } from '../../src/index.ts'
import { type GenesisJson, Miner } from '../support/chains/miner.ts'
import { signerOf } from '../support/chains/signing.ts'
import { ask, started } from '../support/clients/clients.ts'
import { assemble, creationOf } from '../support/compilers/assembly.ts'

const SOMEBODY = signerOf(`0x${'01'.repeat(32)}`)
const ETHER = '0xde0b6b3a7640000'

function genesisOf(config: object, alloc: GenesisJson['alloc'] = {}): GenesisJson {
  return {
    config: { chainId: 1, ethash: {}, ...config },
    gasLimit: '0x1c9c380',
    difficulty: '0x20000',
    timestamp: '0x5f5e100',
    extraData: '0x',
    nonce: '0x0',
    alloc: { [SOMEBODY.address]: { balance: ETHER }, ...alloc },
  }
}

describe('the DAO fork (EIP-779)', () => {
  /** The DAO, and one of its children's accounts. */
  const DAO: Address = '0xbb9bc244d798123fde783fcc1c72d3bb8c189413'
  const CHILD: Address = '0x304a554a310c7e546dfe434669c62820b7d83490'
  const REFUNDS: Address = '0xbf4ed7b27f1d666546e30d74d50d173d20bca754'
  const EXTRA_DATA = toHex(new TextEncoder().encode('dao-hard-fork'))
  const config = { homesteadBlock: 0, daoForkBlock: 2, daoForkSupport: true }
  const genesis = genesisOf(config, { [DAO]: { balance: '0x64' }, [CHILD]: { balance: '0x7' } })

  it('moves the ether of the DAO in one block, as EthereumJS does', async () => {
    const miner = await Miner.start(genesis)
    for (let number = 1; number <= 12; number++) {
      const header = number >= 2 && number < 12 ? { extraData: EXTRA_DATA } : {}
      await miner.mine({ timestamp: BigInt(100_000_000 + 13 * number), header })
    }
    const devnet = await started({ genesis, rhythm: 'manual' })
    const balances = (at: Hex) =>
      Promise.all([DAO, CHILD, REFUNDS].map((address) => ask(devnet, 'eth_getBalance', address, at)))
    await devnet.import(miner.blocks.slice(1).map((block) => block.serialize()))
    expect(await balances('0x1')).toEqual(['0x64', '0x7', '0x0'])
    expect(await balances('0x2')).toEqual(['0x0', '0x0', '0x6b'])
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0xc')
    expect(devnet.genesis()).toMatchObject({ config: { daoForkBlock: 2, daoForkSupport: true } })
  })

  it('is in blocks that a devnet makes of such a chain', async () => {
    const devnet = await started({ genesis: { ...genesis, difficulty: '0x0' }, rhythm: 'manual' })
    for (let i = 0; i < 3; i++) await devnet.mine()
    const extraData = await Promise.all(
      ['0x1', '0x2', '0x3'].map(async (number) => {
        const block = await ask(devnet, 'eth_getBlockByNumber', number, false)
        return (block as { extraData: string }).extraData
      }),
    )
    expect(extraData).toEqual(['0x', EXTRA_DATA, EXTRA_DATA])
    expect(await ask(devnet, 'eth_getBalance', REFUNDS, 'latest')).toBe('0x6b')
  })
})

describe('a creation that cannot pay for its code', () => {
  // 200 gas for each byte of code: more than what is left (EIP-2).
  const code = assemble(0, 'SLOAD')
  const init = creationOf(new Uint8Array(150).fill(0x5b), Uint8Array.of(...assemble(0, 0, 'LOG0'), ...code))

  it('succeeds without code in Frontier, and keeps its logs', async () => {
    const genesis = genesisOf({})
    const miner = await Miner.start(genesis)
    const timestamp = 100_000_013n
    const { address, privateKey } = SOMEBODY
    const fields = { nonce: 0n, gasPrice: 1n, gasLimit: 60_000n, data: init, chainId: undefined }
    const transaction = createLegacyTx(fields, { common: miner.rulesAt(timestamp) }).sign(
      hexToBytes(privateKey),
    )
    expect(transaction.getSenderAddress().toString()).toBe(address)
    const { block, result } = await miner.mine({ timestamp, transactions: [transaction] })
    expect(result.receipts[0]!.logs).toHaveLength(1)
    const devnet = await started({ genesis, rhythm: 'manual' })
    await devnet.import(block.serialize())
    const receipt = (await ask(devnet, 'eth_getTransactionReceipt', toHex(transaction.hash()))) as {
      logs: unknown[]
      contractAddress: Address
    }
    expect(receipt.logs).toHaveLength(1)
    expect(await ask(devnet, 'eth_getCode', receipt.contractAddress, 'latest')).toBe('0x')
  })
})

describe('the blocks of a devnet', () => {
  /** Two blocks, a second apart or in the same. */
  async function made(options: object, ms: number): Promise<Devnet> {
    const devnet = await started({ rhythm: 'manual', tickMs: 1_000, ...options })
    for (let i = 0; i < 2; i++) {
      if (ms > 0) await devnet.request({ method: 'evm_increaseTime', params: [ms / 1_000] })
      await devnet.mine()
    }
    return devnet
  }

  /** Why they are refused; `imported` where they are not. */
  async function brought(devnet: Devnet, rules?: 'ethereum' | 'devnet'): Promise<string> {
    const copy = await started({ genesis: devnet.genesis(), rhythm: 'manual' })
    const options = rules === undefined ? {} : { rules }
    return copy.import(devnet.export(), options).then(
      () => 'imported',
      (error: { reason: string }) => error.reason,
    )
  }

  it('are those of any chain where each has a time of its own, and the system contracts are there', async () => {
    expect(await brought(await made({ systemContracts: true }, 1_000))).toBe('imported')
    expect(await brought(await made({ hardfork: 'cancun' }, 1_000))).toBe('imported')
  })

  it('may have their parent’s time only where import is told that they are a devnet’s', async () => {
    const devnet = await made({ systemContracts: true }, 0)
    expect(await brought(devnet)).toBe('timestampOfParent')
    expect(await brought(devnet, 'ethereum')).toBe('timestampOfParent')
    expect(await brought(devnet, 'devnet')).toBe('imported')
  })

  it('need no system contracts only where import is told so', async () => {
    const devnet = await made({}, 1_000)
    expect(await brought(devnet)).toBe('systemContractMissing')
    expect(await brought(devnet, 'devnet')).toBe('imported')
  })

  it('are under no other rules than these two', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.import([], { rules: 'geth' as 'devnet' })).rejects.toThrow(
      'import: expected rules ethereum or devnet, got geth',
    )
  })
})
