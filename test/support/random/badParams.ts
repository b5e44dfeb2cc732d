/** The parameters of the methods: right ones, and such as are wrong in one place. */
import {
  badAddress,
  badBytes,
  badNumberOrTag,
  badQuantity,
  badSlot,
  badUint64,
  badUint256,
  badWord,
  type Make,
  notAnArray,
  notAnObject,
  withBad,
  withBadItem,
} from './badValues.ts'
import type { Random } from './random.ts'

export type Kind =
  | 'address'
  | 'slot'
  | 'storageKeys'
  | 'hash'
  | 'selector'
  | 'numberOrTag'
  | 'boolean'
  | 'call'
  | 'filter'
  | 'accountOverrides'
  | 'blockOverrides'
  | 'blockCount'
  | 'percentiles'
  | 'raw'
  | 'simulation'

/** The methods and their parameters. */
export const METHODS: ReadonlyMap<string, readonly Kind[]> = new Map<string, readonly Kind[]>([
  ['eth_getBalance', ['address', 'selector']],
  ['eth_getCode', ['address', 'selector']],
  ['eth_getTransactionCount', ['address', 'selector']],
  ['eth_getStorageAt', ['address', 'slot', 'selector']],
  ['eth_getProof', ['address', 'storageKeys', 'selector']],
  ['eth_call', ['call', 'selector', 'accountOverrides', 'blockOverrides']],
  ['eth_estimateGas', ['call', 'selector', 'accountOverrides', 'blockOverrides']],
  ['eth_createAccessList', ['call', 'selector', 'accountOverrides', 'blockOverrides']],
  ['eth_simulateV1', ['simulation', 'selector']],
  ['eth_getLogs', ['filter']],
  ['eth_getBlockByNumber', ['numberOrTag', 'boolean']],
  ['eth_getBlockByHash', ['hash', 'boolean']],
  ['eth_getTransactionByHash', ['hash']],
  ['eth_getTransactionReceipt', ['hash']],
  ['eth_feeHistory', ['blockCount', 'numberOrTag', 'percentiles']],
  ['eth_sendTransaction', ['call']],
  ['eth_sendRawTransaction', ['raw']],
  ['eth_chainId', []],
  ['eth_blockNumber', []],
  ['eth_gasPrice', []],
  ['eth_maxPriorityFeePerGas', []],
  ['eth_accounts', []],
  ['net_version', []],
  ['web3_clientVersion', []],
])

/** What may be left out at the end. */
export const OPTIONAL = new Set<Kind>([
  'selector',
  'boolean',
  'accountOverrides',
  'blockOverrides',
  'percentiles',
])

const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest']

/** Right, and harmless. */
export const GOOD: Record<Kind, Make> = {
  address: (random) => random.hex(20),
  slot: (random) => random.hex(32),
  storageKeys: (random) => random.list(random.below(4), () => random.pick([random.hex(32), '0x1'])),
  hash: (random) => random.hex(32),
  selector: (random) => random.pick([...TAGS, '0x0', null]),
  numberOrTag: (random) => random.pick([...TAGS, '0x0']),
  boolean: (random) => random.pick([true, false, null]),
  call: (random) => ({ to: random.hex(20) }),
  filter: () => ({}),
  accountOverrides: (random) => random.pick([{}, null]),
  blockOverrides: (random) => random.pick([{}, null]),
  blockCount: (random) => random.pick([1, '0x1']),
  percentiles: () => [25, 75],
  raw: () => '0x',
  simulation: () => ({ blockStateCalls: [{}] }),
}

/** Wrong in one place. */
export const BAD: Record<Kind | 'bytes', Make> = {
  address: badAddress,
  hash: badWord,
  bytes: badBytes,
  raw: badBytes,
  slot: badSlot,
  storageKeys: (random) =>
    random.pick<Make>([notAnArray, withBadItem(GOOD.slot, badSlot), () => Array(1025).fill('0x0')])(random),
  boolean: (random) => random.pick<unknown>([0, 1, '', 'true', 'false', {}, []]),
  numberOrTag: badNumberOrTag,
  selector: (random) =>
    random.pick<() => unknown>([
      () =>
        random.pick([
          'newest',
          'Latest',
          'PENDING',
          'latest ',
          'unsafe',
          '',
          '0x',
          '0x01',
          '5',
          5,
          -1,
          true,
          false,
          [],
          ['latest'],
          {},
        ]),
      () => badUint64(random),
      () => ({ blockNumber: badNumberOrTag(random) }),
      () => ({ blockHash: badWord(random) }),
      () => ({ blockHash: random.hex(32), blockNumber: '0x0' }),
      () => ({ blockHash: random.hex(32), requireCanonical: random.pick([0, 1, 'true', {}, []]) }),
      () => `${random.hex(31)}gg`,
    ])(),
  call: (random) =>
    random.pick<() => unknown>([
      () => notAnObject(random),
      () => ({
        to: random.hex(20),
        ...(withBad({
          from: badAddress,
          to: badAddress,
          gas: badUint64,
          gasPrice: badUint256,
          maxFeePerGas: badUint256,
          maxPriorityFeePerGas: badUint256,
          value: badUint256,
          data: badBytes,
          input: badBytes,
          nonce: badUint64,
          chainId: badUint256,
          accessList: (inner) =>
            inner.pick([
              notAnArray,
              withBadItem(() => ({ address: `0x${'11'.repeat(20)}` }), badAccessListItem),
            ])(inner),
          authorizationList: (inner) =>
            inner.pick([notAnArray, withBadItem(() => goodAuthorization, badAuthorization)])(inner),
          blobVersionedHashes: (inner) => inner.pick([notAnArray, withBadItem(GOOD.hash, badWord)])(inner),
        })(random) as object),
      }),
    ])(),
  filter: (random) =>
    random.pick<() => unknown>([
      () => notAnObject(random),
      () =>
        withBad({
          fromBlock: badNumberOrTag,
          toBlock: badNumberOrTag,
          blockHash: badWord,
          address: (inner) =>
            inner.pick([notAnAddress, withBadItem(GOOD.address, (one) => one.pick([badAddress(one), null]))])(
              inner,
            ),
          topics: (inner) =>
            inner.pick([
              notAnArray,
              (one) => one.list(one.between(5, 50), () => one.pick([null, [], one.hex(32)])),
              (one) => spoiltAmong(one, [null, [], one.hex(32)], badTopic(one)),
              (one) => [withBadItem(GOOD.hash, badTopic)(one)],
            ])(inner),
        })(random),
    ])(),
  accountOverrides: (random) =>
    random.pick<() => unknown>([
      () => notAnObject(random),
      () => ({ [keyOf(badAddress(random))]: {} }),
      () => ({ [random.hex(20)]: random.pick([null, 0, 'x', [], true]) }),
      () => ({ [random.hex(20)]: { state: {}, stateDiff: {} } }),
      () => ({
        [random.hex(20)]: withBad({
          balance: badUint256,
          nonce: badUint64,
          code: badBytes,
          state: badSlots,
          stateDiff: badSlots,
          movePrecompileToAddress: badAddress,
        })(random),
      }),
    ])(),
  blockOverrides: (random) =>
    random.pick<() => unknown>([
      () => notAnObject(random),
      () =>
        withBad({
          number: badUint64,
          time: badUint64,
          gasLimit: badUint64,
          feeRecipient: badAddress,
          prevRandao: badWord,
          baseFeePerGas: badUint256,
          blobBaseFee: badUint256,
          difficulty: badUint256,
        })(random),
    ])(),
  simulation: (random) =>
    random.pick<() => unknown>([
      () => notAnObject(random),
      () => ({}),
      () => ({ blockStateCalls: random.pick([notAnArray(random), [], null]) }),
      () => ({ blockStateCalls: withBadItem(() => ({ calls: [{}] }), badBlock)(random) }),
      () => ({
        blockStateCalls: [{}],
        [random.pick(['validation', 'traceTransfers', 'returnFullTransactions'])]: BAD.boolean(random),
      }),
    ])(),
  blockCount: (random) =>
    random.pick<unknown>([-1, 1.5, 1e300, '10', '', '0x', '0x01', 'latest', true, {}, [], null]),
  percentiles: (random) =>
    random.pick<unknown>([
      0,
      'x',
      {},
      true,
      [-1],
      [101],
      ['50'],
      [null],
      [50, 25],
      [[50]],
      random.list(101, () => 50),
      [1e300],
    ]),
}

const goodAuthorization = {
  chainId: '0x0',
  address: `0x${'11'.repeat(20)}`,
  nonce: '0x0',
  yParity: '0x0',
  r: '0x1',
  s: '0x1',
}
const badAuthorization: Make = (random) =>
  random.pick<() => unknown>([
    () => random.pick([null, 0, 'x', []]),
    () => ({
      ...goodAuthorization,
      ...(withBad({
        chainId: badUint256,
        address: badAddress,
        nonce: badUint64,
        yParity: badQuantity(8),
        r: badUint256,
        s: badUint256,
      })(random) as object),
    }),
    () => ({
      ...goodAuthorization,
      [random.pick(['chainId', 'address', 'nonce', 'yParity', 'r', 's'])]: null,
    }),
  ])()

const badAccessListItem: Make = (random) =>
  random.pick<() => unknown>([
    () => random.pick([null, 0, 'x', [], {}]),
    () => ({ address: badAddress(random), storageKeys: [] }),
    () => ({ address: random.hex(20), storageKeys: notAnArray(random) }),
    () => ({ address: random.hex(20), storageKeys: withBadItem(GOOD.hash, badWord)(random) }),
  ])()

const badBlock: Make = (random) =>
  random.pick<() => unknown>([
    () => random.pick([null, 0, 'x', []]),
    () => ({ stateOverrides: BAD.accountOverrides(random) }),
    () => ({ calls: random.pick([notAnArray, withBadItem(GOOD.call, BAD.call)])(random) }),
    () => ({
      blockOverrides: random.pick<Make>([
        notAnObject,
        withBad({
          number: badUint64,
          time: badUint64,
          gasLimit: badUint64,
          feeRecipient: badAddress,
          baseFeePerGas: badUint256,
          blobBaseFee: badUint256,
          beaconRoot: badWord,
          withdrawals: (inner) =>
            inner.pick<Make>([
              notAnArray,
              withBadItem(() => goodWithdrawal, badWithdrawal),
              () => Array(17).fill(goodWithdrawal),
            ])(inner),
        }),
      ])(random),
    }),
  ])()

const goodWithdrawal = {
  index: '0x0',
  validatorIndex: '0x0',
  address: `0x${'11'.repeat(20)}`,
  amount: '0x1',
}
const badWithdrawal: Make = (random) =>
  random.pick<() => unknown>([
    () => random.pick([null, 0, 'x', []]),
    () => ({
      ...goodWithdrawal,
      ...(withBad({
        index: badUint64,
        validatorIndex: badUint64,
        address: badAddress,
        amount: badUint64,
      })(random) as object),
    }),
    () => ({ ...goodWithdrawal, [random.pick(Object.keys(goodWithdrawal))]: null }),
  ])()

const badSlots: Make = (random) =>
  random.pick<() => unknown>([
    () => notAnObject(random),
    () => ({ [random.hex(32)]: badWord(random) }),
    () => ({ [keyOf(badWord(random))]: random.hex(32) }),
  ])()

const notAnAddress: Make = (random) => {
  const value = badAddress(random)
  // An empty array is any address, and one of right ones is right.
  return Array.isArray(value) ? '0x12' : value
}

/** Wrong in a position, and wrong among alternatives: no text, and no array either. */
function badTopic(random: Random): unknown {
  const value = badWord(random)
  return Array.isArray(value) ? 7 : value
}

/** At most four positions, one of which is spoilt. */
function spoiltAmong(random: Random, good: readonly unknown[], bad: unknown): unknown[] {
  const positions = random.list(random.between(0, 3), () => random.pick(good))
  return positions.toSpliced(random.between(0, positions.length), 0, bad)
}

/** A member's name that is as wrong as `value`. */
function keyOf(value: unknown): string {
  return typeof value === 'string' ? value : 'x'
}
