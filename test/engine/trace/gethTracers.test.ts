/**
 * The answers of geth's tracers, in geth's own test data (`eth/tracers/internal/tracetest/testdata` of
 * github.com/ethereum/go-ethereum), which is not part of this repository: the folder is in GETH_TRACERS.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromHex, type Hex, toHex, toWord } from '../../../src/bytes/hex.ts'
import { createDevnet } from '../../../src/index.ts'
import { decodeIncludedTransaction } from '../../../src/model/transaction/signedTransaction.ts'

const FOLDER = process.env.GETH_TRACERS

const ours = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

/** The tracer of each folder: its name, or the text of a tracer in JavaScript. */
const TRACERS: Readonly<Record<string, string>> = {
  call_tracer: 'callTracer',
  call_tracer_withLog: 'callTracer',
  call_tracer_flat: 'flatCallTracer',
  call_tracer_legacy: ours('callTracer.txt'),
  prestate_tracer_legacy: ours('prestateTracer.txt'),
  erc7562_tracer: 'erc7562Tracer',
  prestate_tracer: 'prestateTracer',
  prestate_tracer_with_diff_mode: 'prestateTracer',
}

/**
 * Errors for which preseal has one text: geth adds to `out of gas` that SSTORE finds too little gas (EIP-2200), and
 * each precompile has texts of its own.
 */
const OTHER_ERRORS = {
  'out of gas: not enough gas for reentrancy sentry': 'out of gas',
  'invalid input length': 'precompile failed',
} as Readonly<Record<string, string>>

const DIFFERENT = new Set([
  // In Frontier, a creation that cannot pay for its code succeeds without code. preseal's trace reports its error.
  'frontier_create_outofstorage.json',
  // As in anvil, the account to which the transaction delegates its recipient counts as accessed.
  'setcode_tx.json',
])

interface Case {
  readonly genesis: {
    readonly config: Readonly<Record<string, unknown>>
    readonly alloc: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  readonly context: Readonly<Record<string, string>>
  readonly input: string
  readonly tracerConfig?: object
  readonly result: object
}

const quantity = (value: unknown): Hex => `0x${BigInt((value as string | undefined) ?? 0).toString(16)}`

const FORKS_BY_BLOCK = [
  'homesteadBlock',
  'eip150Block',
  'eip155Block',
  'eip158Block',
  'byzantiumBlock',
  'constantinopleBlock',
  'petersburgBlock',
  'istanbulBlock',
  'berlinBlock',
  'londonBlock',
]
const FORKS_BY_TIME = ['shanghaiTime', 'cancunTime', 'pragueTime', 'osakaTime']

/** Returns a configuration with the fork of the block from the start on. geth allows forks in any order and spelling. */
function configAt(
  config: Case['genesis']['config'],
  number: bigint,
  timestamp: bigint,
  difficulty: bigint,
): object {
  const given = new Map(Object.entries(config).map(([name, value]) => [name.toLowerCase(), value]))
  const reached = (forks: readonly string[], now: bigint) => {
    const isReached = (name: string) =>
      BigInt((given.get(name.toLowerCase()) as number | undefined) ?? 2n ** 64n) <= now
    return forks.slice(0, forks.findLastIndex(isReached) + 1).map((name) => [name, 0] as const)
  }
  return {
    chainId: config.chainId,
    ...Object.fromEntries(reached(FORKS_BY_BLOCK, number)),
    ...(difficulty === 0n && {
      terminalTotalDifficulty: 0,
      ...Object.fromEntries(reached(FORKS_BY_TIME, timestamp)),
    }),
    ...(config.blobSchedule !== undefined && { blobSchedule: config.blobSchedule }),
  }
}

/** Resolves to the trace of the case's transaction, in a block with the case's context. */
async function traced({ genesis, context, input, tracerConfig }: Case, tracer: string): Promise<unknown> {
  const { number, timestamp, difficulty, gasLimit, miner, baseFeePerGas, mixHash } = context
  const accounts = Object.entries(genesis.alloc).map(([address, account]) => {
    const { balance, nonce } = account
    return [address, { ...account, balance: quantity(balance), nonce: quantity(nonce) }]
  })
  await using devnet = await createDevnet({
    rhythm: 'manual',
    consoleLogs: false,
    genesis: {
      config: configAt(genesis.config, BigInt(number!), BigInt(timestamp!), BigInt(difficulty ?? 0)),
      alloc: Object.fromEntries(accounts),
      number: quantity(BigInt(number!) - 1n),
      difficulty: quantity(difficulty),
      gasLimit: quantity(gasLimit),
      timestamp: quantity(BigInt(timestamp!) - 1n),
      ...(baseFeePerGas && { baseFeePerGas: quantity(baseFeePerGas) }),
    } as never,
  })
  const raw = fromHex(`0x${input.replace(/^0x/, '')}`)
  const transaction = decodeIncludedTransaction(raw)
  const left = await devnet.repeat(
    {
      ...devnet.latest.header,
      coinbase: miner as Hex,
      timestamp: BigInt(timestamp!),
      gasLimit: BigInt(gasLimit!),
      prevRandao: toHex(toWord(BigInt(mixHash ?? 0))),
      baseFeePerGas: baseFeePerGas === undefined ? undefined : BigInt(baseFeePerGas),
    },
    [transaction],
  )
  expect(left).toEqual([])
  const params = [transaction.hash, { tracer, tracerConfig }] as const
  return await devnet.request({ method: 'debug_traceTransaction', params })
}

/** Removes what geth's tests do not compare: empty values, which Go's structures do not distinguish, and the block. */
function compared(value: unknown): unknown {
  if (typeof value === 'string')
    return OTHER_ERRORS[value] ?? (/^0x/.test(value) ? value.toLowerCase() : value)
  if (Array.isArray(value)) return value.map(compared)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .filter(([name]) => !/^(block|transaction)(Hash|Number|Position)$/.test(name))
    .map(([name, member]) => [name, compared(member)] as const)
    .filter(([, member]) => !isEmpty(member))
  return Object.fromEntries(members)
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === undefined || value === null || /^(0x0*|)$/.test(String(value))
}

describe.skipIf(FOLDER === undefined)('the data of geth in GETH_TRACERS', () => {
  for (const [folder, tracer] of Object.entries(TRACERS)) {
    const files = FOLDER === undefined ? [] : readdirSync(join(FOLDER, folder))
    it.each(files.filter((name) => name.endsWith('.json') && !DIFFERENT.has(name)))(
      `${folder}/%s`,
      async (name) => {
        const one: Case = JSON.parse(readFileSync(join(FOLDER!, folder, name), 'utf8'))
        expect(compared(await traced(one, tracer))).toEqual(compared(one.result))
      },
    )
  }
})
