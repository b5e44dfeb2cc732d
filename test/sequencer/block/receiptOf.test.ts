import { createBlock } from '@ethereumjs/block'
import { createTxFromRLP } from '@ethereumjs/tx'
import { createVM, runTx, encodeReceipt as theirEncoding } from '@ethereumjs/vm'
import { getContractAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import { type BlockContext, blockContext } from '../../../src/engine/blockContext.ts'
import type { Outcome } from '../../../src/engine/engine.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { runTransaction } from '../../../src/engine/run/runMessage.ts'
import { type AnyHardfork, createRules, isSince } from '../../../src/model/hardfork/hardfork.ts'
import { type ExecutionFailure, encodeReceipt, type Receipt } from '../../../src/model/receipt/receipt.ts'
import type { TransactionType, UnsignedTransaction } from '../../../src/model/transaction/transaction.ts'
import { receiptOf } from '../../../src/sequencer/block/includedTransactions.ts'
import { State } from '../../../src/state/state.ts'
import { randomHeader, theirCommon, toEthereumJsHeader } from '../../support/chains/headers.ts'
import { referenceState } from '../../support/chains/referenceChain.ts'
import { ALICE } from '../../support/chains/sequencers.ts'
import { sign } from '../../support/chains/signing.ts'
import { assemble, creationOf } from '../../support/compilers/assembly.ts'
import { createEngine } from '../../support/engines/engineOfRun.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

/** Logs its calldata; without any it halts, in a way that all hardforks know. */
const LOGGER: Address = `0x${'10'.repeat(20)}`
const LOGGER_CODE = assemble(
  ...(['CALLDATASIZE', 0, 0, 'CALLDATACOPY', 7, 'CALLDATASIZE', 0, 'LOG1', 1, 0, 'SSTORE'] as const),
  ...(['CALLDATASIZE', 'PC', 6, 'ADD', 'JUMPI', 'INVALID', 'JUMPDEST'] as const),
)
const ACCOUNTS = [
  { address: ALICE.address, balance: 10n ** 24n },
  { address: LOGGER, nonce: 1n, code: LOGGER_CODE },
]

/** The types of transaction that `hardfork` knows. */
function typesUnder(hardfork: AnyHardfork): TransactionType[] {
  const since = [
    [0, 'frontier'],
    [1, 'berlin'],
    [2, 'london'],
    [3, 'cancun'],
  ] as const
  return since.filter(([, first]) => isSince(hardfork, first)).map(([type]) => type)
}

function randomFields(
  random: Random,
  hardfork: AnyHardfork,
  kind: 'creation' | 'call',
): Partial<UnsignedTransaction> {
  const type = random.pick(typesUnder(hardfork))
  const isCreation = kind === 'creation' && type !== 3
  return {
    type,
    chainId: type === 0 && !isSince(hardfork, 'spuriousDragon') ? undefined : 31_337n,
    gasLimit: 300_000n,
    maxFeePerGas: 2_000n,
    maxPriorityFeePerGas: BigInt(random.below(2_000)),
    ...(isCreation
      ? { to: undefined, data: creationOf(assemble('STOP')) }
      : { to: LOGGER, data: random.bytes(random.below(3)) }),
    ...(type === 3
      ? { maxFeePerBlobGas: 10n ** 9n, blobVersionedHashes: [`0x01${random.hex(31).slice(2)}`] }
      : {}),
  }
}

describe.each<AnyHardfork>([
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'berlin',
  'london',
  'cancun',
  'osaka',
])('the receipt of a transaction in %s', (hardfork) => {
  it(
    'is, encoded, the one that EthereumJS writes, a root in it before Byzantium',
    withRandom(async (random) => {
      const rules = createRules(hardfork, 31_337n)
      const common = theirCommon(hardfork)
      for (let i = 0; i < 6; i++) {
        const header = {
          ...randomHeader(random, hardfork),
          ...{ gasLimit: 30_000_000n, gasUsed: 0n, number: 100n, timestamp: 1_000n },
          ...(isSince(hardfork, 'london') ? { baseFeePerGas: BigInt(random.below(2_000)) } : {}),
          ...(isSince(hardfork, 'cancun') ? { excessBlobGas: random.bigint(26) } : {}),
        }
        const transaction = sign(ALICE, randomFields(random, hardfork, i % 3 === 0 ? 'creation' : 'call'))
        const before = BigInt(random.below(1_000_000))

        const context = blockContext(rules, header, () => undefined)
        const run = await runTransaction(
          new Evm(createEngine(rules)),
          State.empty.with(ACCOUNTS),
          context,
          transaction,
        )
        const place = { cumulativeGasUsed: before + run.outcome.gasUsed, firstLogIndex: 5 }
        const ours = receiptOf(rules, context, transaction, run, place)

        const accounts = ACCOUNTS.map(({ code, ...account }) => ({
          ...account,
          ...(code && { code: toHex(code) }),
        }))
        const vm = await createVM({ common, stateManager: await referenceState(common, accounts) })
        const { receipt, createdAddress } = await runTx(vm, {
          tx: createTxFromRLP(transaction.raw, { common }),
          block: createBlock({ header: toEthereumJsHeader(header, hardfork) }, { common }),
          blockGasUsed: before,
        })
        expect(ours.status).toBe(transaction.data.length > 0 ? 'success' : 'failure')
        expect(toHex(encodeReceipt(ours))).toBe(
          toHex(theirEncoding(receipt, transaction.type as TransactionType)),
        )
        expect(ours.root).toBe('stateRoot' in receipt ? toHex(receipt.stateRoot) : undefined)
        expect(ours.contractAddress).toBe(createdAddress?.toString())
        expect(ours.blobs).toEqual(
          'blobGasUsed' in receipt
            ? { gasUsed: receipt.blobGasUsed, gasPrice: receipt.blobGasPrice }
            : undefined,
        )
      }
    }),
  )
})

describe('a receipt', () => {
  const ENDED = { gasUsed: 21_000n, gasBeforeRefund: 21_000n }
  const LOG = { address: LOGGER, topics: [], data: new Uint8Array() }
  const SUCCESS: Outcome = {
    kind: 'success',
    ...ENDED,
    returnData: new Uint8Array(),
    logs: [LOG, LOG],
    createdAddress: undefined,
  }
  const CONTEXT = { baseFeePerGas: 8n, blobBaseFee: 3n } as BlockContext

  /** The receipt of Alice's transaction in a block of Osaka. */
  function receipt(fields: Partial<UnsignedTransaction>, outcome: Outcome = SUCCESS): Receipt {
    const place = { cumulativeGasUsed: 50_000n, firstLogIndex: 4 }
    const rules = createRules('osaka', 31_337n)
    return receiptOf(rules, CONTEXT, sign(ALICE, fields), { outcome, state: State.empty }, place)
  }

  it('says where it stands in its block, and what was paid', () => {
    expect(receipt({ maxFeePerGas: 100n, maxPriorityFeePerGas: 5n })).toMatchObject({
      type: 2,
      status: 'success',
      gasUsed: 21_000n,
      cumulativeGasUsed: 50_000n,
      effectiveGasPrice: 13n,
      logs: [LOG, LOG],
      firstLogIndex: 4,
      failure: undefined,
      root: undefined,
    })
  })

  it.each<ExecutionFailure>([
    { kind: 'revert', data: Uint8Array.of(1) },
    { kind: 'halt', reason: 'outOfGas' },
  ])('of a failure ($kind) says how it failed, and has no logs', (failure) => {
    const failed = receipt({}, { ...ENDED, ...failure } as Outcome)
    expect(failed).toMatchObject({ status: 'failure', logs: [] })
    expect(failed.failure).toEqual(failure)
    expect(failed.logsBloom.every((byte) => byte === 0)).toBe(true)
  })

  it('names the contract that a creation would have made, even where it failed', () => {
    const contractAddress = getContractAddress({ from: ALICE.address, nonce: 3n }).toLowerCase()
    const creation = { to: undefined, nonce: 3n }
    expect(receipt(creation).contractAddress).toBe(contractAddress)
    expect(receipt(creation, { kind: 'halt', ...ENDED, reason: 'outOfGas' }).contractAddress).toBe(
      contractAddress,
    )
    expect(receipt({ to: LOGGER }).contractAddress).toBeUndefined()
  })

  it('has the gas and the price of blobs where there are some (EIP-4844)', () => {
    const blobVersionedHashes = [`0x01${'00'.repeat(31)}`, `0x01${'01'.repeat(31)}`] as const
    const withBlobs = receipt({ type: 3, to: LOGGER, maxFeePerBlobGas: 9n, blobVersionedHashes })
    expect(withBlobs.blobs).toEqual({ gasUsed: 262_144n, gasPrice: 3n })
    expect(receipt({})).not.toHaveProperty('blobs')
  })
})
