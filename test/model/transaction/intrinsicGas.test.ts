import { Common, Mainnet } from '@ethereumjs/common'
import {
  createAccessList2930Tx,
  createEOACode7702Tx,
  createFeeMarket1559Tx,
  createLegacyTx,
  getCalldataFloorGas,
  type TypedTransaction,
} from '@ethereumjs/tx'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/bytes/hex.ts'
import { createRules, HARDFORKS, type Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import {
  floorGas,
  type IntrinsicGasInput,
  intrinsicGas,
} from '../../../src/model/transaction/intrinsicGas.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

describe.each(HARDFORKS)('in %s', (hardfork) => {
  it(
    'the intrinsic gas and the floor are those of @ethereumjs/tx',
    withRandom((random) => {
      const rules = createRules(hardfork, 1n)
      for (let i = 0; i < 40; i++) {
        const payload = randomPayload(random, hardfork)
        const theirs = toEthereumJs(payload, hardfork)
        expect(intrinsicGas(rules, payload)).toBe(theirs.getIntrinsicGas())
        const floor = theirs.common.isActivatedEIP(7623) ? getCalldataFloorGas(theirs) : 0n
        expect(floorGas(rules, payload)).toBe(floor)
      }
    }),
  )
})

describe('intrinsicGas', () => {
  const NOTHING: IntrinsicGasInput = {
    to: '0x',
    data: new Uint8Array(),
    accessList: [],
    authorizationList: [],
  }
  const dataOf = (nonZero: number, zero: number) =>
    Uint8Array.from([...Array(nonZero).fill(1), ...Array(zero).fill(0)])

  // Worked out by hand from the EIPs.
  it.each<[string, Hardfork, Partial<IntrinsicGasInput>, bigint]>([
    ['a transfer', 'byzantium', {}, 21_000n],
    ['data before EIP-2028', 'petersburg', { data: dataOf(2, 3) }, 21_000n + 2n * 68n + 3n * 4n],
    ['data since EIP-2028', 'istanbul', { data: dataOf(2, 3) }, 21_000n + 2n * 16n + 3n * 4n],
    ['a creation before EIP-3860', 'paris', { to: undefined, data: dataOf(33, 0) }, 53_000n + 33n * 16n],
    [
      'a creation since EIP-3860',
      'shanghai',
      { to: undefined, data: dataOf(33, 0) },
      53_000n + 33n * 16n + 2n * 2n,
    ],
  ])('charges %s in %s', (_, hardfork, payload, gas) => {
    expect(intrinsicGas(createRules(hardfork, 1n), { ...NOTHING, ...payload })).toBe(gas)
  })

  it('floors data at 10 gas per token since EIP-7623', () => {
    const payload = { ...NOTHING, data: dataOf(2, 3) }
    expect(floorGas(createRules('prague', 1n), payload)).toBe(21_000n + 10n * (2n * 4n + 3n))
    expect(floorGas(createRules('cancun', 1n), payload)).toBe(0n)
  })
})

function randomPayload(random: Random, hardfork: Hardfork): IntrinsicGasInput {
  const age = HARDFORKS.indexOf(hardfork)
  const hasAccessList = age >= HARDFORKS.indexOf('berlin') && random.chance(0.6)
  const hasAuthorizations = age >= HARDFORKS.indexOf('prague') && random.chance(0.4)
  const data = random.bytes(random.pick([0, 1, 31, 32, 33, 64, 700]))
  return {
    to: !hasAuthorizations && random.chance(0.4) ? undefined : random.hex(20),
    data: data.map((byte) => (random.chance(0.4) ? 0 : byte)),
    accessList: hasAccessList
      ? random.list(random.below(4), () => ({
          address: random.hex(20),
          storageKeys: random.list(random.below(4), () => random.hex(32)),
        }))
      : [],
    authorizationList: hasAuthorizations
      ? random.list(random.between(1, 3), () => ({
          chainId: 1n,
          address: random.hex(20),
          nonce: random.bigint(60),
          yParity: 0,
          r: 1n,
          s: 1n,
        }))
      : [],
  }
}

function toEthereumJs(
  { to, data, accessList, authorizationList }: IntrinsicGasInput,
  hardfork: Hardfork,
): TypedTransaction {
  const common = new Common({ chain: Mainnet, hardfork })
  const address = to as `0x${string}` | undefined
  const fields = {
    data: toHex(data),
    gasLimit: 10_000_000n,
    ...(address === undefined ? {} : { to: address }),
  }
  const list = accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
  if (authorizationList.length > 0) {
    const wishes = authorizationList.map(({ address, nonce }) => ({
      chainId: '0x1' as const,
      address,
      nonce: nonce === 0n ? ('0x' as const) : (`0x${nonce.toString(16)}` as const),
      yParity: '0x' as const,
      r: '0x1' as const,
      s: '0x1' as const,
    }))
    return createEOACode7702Tx(
      { ...fields, to: address!, accessList: list, authorizationList: wishes },
      { common },
    )
  }
  if (list.length === 0) return createLegacyTx(fields, { common })
  return common.isActivatedEIP(1559)
    ? createFeeMarket1559Tx({ ...fields, accessList: list }, { common })
    : createAccessList2930Tx({ ...fields, accessList: list }, { common })
}
