/**
 * Requests for every method of the specification but the Engine API: each block, transaction and
 * receipt of a chain, by each kind of selector, the pool, and the node itself.
 */
import type { Devnet } from '../../src/index.ts'

export interface Answered {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

interface BlockJson {
  readonly number: string
  readonly hash: string
  readonly timestamp: string
  readonly transactions: readonly {
    readonly hash: string
    readonly to: string | null
    readonly from: string
  }[]
}

const ZEROS = `0x${'00'.repeat(32)}`
const NOBODY = `0x${'00'.repeat(20)}`
/** Blocks whose transactions are traced, but never block 0: traces of all are large. */
const TRACED_BLOCKS = 4
const PERCENTILES = [0, 50, 100]

/** Sends all requests to `devnet`, whose rhythm is manual. Its chain grows by a block. */
export async function* askEverything(devnet: Devnet): AsyncGenerator<Answered> {
  const ask = async (method: string, ...params: unknown[]): Promise<Answered> => {
    try {
      return { method, params, result: await devnet.request({ method, params }) }
    } catch (error) {
      const { code, message } = error as { code: number; message: string }
      return { method, params, error: { code, message } }
    }
  }
  const head = (await ask('eth_getBlockByNumber', 'latest', true)).result as BlockJson
  for (const method of PLAIN) yield ask(method)
  for (let number = 0; number <= Number(head.number); number++) {
    yield* aboutBlock(ask, number, Number(head.number) - number < TRACED_BLOCKS)
  }
  yield* aboutNothing(ask)
  yield* aboutAccounts(ask, head)
  yield* aboutCalls(ask, head)
  yield* aboutWaiting(ask, devnet)
}

type Ask = (method: string, ...params: unknown[]) => Promise<Answered>

const PLAIN = [
  'eth_blockNumber',
  'eth_chainId',
  'net_version',
  'eth_syncing',
  'eth_coinbase',
  'eth_accounts',
  'eth_config',
  'eth_capabilities',
  'eth_gasPrice',
  'eth_baseFee',
  'eth_blobBaseFee',
  'eth_maxPriorityFeePerGas',
  'debug_getBadBlocks',
  'txpool_status',
  'txpool_content',
]

async function* aboutBlock(ask: Ask, number: number, isTraced: boolean): AsyncGenerator<Answered> {
  const at = `0x${number.toString(16)}`
  const full = await ask('eth_getBlockByNumber', at, true)
  yield full
  const { hash, transactions } = full.result as BlockJson
  yield ask('eth_getBlockByNumber', at, false)
  for (const isFull of [true, false]) yield ask('eth_getBlockByHash', hash, isFull)
  yield ask('eth_getBlockTransactionCountByNumber', at)
  yield ask('eth_getBlockTransactionCountByHash', hash)
  for (const selector of [at, hash]) yield ask('eth_getBlockReceipts', selector)
  yield ask('eth_getLogs', { fromBlock: at, toBlock: at })
  yield ask('eth_getLogs', { blockHash: hash })
  yield ask('eth_feeHistory', '0x5', at, PERCENTILES)
  for (const kind of ['Header', 'Block', 'Receipts']) yield ask(`debug_getRaw${kind}`, at)
  for (const [index, { hash: transaction }] of transactions.entries()) {
    const place = `0x${index.toString(16)}`
    yield ask('eth_getTransactionByHash', transaction)
    yield ask('eth_getTransactionReceipt', transaction)
    yield ask('eth_getTransactionByBlockNumberAndIndex', at, place)
    yield ask('eth_getTransactionByBlockHashAndIndex', hash, place)
    yield ask('debug_getRawTransaction', transaction)
    if (!isTraced) continue
    yield ask('debug_traceTransaction', transaction)
    yield ask('debug_traceTransaction', transaction, { enableMemory: true, enableReturnData: true })
  }
  if (!isTraced || number === 0) return
  yield ask('debug_traceBlockByNumber', at)
  yield ask('debug_traceBlockByHash', hash, { tracer: 'callTracer' })
}

async function* aboutNothing(ask: Ask): AsyncGenerator<Answered> {
  yield ask('eth_getBlockByHash', ZEROS, false)
  yield ask('eth_getBlockByNumber', '0xffffff', false)
  yield ask('eth_getBlockReceipts', '0xffffff')
  yield ask('eth_getBlockAccessList', '0xffffff')
  yield ask('eth_getBlockTransactionCountByNumber', '0xffffff')
  yield ask('eth_getBlockTransactionCountByHash', ZEROS)
  yield ask('eth_getTransactionByHash', ZEROS)
  yield ask('eth_getTransactionReceipt', ZEROS)
  yield ask('eth_getTransactionByBlockNumberAndIndex', '0x0', '0x5')
  yield ask('eth_getTransactionByBlockHashAndIndex', ZEROS, '0x0')
}

async function* aboutAccounts(ask: Ask, head: BlockJson): AsyncGenerator<Answered> {
  const { number, hash, transactions } = head
  const accounts = [NOBODY, ...transactions.flatMap(({ from, to }) => (to === null ? [from] : [from, to]))]
  for (const account of accounts) {
    for (const at of [[], ['latest'], [number], [hash], ['earliest'], ['pending']]) {
      for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']) {
        yield ask(method, account, ...at)
      }
      yield ask('eth_getStorageAt', account, '0x0', ...at)
      yield ask('eth_getStorageAt', account, ZEROS, ...at)
    }
    yield ask('eth_getProof', account, ['0x0', '0x1'], 'latest')
    yield ask('eth_getStorageValues', { [account]: [ZEROS] }, 'latest')
  }
}

async function* aboutCalls(ask: Ask, head: BlockJson): AsyncGenerator<Answered> {
  // Stores 1 in slot 0, logs nothing and returns its 32 bytes of memory.
  const call = { from: NOBODY, data: '0x60016000556000600060006000a060206000f3' }
  const transfer = { from: NOBODY, to: NOBODY, value: '0x0' }
  for (const one of [call, transfer]) {
    yield ask('eth_call', one, 'latest')
    yield ask('eth_estimateGas', one)
    yield ask('eth_createAccessList', one, 'latest')
  }
  for (const returnFullTransactions of [true, false]) {
    const failing = [
      { ...call, gas: '0x186a0', data: '0xfe' },
      { ...call, data: '0x60006000fd' },
    ]
    const calls = [transfer, call, ...failing]
    const blockStateCalls = [{ calls }, { blockOverrides: { number: plus(head.number, 5) }, calls: [call] }]
    yield ask('eth_simulateV1', { blockStateCalls, returnFullTransactions, traceTransfers: true }, 'latest')
  }
  const attributes = {
    timestamp: plus(head.timestamp, 12),
    prevRandao: ZEROS,
    suggestedFeeRecipient: NOBODY,
    withdrawals: [],
    parentBeaconBlockRoot: ZEROS,
  }
  yield ask('testing_buildBlockV1', head.hash, attributes, [], null)
  yield ask('testing_buildBlockV1', head.hash, attributes, null)
}

/** Sending, signing and filters, with accounts of the devnet. */
async function* aboutWaiting(ask: Ask, devnet: Devnet): AsyncGenerator<Answered> {
  const [from, other] = devnet.accounts.map(({ address }) => address.toLowerCase())
  await ask('anvil_setBalance', from, '0xde0b6b3a7640000')
  const filters = [
    await ask('eth_newFilter', { fromBlock: '0x0', toBlock: 'latest' }),
    await ask('eth_newBlockFilter'),
    await ask('eth_newPendingTransactionFilter'),
  ]
  yield* filters
  const transaction = { from, to: other, value: '0x1', gas: '0x5208' }
  for (const kind of KINDS) {
    yield ask('eth_fillTransaction', { ...transaction, ...kind })
    yield ask('eth_signTransaction', { ...transaction, ...kind, nonce: '0x0' })
  }
  yield ask('eth_sign', from, '0xdeadbeef')
  const sent = await ask('eth_sendTransaction', transaction)
  yield sent
  await ask('eth_sendTransaction', { ...transaction, nonce: '0x9' })
  yield ask('eth_getTransactionByHash', sent.result)
  for (const method of ['txpool_status', 'txpool_content']) yield ask(method)
  yield ask('txpool_contentFrom', from)
  await ask('evm_mine')
  yield ask('eth_getTransactionReceipt', sent.result)
  for (const { result } of filters) yield ask('eth_getFilterChanges', result)
  yield ask('eth_getFilterLogs', filters[0]!.result)
  for (const { result } of filters) yield ask('eth_uninstallFilter', result)
}

/** A transaction of each type without further parts. */
const KINDS: readonly object[] = [
  { gasPrice: '0x77359400' },
  { gasPrice: '0x77359400', accessList: [] },
  { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' },
  {},
]

function plus(quantity: string, more: number): string {
  return `0x${(BigInt(quantity) + BigInt(more)).toString(16)}`
}
