/** anvil's `state.json`: what anvil answered about a chain when it wrote it down, a devnet answers that loads it. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { foundryVersion } from '../../scripts/foundry.ts'
import type { Hex } from '../../src/bytes/hex.ts'
import type { Devnet } from '../../src/index.ts'
import { dumped, everything, loaded, loadRefusal } from '../support/chains/stateFiles.ts'
import { ask, started } from '../support/clients/clients.ts'
import { type Answered, type AnvilState, recordAnvil } from '../support/nodes/anvilStates.ts'

type Json = Record<string, unknown>

const FOLDER = new URL('../../fixtures/stateFiles/', import.meta.url)
const text = readFileSync(new URL('anvil.json', FOLDER), 'utf8')
const recorded: AnvilState = {
  file: text,
  answers: readFileSync(new URL('anvil.answers.jsonl', FOLDER), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Answered),
}
const NEWEST = '0x10'

/** A file as of an anvil without `--preserve-historical-states`. */
function withoutHistory(file: string): string {
  return JSON.stringify({ ...JSON.parse(file), historical_states: null })
}

/** What anvil answers and nodes do not: the blobs beside a transaction, and that nothing was mined. */
const ANVILS = ['totalDifficulty', 'blobs', 'commitments', 'proofs', 'cellProofs', 'wrapperVersion']

/** An answer without what is not to be compared. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value as Json).filter(([name]) => !ANVILS.includes(name))
  const { size, blobGasPrice, blockTimestamp, ...rest } = Object.fromEntries(members)
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, comparable(member)])),
    // anvil gives each receipt a price of blobs, counts blocks without their (empty) lists of withdrawals, and puts times
    // where receipts have none.
    ...(rest.blobGasUsed === undefined ? {} : { blobGasPrice }),
  }
}

async function expectAnswers(devnet: Devnet, answers: readonly Answered[]): Promise<void> {
  for (const { method, params, result } of answers) {
    const ours = await ask(devnet, method, ...params)
    expect({ method, params, result: comparable(ours) }).toEqual({
      method,
      params,
      result: comparable(result),
    })
  }
}

/** Whether the root in a block's header is that of the state which the devnet has after it. */
async function hasItsRoot(devnet: Devnet, at: Hex): Promise<boolean> {
  const { stateRoot } = await ask<{ stateRoot: Hex }>(devnet, 'eth_getBlockByNumber', at, false)
  const { accountProof } = await ask<{ accountProof: Hex[] }>(
    devnet,
    'eth_getProof',
    `0x${'00'.repeat(20)}`,
    [],
    at,
  )
  return keccak256(accountProof[0]!) === stateRoot
}

describe('a chain of anvil', () => {
  it('answers what anvil answered, at each block', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { hash } = await ask<{ hash: Hex }>(
      await loaded(Buffer.from(text)),
      'eth_getBlockByNumber',
      NEWEST,
      false,
    )
    expect(await devnet.load(Buffer.from(text))).toEqual({ number: 16n, hash })
    expect(recorded.answers.length).toBeGreaterThan(500)
    await expectAnswers(devnet, recorded.answers)
  })

  it('has whole states: their roots are those that anvil gave the blocks', async () => {
    const devnet = await loaded(Buffer.from(text))
    const blocks = Array.from({ length: 17 }, (_, number): Hex => `0x${number.toString(16)}`)
    const others = []
    for (const at of blocks) if (!(await hasItsRoot(devnet, at))) others.push(at)
    // anvil 1.7.1 gives block 0 the root of nothing, counts slots that were cleared (block 5) and accounts that do not exist
    // (from block 11 on: where the creation failed), and the newest accounts were set by hand since.
    expect(others).toEqual(['0x0', '0x5', '0xb', '0xc', '0xd', '0xe', '0xf', '0x10'])
  })

  it('without the states of older blocks answers all but those', async () => {
    const devnet = await loaded(Buffer.from(withoutHistory(text)))
    const isOfState = ({ method, params }: Answered) =>
      /Balance|Count|Code|Storage/.test(method) && params.at(-1) !== NEWEST
    await expectAnswers(
      devnet,
      recorded.answers.filter((answered) => !isOfState(answered)),
    )
    const refused = recorded.answers.filter(isOfState)
    expect(refused.length).toBeGreaterThan(400)
    for (const { method, params } of [
      ...refused,
      { method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`, 'earliest'] },
      { method: 'eth_call', params: [{ to: `0x${'00'.repeat(20)}` }, '0x3'] },
      { method: 'debug_traceBlockByNumber', params: ['0x4', {}] },
    ]) {
      await expect(ask(devnet, method, ...params)).rejects.toMatchObject({
        code: 4444,
        message: 'pruned history unavailable',
        data: expect.stringMatching(/^the state after block 0x\w is not known/),
      })
    }
    for (const method of ['debug_getRawBlock', 'debug_getRawHeader', 'debug_getRawReceipts']) {
      expect(await ask(devnet, method, '0x3')).toEqual(
        await ask(await loaded(Buffer.from(text)), method, '0x3'),
      )
    }
    expect(await ask(devnet, 'eth_feeHistory', '0x2', '0x3', [50])).toMatchObject({ oldestBlock: '0x2' })
    await expect(ask(devnet, 'anvil_reset')).rejects.toMatchObject({ code: 4444 })
    expect(() => devnet.genesis()).toThrow(RangeError)
    expect([...devnet.export()]).toHaveLength(16)
  })

  it.each([
    ['with', text],
    ['without', withoutHistory(text)],
  ])('%s them is written and loaded as one of ours, the same', async (_, file) => {
    const devnet = await loaded(Buffer.from(file))
    const ours = dumped(devnet)
    const copy = await loaded(ours)
    expect(dumped(copy).equals(ours)).toBe(true)
    expect(await everything(copy)).toEqual(await everything(devnet))
    expect(ours.length).toBeLessThan(file.length)
  })

  it('goes on: its accounts send, its contracts run, blocks follow the newest', async () => {
    const devnet = await loaded(gzipSync(text), { rhythm: 'instant' })
    const parent = await ask<{ hash: Hex; timestamp: Hex }>(devnet, 'eth_getBlockByNumber', NEWEST, false)
    const [alice] = await ask<Hex[]>(devnet, 'eth_accounts')
    // What keeps its input in slot 0 is the first contract that was deployed, with nonce 2.
    const to = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'
    const input = `0x${'77'.padStart(64, '0')}`
    const hash = await ask(devnet, 'eth_sendTransaction', { from: alice, to, input })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      blockNumber: '0x11',
    })
    expect(await ask(devnet, 'eth_getStorageAt', to, '0x0', 'latest')).toBe(input)
    const block = await ask<{ parentHash: Hex; timestamp: Hex }>(
      devnet,
      'eth_getBlockByNumber',
      '0x11',
      false,
    )
    expect(block.parentHash).toBe(parent.hash)
    expect(Number(block.timestamp)).toBeGreaterThanOrEqual(Number(parent.timestamp))
    expect(await hasItsRoot(devnet, '0x11')).toBe(true)
  })

  it('stands, under manual time, at the time of its newest block', async () => {
    const devnet = await loaded(Buffer.from(text))
    const { timestamp } = await ask<{ timestamp: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    await devnet.seal()
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({ timestamp })
  })
})

describe('a file of anvil that cannot be loaded', () => {
  /** The file with another value at a place; without one where there is none. */
  const changed = (place: readonly (string | number)[], value?: unknown): Buffer => {
    const state = JSON.parse(text)
    let container = state
    for (const name of place.slice(0, -1)) container = container[name]
    const last = place.at(-1)!
    if (value !== undefined) container[last] = value
    else if (Array.isArray(container)) container.splice(Number(last), 1)
    else delete container[last]
    return Buffer.from(JSON.stringify(state, null, 1))
  }
  /** Where a block stands in the file, which has them in no order. */
  const indexOf = (number: number) =>
    (JSON.parse(text).blocks as { header: { number: Hex } }[]).findIndex(
      ({ header }) => Number(header.number) === number,
    )
  const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const first = indexOf(1)
  const inFirst = (member: string) => ['blocks', first, 'transactions', 0, 'transaction', member] as const

  it.each<[string, Buffer, string, string]>([
    ['is cut off', Buffer.from(text.slice(0, 40_000)), '', 'got the end of the file, in the middle of JSON'],
    ['lacks a block', changed(['blocks', indexOf(4)]), 'blocks', 'got "no block 4"'],
    ['has no blocks', changed(['blocks'], []), 'blocks', 'got "no block 0"'],
    ['is said to be longer', changed(['best_block_number'], 10 ** 15), 'blocks', 'got "no block 17"'],
    [
      'has a block with another parent',
      changed(['blocks', indexOf(9), 'header', 'extraData'], '0x01'),
      `blocks[${indexOf(10)}].header.parentHash`,
      'expected the hash of block 9, 0x',
    ],
    [
      'has a bad header',
      changed(['blocks', indexOf(9), 'header', 'gasUsed'], 5),
      `blocks[${indexOf(9)}].header.gasUsed`,
      'expected a quantity',
    ],
    [
      'lacks a part of a header',
      changed(['blocks', indexOf(9), 'header', 'gasUsed']),
      `blocks[${indexOf(9)}].header.gasUsed`,
      'got nothing',
    ],
    [
      'has another transaction',
      changed(inFirst('value'), '0x6'),
      'info.transaction_hash',
      'expected the hash of the transaction, 0x',
    ],
    [
      'is of another chain',
      changed(inFirst('chainId'), '0x5'),
      `blocks[${first}].transactions[0].transaction.chainId`,
      'expected 31337, the chain id of this devnet, got 5',
    ],
    [
      'has a transaction of an unknown type',
      changed(inFirst('type'), '0x7e'),
      `blocks[${first}].transactions[0].transaction.type`,
      'a type from 0x0 to 0x4',
    ],
    ['lacks receipts', changed(['transactions'], []), '.transactions[0]', 'its receipt in transactions'],
    [
      'has a bad account',
      changed(['accounts', ADDRESS, 'balance'], '0xg'),
      `accounts.${ADDRESS}.balance`,
      'expected a whole number',
    ],
    [
      'has a bad old state',
      changed(['historical_states', 0, 1, 'accounts', ADDRESS, 'code'], {}),
      `historical_states[0][1].accounts.${ADDRESS}.code.LegacyAnalyzed`,
      'expected analysed code',
    ],
  ])('%s, and says where', async (_, file, path, message) => {
    const refusal = await loadRefusal(await started({ rhythm: 'manual' }), file)
    expect(refusal.message).toContain(`${path}: expected`.replace(/^: /, ''))
    expect(refusal.message).toContain(message)
    // The line of the value, or of what it is missing in.
    const line = file.toString().split('\n')[refusal.line - 1]!
    const member = /(\w+)(\[\d+\])?$/.exec(path)?.[1]
    const isThere = path !== '' && !message.includes('got nothing') && !path.endsWith('LegacyAnalyzed')
    if (isThere && !path.endsWith(']')) expect(line).toContain(`"${member}": `)
  })

  it('has blocks of another hardfork, which is the one to choose', async () => {
    const refusal = await loadRefusal(
      await started({ rhythm: 'manual', hardfork: 'cancun' }),
      Buffer.from(text),
    )
    expect(refusal.message.replace(/^line \d+: /, '')).toBe(
      'blocks: expected headers as under cancun, the hardfork of this devnet (option hardfork), got "block 0, which differs in requestsHash"',
    )
    await loaded(Buffer.from(text), { hardfork: 'prague' })
  })
})

describe.skipIf(foundryVersion('anvil') === undefined)('anvil that runs here', () => {
  it.each([
    // anvil needs seconds for its first blob.
    { withHistory: true, withBlob: true },
    { withHistory: false, withBlob: false },
  ])('writes what a devnet loads (all states: $withHistory, a blob: $withBlob)', async (wish) => {
    const { file, answers } = (await recordAnvil(wish))!
    const devnet = await loaded(Buffer.from(file))
    await expectAnswers(devnet, answers)
    const ours = dumped(devnet)
    expect(dumped(await loaded(ours)).equals(ours)).toBe(true)
  })
})
