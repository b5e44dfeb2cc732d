/** Precompiles compared with EthereumJS's: their addresses, gas and outputs. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../src/bytes/hex.ts'
import { fromHex, toHex } from '../../../src/bytes/hex.ts'
import { runToEnd } from '../../../src/crypto/curves/pairingCurve.ts'
import { signHash } from '../../../src/crypto/secp256k1.ts'
import { type Precompile, precompilesUnder } from '../../../src/engine/precompiles/precompiles.ts'
import { type AnyHardfork, createRules } from '../../../src/model/hardfork/hardfork.ts'
import { theirPrecompiles } from '../../support/engines/theirPrecompiles.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const WITH_NEW_PRECOMPILES_OR_PRICES = [
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const satisfies readonly AnyHardfork[]

const at = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const rulesOf = (hardfork: AnyHardfork) => createRules(hardfork, 1n)

function precompileOf(hardfork: AnyHardfork, number: number): Precompile {
  return precompilesUnder(rulesOf(hardfork)).get(at(number))!
}

/** The gas and output of a precompile, in the form of the peer. */
function outcomeOf(hardfork: AnyHardfork, number: number, input: Uint8Array) {
  const rules = rulesOf(hardfork)
  const precompile = precompileOf(hardfork, number)
  const output = precompile.run(input, rules)
  return output && { gas: precompile.gas(rules, input), output: toHex(output) }
}

async function expectEqual(
  hardfork: AnyHardfork,
  number: number,
  inputs: readonly Uint8Array[],
): Promise<void> {
  const theirs = await theirPrecompiles(hardfork)
  for (const input of inputs) {
    const expected = await theirs.run(at(number), input)
    const shown = expected && { gas: expected.gas, output: toHex(expected.output) }
    expect(outcomeOf(hardfork, number, input), `${hardfork} ${number} ${toHex(input)}`).toEqual(shown)
  }
}

beforeAll(async () => {
  for (const { load } of precompilesUnder(rulesOf('osaka')).values()) await load?.()
})

describe('under each hardfork', () => {
  it.each(WITH_NEW_PRECOMPILES_OR_PRICES)('%s has the precompiles that EthereumJS has', async (hardfork) => {
    const { addresses } = await theirPrecompiles(hardfork)
    expect([...precompilesUnder(rulesOf(hardfork)).keys()].sort()).toEqual([...addresses].sort())
  })

  it.each(WITH_NEW_PRECOMPILES_OR_PRICES)('%s has them at the same prices', async (hardfork) => {
    const lengths = [
      0, 1, 31, 32, 33, 64, 96, 128, 160, 192, 213, 256, 288, 384, 512, 576, 768, 1_000, 1_152, 1_920,
    ]
    for (const address of precompilesUnder(rulesOf(hardfork)).keys()) {
      // Zeros are points at infinity, lengths of nothing, no rounds: right inputs which cost no time.
      for (const length of lengths) await expectEqual(hardfork, Number(address), [new Uint8Array(length)])
    }
  })

  it('is the same map for rules of the same hardfork', () => {
    expect(precompilesUnder(rulesOf('osaka'))).toBe(precompilesUnder(createRules('osaka', 5n)))
  })
})

describe('ecrecover', () => {
  it(
    'finds the signer, or nobody',
    withRandom(async (random) => {
      const signed = random.list(30, () => {
        const [key, hash] = [random.bytes(32), random.bytes(32)]
        key[0] = 1
        const { r, s, yParity } = signHash(hash, key)
        const input = Buffer.concat([hash, word(27n + BigInt(yParity)), word(r), word(s)])
        const changed = Uint8Array.from(input)
        changed[random.below(128)]! ^= 1 << random.below(8)
        return [
          input,
          Buffer.concat([input, random.bytes(random.below(40))]),
          changed,
          input.subarray(0, random.below(129)),
        ]
      })
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const edges = [0n, 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n].flatMap((number) => [
        Buffer.concat([word(1n), word(27n), word(number), word(1n)]),
        Buffer.concat([word(1n), word(28n), word(1n), word(number)]),
        Buffer.concat([word(number), word(27n), word(1n), word(1n)]),
        Buffer.concat([word(1n), word(number), word(1n), word(1n)]),
      ])
      const parities = [0n, 1n, 26n, 29n, 283n, 2n ** 255n + 27n].map((v) =>
        Buffer.concat([word(1n), word(v), word(1n), word(1n)]),
      )
      // Some of these are x coordinates less the order: with a parity of 2 they would have a signer.
      const beyondTheOrder = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map((r) =>
        Buffer.concat([word(1n), word(29n), word(r), word(1n)]),
      )
      await expectEqual('osaka', 1, [...signed.flat(), ...edges, ...parities, ...beyondTheOrder])
    }),
  )
})

describe('hashes and identity', () => {
  it(
    'are those of any number of bytes',
    withRandom(async (random) => {
      const inputs = random.list(200, () => random.bytes(random.below(300)))
      for (const number of [2, 3, 4]) await expectEqual('frontier', number, inputs)
    }),
  )

  it('identity returns bytes of its own', () => {
    const input = Uint8Array.of(1, 2, 3)
    const output = precompileOf('frontier', 4).run(input, rulesOf('frontier'))!
    input[0] = 9
    expect(output).toEqual(Uint8Array.of(1, 2, 3))
  })

  // NIST's and the RIPEMD-160 page's vectors for "abc".
  it('are those of the standards', () => {
    const abc = new TextEncoder().encode('abc')
    const rules = rulesOf('frontier')
    expect(toHex(precompileOf('frontier', 2).run(abc, rules)!)).toBe(
      '0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    expect(toHex(precompileOf('frontier', 3).run(abc, rules)!)).toBe(
      '0x0000000000000000000000008eb208f7e05d987a9b044a8e98c6b087f15a0bfc',
    )
  })
})

describe('modexp', () => {
  it.each(['byzantium', 'berlin', 'osaka'] as const)(
    'has the results and prices of EthereumJS under %s',
    async (hardfork) => {
      await withRandom(async (random) => {
        await expectEqual(
          hardfork,
          5,
          random.list(150, () => modexpInput(random)),
        )
      })()
    },
  )

  it.each(['byzantium', 'berlin', 'osaka'] as const)(
    'has the same prices for huge lengths under %s',
    async (hardfork) => {
      await withRandom(async (random) => {
        const theirs = await theirPrecompiles(hardfork)
        for (let n = 0; n < 300; n++) {
          const lengths = random.list(3, () =>
            random.pick([0n, 1n, 31n, 32n, 33n, 63n, 64n, 65n, 1_024n, 1_025n, random.bigint(40)]),
          )
          const input = Buffer.concat([...lengths.map(word), random.bytes(random.below(80))])
          const gas = precompileOf(hardfork, 5).gas(rulesOf(hardfork), input)
          // Calls that cost more than a block has are not run, and EthereumJS reports the gas of successful calls alone.
          if (gas > 1_000_000n) continue
          const expected = await theirs.run(at(5), input)
          if (expected !== undefined) expect(gas, toHex(input)).toBe(expected.gas)
        }
      })()
    },
  )

  // EIP-198's examples.
  it('is what the EIP says', () => {
    const p = 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f'
    const minusOne = 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e'
    const run = (hex: string) => {
      const output = precompileOf('byzantium', 5).run(fromHex(`0x${hex}`), rulesOf('byzantium'))
      return output && toHex(output)
    }
    const [one, two, thirtyTwo] = [1n, 2n, 32n].map((n) => Buffer.from(word(n)).toString('hex'))
    expect(run(`${one}${thirtyTwo}${thirtyTwo}03${minusOne}${p}`)).toBe(toHex(word(1n)))
    expect(run(`${'00'.repeat(32)}${thirtyTwo}${thirtyTwo}${minusOne}${p}`)).toBe(toHex(word(0n)))
    // Without its end the modulus is 0x8000…00.
    expect(run(`${one}${two}${thirtyTwo}03ffff80`)).toBe(
      '0x3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaab',
    )
  })

  // EIP-7883's table of prices for the vectors of EIP-2565 names their lengths.
  it('has lengths of up to 1,024 bytes from Osaka on', () => {
    const input = Buffer.concat([word(1_025n), word(1n), word(1n), new Uint8Array(1_027).fill(3)])
    expect(precompileOf('osaka', 5).run(input, rulesOf('osaka'))).toBeUndefined()
    expect(precompileOf('prague', 5).run(input, rulesOf('prague'))).toEqual(Uint8Array.of(0))
  })
})

describe('blake2f', () => {
  it(
    'has the results of EthereumJS for any number of rounds',
    withRandom(async (random) => {
      const inputs = random.list(60, () => {
        const input = random.bytes(213)
        input.set(word(BigInt(random.below(40))).subarray(28))
        input[212] = random.below(3)
        return input
      })
      await expectEqual('istanbul', 9, [...inputs, random.bytes(212), random.bytes(214)])
    }),
  )

  // EIP-152's test vector 5, and 4 which has no rounds.
  it('is what the EIP says', () => {
    const tail =
      '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b' +
      `616263${'00'.repeat(125)}0300000000000000000000000000000001`
    const run = (rounds: string) => outcomeOf('istanbul', 9, fromHex(`0x${rounds}${tail}`))
    expect(run('0000000c')).toEqual({
      gas: 12n,
      output:
        '0xba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    })
    expect(run('00000000')).toEqual({
      gas: 0n,
      output:
        '0x08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
    })
  })
})

describe('point evaluation', () => {
  // From consensus-specs' tests (`general/deneb/kzg/verify_kzg_proof`): case_correct_proof_31ebd010e6098750.
  const commitment = fromHex(
    '0x8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7',
  )
  const numbers = fromHex(
    '0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff000000001522a4a7f34e1ea350ae07c29c96c7e79655aa926122e95fe69fcbd932ca49e9',
  )
  const proof = fromHex(
    '0xa62ad71d14c5719385c0686f1871430475bf3a00f0aa3f7b8dd99a9abc2160744faf0070725e00b60ad9a026a15b1a8c',
  )
  const digest = createHash('sha256').update(commitment).digest()
  const inputOf = (version: number) =>
    Buffer.concat([Buffer.of(version), digest.subarray(1), numbers, commitment, proof])

  // EIP-4844: 4,096 elements of a blob, and the order of their field, for 50,000 gas; a versioned hash begins with 1.
  it('is what the EIP says', () => {
    expect(outcomeOf('cancun', 0x0a, inputOf(1))).toEqual({
      gas: 50_000n,
      output: `0x${'1000'.padStart(64, '0')}73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001`,
    })
    expect(outcomeOf('cancun', 0x0a, inputOf(2))).toBeUndefined()
  })

  it('takes 192 bytes and no others', () => {
    expect(outcomeOf('cancun', 0x0a, Buffer.concat([inputOf(1), Buffer.of(0)]))).toBeUndefined()
    expect(outcomeOf('cancun', 0x0a, inputOf(1).subarray(0, 191))).toBeUndefined()
  })
})

// EIP-2537: the discount of 128 pairs is that of more.
it('sums of products of points cost less for each, the more there are, up to 128', async () => {
  for (const [number, bytes] of [
    [0x0c, 160],
    [0x0e, 288],
  ] as const) {
    const inputs = [1, 2, 127, 128, 129, 200].map((count) => new Uint8Array(count * bytes))
    await expectEqual('prague', number, inputs)
  }
})

// EIP-7951: the input has exactly 160 bytes.
it('a signature over P-256 has nothing behind it', () => {
  const input = fromHex(
    '0xbb5a52f42f9c9261ed4361f59422a1e30036e7c32b270c8807a419feca6050232ba3a8be6b94d5ec80a6d9d1190a436effe50d85a1eee859b8cc6af9bd5c2e184cd60b855d442f5b3c7b11eb6c4e0ae7525fe710fab9aa7c77a67f79e6fadd762927b10512bae3eddcfe467828128bad2903269919f7086069c8c4df6c732838c7787964eaac00e5921fb1498a60f4606766b3d9685001558d1a974e7341513e',
  )
  expect(outcomeOf('osaka', 0x100, input)).toEqual({ gas: 6_900n, output: toHex(word(1n)) })
  expect(outcomeOf('osaka', 0x100, Buffer.concat([input, Buffer.of(0)]))).toEqual({
    gas: 6_900n,
    output: '0x',
  })
})

describe('a computation in parts', () => {
  it(
    'has the same result as one without pauses, and pauses',
    withRandom((random) => {
      const rules = rulesOf('osaka')
      const rounds = Buffer.concat([word(240_000n).subarray(28), random.bytes(208), Uint8Array.of(1)])
      const power = Buffer.concat([word(1_024n), word(100n), word(1_024n), random.bytes(2_148)])
      for (const [number, input] of [
        [9, rounds],
        [5, power],
      ] as const) {
        const precompile = precompileOf('osaka', number)
        let pauses = 0
        const parts = precompile.runInParts!(input, rules)
        let step = parts.next()
        for (; !step.done; step = parts.next()) pauses++
        expect(step.value).toEqual(precompile.run(input, rules))
        expect(runToEnd(precompile.runInParts!(input, rules))).toEqual(step.value)
        expect(pauses).toBeGreaterThan(1)
      }
    }),
  )
})

function modexpInput(random: Random): Uint8Array {
  const length = () => random.pick([0, 1, 2, 8, 31, 32, 33, 64, 65, random.below(100)])
  const lengths = [length(), random.pick([0, 1, 3, 32, 33, 40]), length()]
  const values = lengths.map((bytes) => {
    const value = random.bytes(bytes)
    if (random.chance(0.3)) value.fill(0, 0, random.below(bytes + 1))
    if (random.chance(0.1)) value.fill(random.pick([0, 255]))
    return value
  })
  const input = Buffer.concat([...lengths.map((bytes) => word(BigInt(bytes))), ...values])
  return random.chance(0.3) ? input.subarray(0, random.below(input.length + 1)) : input
}

function word(value: bigint): Uint8Array {
  return fromHex(`0x${value.toString(16).padStart(64, '0')}` satisfies Hex)
}
