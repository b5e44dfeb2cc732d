import { createHash } from 'node:crypto'
import { genRequestsRoot } from '@ethereumjs/block'
import { CLRequest, CLRequestType } from '@ethereumjs/util'
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, fromHex, type Hash, toHex, ZERO_ADDRESS, ZERO_HASH } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import { Evm, loadEngine } from '../../../src/engine/evm.ts'
import { systemMessage } from '../../../src/engine/run/message.ts'
import { beginBlock, endBlock, type RequestFailure } from '../../../src/engine/run/systemCalls.ts'
import { EMPTY_REQUESTS_HASH, type Header } from '../../../src/model/block/header.ts'
import {
  BEACON_ROOTS_ADDRESS,
  HISTORY_STORAGE_ADDRESS,
  SYSTEM_CONTRACTS,
} from '../../../src/model/bytecode/predeploys.ts'
import { type ChainConfig, createRules, type Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import type { Log } from '../../../src/model/receipt/log.ts'
import type { Receipt } from '../../../src/model/receipt/receipt.ts'
import { State } from '../../../src/state/state.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { createEngine } from '../../support/engines/engineOfRun.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

/** Mainnet's. */
const DEPOSIT_CONTRACT: Address = '0x00000000219ab540356cbb839cbe05303d7705fa'
const [DEPOSIT_TOPIC] = encodeEventTopics({
  abi: parseAbi(['event DepositEvent(bytes, bytes, bytes, bytes, bytes)']),
}) as [Hash]

interface Deposit {
  readonly log: Log
  /** A deposit request: public key, withdrawal credentials, amount, signature, index (EIP-6110). */
  readonly request: Uint8Array
}

function randomDeposit(random: Random): Deposit {
  const fields = [48, 32, 8, 96, 8].map((size) => random.hex(size)) as [Hash, Hash, Hash, Hash, Hash]
  const types = parseAbiParameters('bytes, bytes, bytes, bytes, bytes')
  return {
    log: {
      address: DEPOSIT_CONTRACT,
      topics: [DEPOSIT_TOPIC],
      data: fromHex(encodeAbiParameters(types, fields)),
    },
    request: Buffer.concat(fields.map(fromHex)),
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** The requests of these deposits by EthereumJS, without other requests. */
function theirHash(deposits: readonly Deposit[]): string {
  const data = Buffer.concat(deposits.map(({ request }) => request))
  return toHex(genRequestsRoot([new CLRequest(CLRequestType.Deposit, data)], sha256))
}

const CONTEXT: BlockContext = {
  number: 1n,
  timestamp: 1n,
  coinbase: ZERO_ADDRESS,
  gasLimit: 30_000_000n,
  difficulty: 0n,
  prevRandao: ZERO_HASH,
  baseFeePerGas: 7n,
  blobBaseFee: 1n,
  blockHash: () => undefined,
}

/** The hash over the requests of a block whose transactions left these logs. */
async function requestsHash(
  transactions: readonly (readonly Log[])[],
  config: ChainConfig = { depositContract: DEPOSIT_CONTRACT },
  hardfork: Hardfork = 'prague',
): Promise<Hash | undefined> {
  const receipts = transactions.map((logs) => ({ logs }) as Receipt)
  const evm = new Evm(createEngine(createRules(hardfork, 31_337n, config)))
  return (await endBlock(evm, State.empty, CONTEXT, receipts)).requestsHash
}

/** Why other nodes do not accept the block. */
async function failures(logs: readonly Log[], state = State.empty): Promise<readonly RequestFailure[]> {
  const evm = new Evm(createEngine(createRules('prague', 31_337n, { depositContract: DEPOSIT_CONTRACT })))
  return (await endBlock(evm, state, CONTEXT, [{ logs: [] }, { logs }] as unknown as Receipt[])).failures
}

/** EIP-7002's and EIP-7251's contracts, with code that a test chooses. */
const WITHDRAWALS: Address = '0x00000961ef480eb55e80d19ad83579a64c007002'
const CONSOLIDATIONS: Address = '0x0000bbddc7ce488642fb579f8b00f3a590007251'
const withContracts = (withdrawals: Uint8Array, consolidations: Uint8Array) =>
  State.empty.with([
    { address: WITHDRAWALS, code: withdrawals },
    { address: CONSOLIDATIONS, code: consolidations },
  ])
const ANSWERS = assemble('STOP')

describe('a block is invalid for other nodes', () => {
  it('where a system contract reverts or runs out of its gas (EIP-7002, EIP-7251)', async () => {
    const reverts = assemble(0, 0, 'REVERT')
    const loops = assemble('JUMPDEST', 0, 'JUMP')
    expect(await failures([], withContracts(ANSWERS, ANSWERS))).toEqual([])
    expect(await failures([], withContracts(reverts, ANSWERS))).toEqual([
      { kind: 'systemCallFailed', address: WITHDRAWALS, eip: 7002 },
    ])
    expect(await failures([], withContracts(ANSWERS, loops))).toEqual([
      { kind: 'systemCallFailed', address: CONSOLIDATIONS, eip: 7251 },
    ])
  })

  it('where a system contract has no code', async () => {
    expect(await failures([])).toEqual([
      { kind: 'systemContractMissing', address: WITHDRAWALS, eip: 7002 },
      { kind: 'systemContractMissing', address: CONSOLIDATIONS, eip: 7251 },
    ])
  })

  it(
    'where a deposit is not laid out as EIP-6110 has it: its length, and each offset and length in it',
    withRandom(async (random) => {
      const state = withContracts(ANSWERS, ANSWERS)
      const { log } = randomDeposit(random)
      expect(await failures([log], state)).toEqual([])
      const flaw = { kind: 'depositLayout', transactionIndex: 1 }
      for (const data of [
        log.data.subarray(0, 575),
        Buffer.concat([log.data, Buffer.alloc(1)]),
        new Uint8Array(),
      ]) {
        expect(await failures([{ ...log, data }], state)).toMatchObject([flaw])
      }
      // is_valid_deposit_event_data of EIP-6110: the positions of the words that it checks.
      for (const word of [0, 32, 64, 96, 128, 160, 256, 320, 384, 512]) {
        for (const byte of [word, word + 31]) {
          const data = Uint8Array.from(log.data)
          data[byte]! ^= 1
          expect(await failures([{ ...log, data }], state)).toMatchObject([flaw])
        }
      }
      // Bytes between the fields are not checked.
      const data = Uint8Array.from(log.data)
      data[160 + 32 + 48] = 1
      expect(await failures([{ ...log, data }], state)).toEqual([])
    }),
  )
})

describe('a system contract with the code of its EIP', () => {
  const header = (parentHash: Hash, parentBeaconBlockRoot: Hash) =>
    ({ parentHash, parentBeaconBlockRoot }) as Header
  const genesis = State.empty.with(
    SYSTEM_CONTRACTS.map(({ address, code }) => ({ address, code: fromHex(code) })),
  )
  const rules = createRules('prague', 31_337n)

  it(
    'has the effects that its code has when EthereumJS runs it (EIP-2935, EIP-4788, EIP-7002, EIP-7251)',
    withRandom(async (random) => {
      const reference = await loadEngine('ethereumjs')
      let [ours, theirs] = [genesis, genesis]
      for (let i = 0; i < 30; i++) {
        const number = BigInt(1 + random.below(20_000))
        const context = { ...CONTEXT, number, timestamp: BigInt(random.below(20_000)) }
        // A root of zeros deletes its slot.
        const [parentHash, root] = [random.hex(32), random.below(4) === 0 ? ZERO_HASH : random.hex(32)]
        const evm = new Evm(createEngine(rules))
        ours = await beginBlock(evm, ours, context, header(parentHash, root))
        const end = await endBlock(evm, ours, context, [])
        expect(end).toMatchObject({ requests: [], failures: [] })
        ours = end.state
        for (const [to, data] of [
          [BEACON_ROOTS_ADDRESS, fromHex(root)],
          [HISTORY_STORAGE_ADDRESS, fromHex(parentHash)],
          [WITHDRAWALS, new Uint8Array()],
          [CONSOLIDATIONS, new Uint8Array()],
        ] as const) {
          const { outcome, changes } = await new Evm(reference(rules)).run(
            theirs,
            context,
            systemMessage(to, data),
          )
          expect(outcome).toMatchObject({ kind: 'success', returnData: new Uint8Array() })
          theirs = theirs.with(changes)
        }
        expect(ours.root()).toBe(theirs.root())
      }
    }),
  )
})

describe('the requests of a block', () => {
  it(
    'are the deposits that its logs tell of, in their order, hashed as by EthereumJS (EIP-6110)',
    withRandom(async (random) => {
      for (let i = 0; i < 30; i++) {
        const blocks = random.list(random.below(4), () =>
          random.list(random.below(3), () => randomDeposit(random)),
        )
        const found = await requestsHash(blocks.map((deposits) => deposits.map(({ log }) => log)))
        expect(found).toBe(theirHash(blocks.flat()))
      }
    }),
  )

  it(
    'are not what other contracts and other events say',
    withRandom(async (random) => {
      const deposit = randomDeposit(random)
      const { log } = deposit
      const others: Log[] = [
        { ...log, address: random.hex(20) },
        { ...log, topics: [random.hex(32)] },
        { ...log, topics: [random.hex(32), DEPOSIT_TOPIC] },
        { ...log, topics: [] },
        { ...log, address: random.hex(20), data: new Uint8Array() },
      ]
      expect(await requestsHash([others])).toBe(EMPTY_REQUESTS_HASH)
      expect(await requestsHash([others, [log], others])).toBe(theirHash([deposit]))
    }),
  )

  it(
    'are no deposits on a chain that names no contract for them',
    withRandom(async (random) => {
      expect(await requestsHash([[randomDeposit(random).log]], {})).toBe(EMPTY_REQUESTS_HASH)
    }),
  )

  it('are none without logs, and have the hash of nothing', async () => {
    expect(await requestsHash([])).toBe(EMPTY_REQUESTS_HASH)
    expect(await requestsHash([[], []])).toBe(theirHash([]))
  })

  it(
    'do not exist before Prague',
    withRandom(async (random) => {
      const config = { depositContract: DEPOSIT_CONTRACT }
      expect(await requestsHash([[randomDeposit(random).log]], config, 'cancun')).toBeUndefined()
    }),
  )
})
