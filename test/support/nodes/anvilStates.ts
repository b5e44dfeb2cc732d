/**
 * A chain of anvil with one of everything, the state file that anvil writes of it, and what anvil itself answers about it:
 * what a devnet has to answer that loads the file. `scripts/record-states.ts` records it for machines without anvil.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnAnvil } from '../../../scripts/anvil.ts'
import { type Address, fromHex, type Hex, toHex } from '../../../src/bytes/hex.ts'
import { developmentAccounts, TEST_MNEMONIC } from '../../../src/model/account/developmentAccounts.ts'
import type { UnsignedTransaction } from '../../../src/model/transaction/transaction.ts'
import { BLOBS, signNaming, withBlobs } from '../chains/blobs.ts'
import { authorize, type Signer, sign } from '../chains/signing.ts'
import { assemble, creationOf } from '../compilers/assembly.ts'

/** A question and anvil's answer. */
export interface Answered {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

export interface AnvilState {
  /** The file, letter by letter. */
  readonly file: string
  readonly answers: readonly Answered[]
}

export interface AnvilWishes {
  /** Whether the states of older blocks are written down, too. */
  readonly withHistory: boolean
  /** Whether one of the transactions has a blob, which makes the file large. */
  readonly withBlob: boolean
}

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

const NOBODY: Address = '0x000000000000000000000000000000000000b0b0'
const IMPERSONATED: Address = '0x00000000000000000000000000000000000000aa'
const SET: Address = '0x00000000000000000000000000000000000000cc'

/** Keeps the first word of its input in slot 0, and says so with its length as a topic. */
const KEEPER = assemble(
  ...([0, 'CALLDATALOAD', 'DUP1', 0, 'SSTORE', 0, 'MSTORE'] as const),
  ...(['CALLDATASIZE', 32, 0, 'LOG1', 32, 0, 'RETURN'] as const),
)

/** Lets anvil make the chain and write it down; `undefined` where there is no anvil that runs. */
export async function recordAnvil(wishes: AnvilWishes): Promise<AnvilState | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'preseal-anvil-state-'))
  const file = join(folder, 'state.json')
  const anvil = await spawnAnvil([
    ...['--hardfork', 'osaka', '--accounts', '3', '--timestamp', '1735689600', '--dump-state', file],
    ...(wishes.withHistory ? ['--preserve-historical-states'] : []),
  ])
  if (anvil === undefined) return undefined
  try {
    const ask = asking(anvil.url)
    const touched = await grow(ask, wishes)
    const answers = await questions(ask, touched, wishes)
    process.kill(anvil.pid, 'SIGINT')
    return { file: await written(file), answers }
  } finally {
    await anvil.stop()
    rmSync(folder, { recursive: true })
  }
}

/** anvil writes the file as it ends. */
async function written(file: string): Promise<string> {
  for (;;) {
    try {
      const text = readFileSync(file, 'utf8')
      JSON.parse(text)
      return text
    } catch {
      await sleep(20)
    }
  }
}

function asking(url: string): Ask {
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

/** Makes the chain; answers whom it concerned. */
async function grow(ask: Ask, { withBlob }: AnvilWishes): Promise<readonly Address[]> {
  const [alice, bob] = (await developmentAccounts(TEST_MNEMONIC, 3)) as unknown as [Signer, Signer]
  let nonce = 0n
  const mined = async (hash: unknown) => {
    // anvil answers before it has mined.
    let receipt: { contractAddress: Address } | null = null
    while (receipt === null) {
      receipt = (await ask('eth_getTransactionReceipt', hash)) as { contractAddress: Address } | null
      if (receipt === null) await sleep(5)
    }
    return receipt
  }
  const signed = (fields: Partial<UnsignedTransaction>) =>
    toHex(sign(alice, { nonce: nonce++, gasLimit: 100_000n, ...fields }).raw)
  const send = async (fields: Partial<UnsignedTransaction>) =>
    mined(await ask('eth_sendRawTransaction', signed(fields)))
  const deploy = async (runtime: Uint8Array) =>
    (await send({ to: undefined, data: creationOf(runtime), gasLimit: 500_000n })).contractAddress

  const slot: Hex = `0x${'00'.repeat(32)}`
  await send({ type: 0, to: NOBODY, value: 5n })
  await send({ type: 0, chainId: undefined, to: NOBODY, value: 5n })
  const keeper = await deploy(KEEPER)
  await send({
    type: 1,
    to: keeper,
    data: fromHex(`0x${'2a'.padStart(64, '0')}`),
    accessList: [{ address: keeper, storageKeys: [slot] }],
  })
  await send({ to: keeper, data: new Uint8Array(32) })
  await send({ to: keeper, data: fromHex(`0x${'2b'.padStart(64, '0')}`) })
  await send({ to: await deploy(assemble(0xbeef, 0, 'MSTORE', 2, 30, 'REVERT')) })
  await send({ to: await deploy(assemble('INVALID')) })
  await send({ to: undefined, data: assemble('JUMPDEST', 0, 'JUMP') })
  await ask('anvil_setBalance', IMPERSONATED, '0xde0b6b3a7640000')
  await ask('anvil_impersonateAccount', IMPERSONATED)
  await mined(await ask('eth_sendTransaction', { from: IMPERSONATED, to: NOBODY, value: '0x1' }))
  const authorization = await authorize(bob, { address: keeper, nonce: 0n })
  await send({ type: 4, to: NOBODY, authorizationList: [authorization] })
  if (withBlob) {
    const naming = signNaming(alice, [BLOBS[0]!], { nonce: nonce++, to: NOBODY })
    await mined(await ask('eth_sendRawTransaction', withBlobs(naming, [BLOBS[0]!], 1)))
  }
  await ask('evm_setAutomine', false)
  const together = [signed({ to: NOBODY, value: 1n }), signed({ to: keeper, data: fromHex('0xff') })]
  const hashes = []
  for (const raw of together) hashes.push(await ask('eth_sendRawTransaction', raw))
  await ask('anvil_mine', '0x1')
  for (const hash of hashes) await mined(hash)
  await ask('anvil_mine', '0x2')
  // Since its newest block: what its header does not know.
  await ask('anvil_setBalance', SET, '0x7')
  await ask('anvil_setNonce', SET, '0x9')
  await ask('anvil_setCode', SET, '0x6001')
  await ask('anvil_setStorageAt', SET, '0x5', `0x${'99'.padStart(64, '0')}`)
  return [alice.address, bob.address, NOBODY, IMPERSONATED, SET, keeper]
}

async function questions(
  ask: Ask,
  touched: readonly Address[],
  { withHistory }: AnvilWishes,
): Promise<Answered[]> {
  const answers: Answered[] = []
  const note = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const result = await ask(method, ...params)
    answers.push({ method, params, result })
    return result
  }
  const newest = Number(await note('eth_blockNumber'))
  await note('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })
  for (let number = 0; number <= newest; number++) {
    const at = `0x${number.toString(16)}`
    const block = (await note('eth_getBlockByNumber', at, true)) as { transactions: { hash: Hex }[] }
    await note('eth_getBlockReceipts', at)
    for (const { hash } of block.transactions) {
      await note('eth_getTransactionByHash', hash)
      await note('eth_getTransactionReceipt', hash)
    }
    if (!withHistory && number < newest) continue
    for (const address of touched) {
      await note('eth_getBalance', address, at)
      await note('eth_getTransactionCount', address, at)
      await note('eth_getCode', address, at)
      await note('eth_getStorageAt', address, '0x0', at)
      await note('eth_getStorageAt', address, '0x5', at)
    }
  }
  return answers
}
