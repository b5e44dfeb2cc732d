/** The most expensive requests of five megabytes and fifty million gas. */
import { privateKeyToAccount } from 'viem/accounts'
import { assemble, type Item } from '../../test/support/compilers/assembly.ts'

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

export interface HostileRequest {
  readonly name: string
  /** Prepares the chain for the request, and returns its text. */
  body(ask: Ask): string | Promise<string>
}

const CONTRACT = `0x${'c0'.repeat(20)}` as const
const GAS = '0x2faf080'

const request = (method: string, params: readonly unknown[], id: unknown = 1) =>
  `{"jsonrpc":"2.0","id":${typeof id === 'string' ? id : JSON.stringify(id)},"method":"${method}","params":${JSON.stringify(params)}}`

/** Code that runs `items` in a loop until its gas ends. */
const loop = (...items: Item[]) => hexOf(assemble('JUMPDEST', ...items, 0, 'JUMP'))
const hexOf = (bytes: Uint8Array | string) =>
  typeof bytes === 'string' ? bytes : `0x${Buffer.from(bytes).toString('hex')}`

async function withCode(ask: Ask, code: string): Promise<void> {
  await ask('anvil_setCode', [CONTRACT, code])
}

const many = <T>(length: number, item: (i: number) => T) => Array.from({ length }, (_, i) => item(i))

/** Words of 32 bytes, from 0 on. */
const words = (count: number) => many(count, (i) => `0x${word(i)}`)

/** An address that ends with the number after `i`. */
const numbered = (i: number, filler: string) => `0x${(i + 1).toString(16).padStart(40, filler)}`

const prepared = (name: string, body: HostileRequest['body']): HostileRequest => ({ name, body })

const plain = (name: string, method: string, params: () => readonly unknown[]) =>
  prepared(name, () => request(method, params()))

/** A request with a call of a contract with `code`. */
function about(
  name: string,
  code: string,
  method = 'eth_call',
  more: readonly unknown[] = [],
  call: Record<string, unknown> = {},
): HostileRequest {
  return prepared(name, async (ask) => {
    await withCode(ask, code)
    return request(method, [{ to: CONTRACT, gas: GAS, ...call }, ...more])
  })
}

/** Calls a precompile in a loop with `input`, which is stored at the beginning of memory. */
function precompile(name: string, number: number, input: string): HostileRequest {
  const data = input.replace('0x', '')
  const size = data.length / 2
  const stores: Item[] = ['CALLDATASIZE', 0, 0, 'CALLDATACOPY']
  const begin = (hexOf(assemble(...stores)).length - 2) / 2
  const code = hexOf(
    assemble(...stores, 'JUMPDEST', 64, 0, size, 0, number, 'GAS', 'STATICCALL', 'POP', begin, 'JUMP'),
  )
  return about(name, code, 'eth_call', [], { data: `0x${data}` })
}

const LOOP = loop()
const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0')

/** A generator of BN254's first and second group, and the first with its sign changed: their pairing is one. */
const BN_PAIR = [
  word(1),
  word(2),
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
].join('')

const G1 = [
  '0'.repeat(32),
  '17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  '0'.repeat(32),
  '08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1',
].join('')
const G2 = [
  '0'.repeat(32),
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
  '0'.repeat(32),
  '13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e',
  '0'.repeat(32),
  '0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801',
  '0'.repeat(32),
  '0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be',
].join('')

const blake2 = (rounds: number) => `${rounds.toString(16).padStart(8, '0')}${'00'.repeat(64 + 128 + 16)}01`

/** Typed data with nested structs, or with many of them. */
const typed = (types: Record<string, unknown>, primaryType: string, message: unknown) => [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  { types, primaryType, domain: {}, message },
]

export const HOSTILE: readonly HostileRequest[] = [
  about('a loop', LOOP),
  about('EXTCODEHASH', loop('ADDRESS', 'EXTCODEHASH', 'POP')),
  about('BALANCE', loop('ADDRESS', 'BALANCE', 'POP')),
  about('TSTORE', loop(1, 'GAS', 'TSTORE')),
  about('calls to itself', loop(0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL', 'POP')),
  about('SSTORE of new slots', loop(1, 'GAS', 'SSTORE')),
  about('hashes of a megabyte', loop(1_000_000, 0, 'KECCAK256', 'POP')),
  about('hashes of four megabytes', loop(4_000_000, 0, 'KECCAK256', 'POP')),
  about('SHA-256 of four megabytes', loop(32, 0, 4_000_000, 0, 2, 'GAS', 'STATICCALL', 'POP')),
  about('RIPEMD-160 of four megabytes', loop(32, 0, 4_000_000, 0, 3, 'GAS', 'STATICCALL', 'POP')),
  about('creations', loop(0, 0, 0, 'CREATE', 'POP')),
  about('creations with the longest init code', loop('GAS', 0, 'MSTORE', 49_152, 0, 0, 'CREATE', 'POP')),
  about('an estimate that depends on gas', loop('GAS', 'POP'), 'eth_estimateGas', [], { gas: '0xf42400' }),
  about('an access list that depends on gas', loop('GAS', 'SLOAD', 'POP'), 'eth_createAccessList'),
  about('structLogs of a loop', LOOP, 'debug_traceCall', ['latest', {}]),
  about('structLogs of little', LOOP, 'debug_traceCall', ['latest', {}], { gas: '0x1e8480' }),
  about('callTracer of a loop', LOOP, 'debug_traceCall', ['latest', { tracer: 'callTracer' }]),
  about('callTracer of calls', loop(0, 0, 0, 0, 0, 4, 'GAS', 'CALL', 'POP'), 'debug_traceCall', [
    'latest',
    { tracer: 'callTracer' },
  ]),
  about('prestateTracer of a loop', LOOP, 'debug_traceCall', ['latest', { tracer: 'prestateTracer' }]),
  prepared('debug_traceTransaction of 16 million gas', async (ask) => {
    await withCode(ask, LOOP)
    await ask('evm_setIntervalMining', [0])
    const hash = await ask('eth_sendTransaction', [{ to: CONTRACT, gas: '0xf42400' }])
    await ask('evm_mine', [])
    await ask('evm_setIntervalMining', [1])
    return request('debug_traceTransaction', [hash])
  }),
  precompile('BLAKE2, many', 9, blake2(10_000)),
  precompile('BLAKE2, one of 40 million rounds', 9, blake2(40_000_000)),
  precompile('BN254 pairing, many', 8, BN_PAIR),
  precompile('BN254 pairing, one of 1,000', 8, BN_PAIR.repeat(1_000)),
  precompile('BN254 multiplications', 7, `${word(1)}${word(2)}${'f'.repeat(64)}`),
  precompile('BLS12-381 pairing, many', 15, `${G1}${G2}`),
  precompile('BLS12-381 pairing, one of 1,000', 15, `${G1}${G2}`.repeat(1_000)),
  precompile('BLS12-381 sums in G1, one of 1,000', 12, `${G1}${'73'.repeat(32)}`.repeat(1_000)),
  precompile('modexp of 1,024 bytes', 5, `${word(1024)}${word(1024)}${word(1024)}${'fd'.repeat(3072)}`),
  prepared('1,900 authorizations', async () => {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const { r, s, yParity } = await account.signAuthorization({
      chainId: 31337,
      nonce: 0,
      contractAddress: CONTRACT,
    })
    const one = { chainId: '0x7a69', address: CONTRACT, nonce: '0x0', yParity: `0x${yParity}`, r, s }
    const authorizationList = many(1_900, () => one)
    return request('eth_call', [{ to: CONTRACT, gas: '0x4c4b400', authorizationList }])
  }),
  prepared('a batch of 1,000 loops', async (ask) => {
    await withCode(ask, LOOP)
    return `[${many(1_000, (i) => request('eth_call', [{ to: CONTRACT, gas: GAS }], i)).join(',')}]`
  }),
  prepared('1,000 ids that are not exact, in 5 MB', () => {
    const padding = `[],"x":[${'1,'.repeat(2_400)}1]`
    const one = () => request('eth_chainId', [], '9007199254740993').replace('[]', padding)
    return `[${many(1_000, one).join(',')}]`
  }),
  plain('300,000 structs of typed data', 'eth_signTypedData_v4', () =>
    typed({ A: [{ name: 'b', type: 'B[]' }], B: [{ name: 'x', type: 'bool' }] }, 'A', {
      b: many(300_000, () => ({ x: true })),
    }),
  ),
  plain('a chain of 60,000 types', 'eth_signTypedData_v4', () => {
    const types = many(60_000, (i) => [`T${i}`, [{ name: 'a', type: `T${i + 1}` }]])
    return typed(Object.fromEntries(types), 'T0', {})
  }),
  prepared('2.4 million levels of JSON', () => `${'['.repeat(2_400_000)}${']'.repeat(2_400_000)}`),
  plain('anvil_mine of 30,000 blocks', 'anvil_mine', () => ['0x7530']),
  plain('evm_mine_detailed of 20,000 blocks', 'evm_mine_detailed', () => [{ blocks: 20_000 }]),
  prepared('eth_simulateV1 of 256 blocks of loops', async (ask) => {
    await withCode(ask, LOOP)
    const block = { calls: many(50, () => ({ to: CONTRACT, gas: '0x30d40' })) }
    return request('eth_simulateV1', [{ blockStateCalls: many(256, () => block) }])
  }),
  plain('eth_simulateV1 of 256 blocks with 100 overrides', 'eth_simulateV1', () => {
    const overrides = many(100, (i) => [numbered(i, '1'), { balance: '0x1' }])
    const block = { stateOverrides: Object.fromEntries(overrides) }
    return [{ blockStateCalls: many(256, () => block) }]
  }),
  plain('an override of 60,000 slots', 'eth_call', () => {
    const stateDiff = Object.fromEntries(words(35_000).map((slot) => [slot, `0x${word(1)}`]))
    return [{ to: CONTRACT }, 'latest', { [CONTRACT]: { stateDiff } }]
  }),
  plain('a proof of 60,000 slots', 'eth_getProof', () => [CONTRACT, words(60_000), 'latest']),
  plain('logs with 60,000 topics to choose from', 'eth_getLogs', () => [
    { fromBlock: '0x0', topics: [words(60_000)] },
  ]),
  prepared('all of 50,000 logs', async (ask) => {
    await withCode(ask, hexOf(assemble(...many(500, (): Item[] => [0, 0, 'LOG0']).flat())))
    for (let i = 0; i < 100; i++) await ask('eth_sendTransaction', [{ to: CONTRACT, gas: '0x7a120' }])
    await ask('evm_mine', [])
    await ask('evm_mine', [])
    return request('eth_getLogs', [{ fromBlock: '0x0', address: CONTRACT }])
  }),
  prepared('fees of 1,024 blocks with 100 percentiles', async (ask) => {
    await ask('anvil_mine', ['0x400'])
    return request('eth_feeHistory', ['0x400', 'latest', many(100, (i) => i)])
  }),
  prepared('txpool_content of 5,000 transactions', async (ask) => {
    await ask('evm_setIntervalMining', [0])
    for (let i = 1; i <= 5_000; i++) {
      await ask('eth_sendTransaction', [{ to: CONTRACT, gas: '0x5208', nonce: `0x${i.toString(16)}` }])
    }
    return request('txpool_content', [])
  }),
  plain('an access list of 5 MB', 'eth_call', () => {
    const accessList = [{ address: CONTRACT, storageKeys: words(70_000) }]
    return [{ to: CONTRACT, accessList }]
  }),
  prepared('anvil_dumpState of 20,000 accounts', async (ask) => {
    for (let i = 0; i < 20_000; i++) await ask('anvil_setBalance', [numbered(i, '2'), '0x1'])
    return request('anvil_dumpState', [])
  }),
]
