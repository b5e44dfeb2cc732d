/** Precompiles on curves, beside EthereumJS's, whose curves are noble's. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import { bls12381, bn254, Loadable, p256 } from '../../../src/crypto/curves/curves.ts'
import { type Precompile, precompilesUnder } from '../../../src/engine/precompiles/precompiles.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { CurveInputs } from '../../support/engines/curveInputs.ts'
import { type TheirPrecompiles, theirPrecompiles } from '../../support/engines/theirPrecompiles.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const RULES = createRules('osaka', 1n)
const at = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const precompileOf = (number: number): Precompile => precompilesUnder(RULES).get(at(number))!

/** The time that loading may take on a machine that has other things to do. */
const LONG_MS = 60_000

let theirs: TheirPrecompiles
beforeAll(async () => {
  theirs = await theirPrecompiles('osaka')
}, LONG_MS)

async function expectEqual(number: number, inputs: readonly Uint8Array[]): Promise<void> {
  const { gas, run } = precompileOf(number)
  for (const input of inputs) {
    const output = run(input, RULES)
    const expected = await theirs.run(at(number), input)
    expect(output && toHex(output), `${number} ${toHex(input)}`).toBe(expected && toHex(expected.output))
    if (expected !== undefined) expect(gas(RULES, input)).toBe(expected.gas)
  }
}

describe('in WebAssembly', () => {
  beforeAll(
    async () => void (await Promise.all([bn254, bls12381, p256].map((curve) => curve.load()))),
    LONG_MS,
  )

  describe.each([
    ['bn254', 0x06, 0x07, undefined, undefined, 0x08],
    ['bls12381', 0x0b, 0x0c, 0x0d, 0x0e, 0x0f],
  ] as const)('%s', (name, addG1, multiplyG1, addG2, multiplyG2, pairing) => {
    it(
      'adds points of the curve, of any subgroup',
      withRandom(async (random) => {
        const curve = new CurveInputs(name, random)
        await expectEqual(addG1, sums(random, points1(curve), curve))
        if (addG2 !== undefined) await expectEqual(addG2, sums(random, points2(curve), curve))
      }),
    )

    it(
      'multiplies points of the subgroup',
      withRandom(async (random) => {
        const curve = new CurveInputs(name, random)
        await expectEqual(multiplyG1, products(random, points1(curve), curve))
        if (multiplyG2 !== undefined) await expectEqual(multiplyG2, products(random, points2(curve), curve))
      }),
    )

    it(
      'pairs points of both subgroups',
      withRandom(async (random) => {
        const curve = new CurveInputs(name, random)
        const [a, b] = [curve.factor(), curve.factor()]
        const right = Buffer.concat([
          curve.g1(a),
          curve.g2(b),
          curve.g1(curve.order - ((a * b) % curve.order)),
          curve.g2(1n),
        ])
        const [nothing1, nothing2] = [new Uint8Array(2 * curve.width), new Uint8Array(4 * curve.width)]
        await expectEqual(pairing, [
          right,
          Buffer.concat([right, right]),
          Buffer.concat([curve.g1(a), curve.g2(b), curve.g1(), curve.g2(1n)]),
          Buffer.concat([nothing1, curve.g2(), right, curve.g1(), nothing2, nothing1, nothing2]),
          Buffer.concat([nothing1, nothing2]),
          Buffer.concat([curve.g1(), nothing2]),
          new Uint8Array(0),
          right.subarray(1),
          Buffer.concat([right, nothing1]),
          Buffer.concat([right, nothing1, curve.outside2()]),
          Buffer.concat([right, nothing1, curve.spoilt(curve.g2())]),
          Buffer.concat([right, curve.spoilt(curve.g1()), nothing2]),
          ...(name === 'bls12381' ? [Buffer.concat([right, curve.outside1(), nothing2])] : []),
        ])
      }),
    )

    it(
      'has the same results in parts, though others compute in between',
      withRandom((random) => {
        const curve = new CurveInputs(name, random)
        const [a, b, c] = random.list(3, () => curve.g1()) as [Uint8Array, Uint8Array, Uint8Array]
        const g2 = curve.g2()
        // More than are computed at once.
        const counts = { g1: 150, g2: 70, pairs: 20 }
        const runs: [number, Uint8Array][] = [
          [pairing, join(random.list(counts.pairs, () => [random.pick([a, b]), g2]))],
        ]
        // BN254's multiplies one point alone.
        if (multiplyG2 !== undefined) {
          runs.push([
            multiplyG1,
            join(random.list(counts.g1, () => [random.pick([a, b, c]), random.bytes(32)])),
          ])
          runs.push([multiplyG2, join(random.list(counts.g2, () => [g2, random.bytes(32)]))])
        }
        const computations = runs
          .flatMap(([number, input]) => [
            [number, input] as const,
            [number, input.subarray(0, input.length / 2)] as const,
          ])
          .map(([number, input]) => {
            const { run, runInParts } = precompileOf(number)
            return { expected: run(input, RULES), parts: runInParts!(input, RULES), pauses: 0 }
          })
        const waiting = new Set(computations)
        while (waiting.size > 0) {
          for (const computation of waiting) {
            const step = computation.parts.next()
            if (!step.done) computation.pauses++
            else {
              expect(step.value).toEqual(computation.expected)
              waiting.delete(computation)
            }
          }
        }
        expect(computations[0]!.pauses).toBeGreaterThan(0)
      }),
    )
  })

  it(
    'maps elements of fields to points',
    withRandom(async (random) => {
      const curve = new CurveInputs('bls12381', random)
      const order = curve.curve.fields.Fp.ORDER
      const elements = [0n, 1n, order - 1n, order, order + 1n, ...random.list(5, () => curve.element())].map(
        (number) => curve.number(number),
      )
      const padded = curve.number(1n)
      padded[random.below(16)] = 1
      await expectEqual(0x10, [
        ...elements,
        padded,
        new Uint8Array(63),
        new Uint8Array(65),
        new Uint8Array(0),
      ])
      const pairs = random.list(10, () => Buffer.concat([random.pick(elements), random.pick(elements)]))
      await expectEqual(0x11, [
        ...pairs,
        Buffer.concat([elements[0]!, padded]),
        new Uint8Array(127),
        new Uint8Array(129),
      ])
    }),
  )

  it(
    'checks signatures over P-256',
    withRandom(async (random) => {
      const { p256: theirP256 } = await import('@noble/curves/nist.js')
      const signed = random.list(6, () => {
        const [key, hash] = [theirP256.utils.randomSecretKey(random.bytes(48)), random.bytes(32)]
        const signature = theirP256.sign(hash, key, { prehash: false, lowS: false })
        const input = Buffer.concat([hash, signature, theirP256.getPublicKey(key, false).subarray(1)])
        const changed = Uint8Array.from(input)
        changed[random.below(160)]! ^= 1 << random.below(8)
        return [input, changed]
      })
      const [right] = signed[0]!
      const { n, p } = theirP256.Point.CURVE()
      const numbers = [0n, 1n, n - 1n, n, n + 1n, p - 1n, p, p + 1n, 2n ** 256n - 1n]
      const edges = numbers.flatMap((number) =>
        [32, 64, 96, 128].map((place) => {
          const input = Uint8Array.from(right!)
          input.set(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'), place)
          return input
        }),
      )
      const withOtherSign = Uint8Array.from(right!)
      const s = n - BigInt(toHex(right!.subarray(64, 96)))
      withOtherSign.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex'), 64)
      const infinity = Uint8Array.from(right!).fill(0, 96)
      const wrongLengths = [right!.subarray(1), Buffer.concat([right!, Uint8Array.of(0)])]
      await expectEqual(0x100, [
        ...signed.flat(),
        ...edges,
        withOtherSign,
        infinity,
        new Uint8Array(160),
        ...wrongLengths,
      ])
    }),
  )

  // The smallest numbers that are the x of a point, and the first beyond the order, which mean r = x - order.
  it('checks signatures with a small r', async () => {
    const { p256: theirP256 } = await import('@noble/curves/nist.js')
    const { Point } = theirP256
    const { n, p } = Point.CURVE()
    const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
    const inputs: Uint8Array[] = []
    for (const first of [1n, 200n, 2n ** 64n, n]) {
      for (let x = first; x < p && x < first + 8n; x++) {
        const point = pointOfX(x)
        if (point === undefined || x % n === 0n) continue
        // The key for which r = x, s = 1 and the hash 3 are right: (point - 3·G) / r.
        const key = point.subtract(Point.BASE.multiply(3n)).multiplyUnsafe(Point.Fn.inv(x % n))
        inputs.push(Buffer.concat([word(3n), word(x % n), word(1n), key.toBytes(false).subarray(1)]))
      }
    }
    expect(inputs.length).toBeGreaterThan(8)
    await expectEqual(0x100, inputs)
    for (const input of inputs) expect(precompileOf(0x100).run(input, RULES)?.at(31)).toBe(1)

    function pointOfX(x: bigint) {
      try {
        return Point.fromBytes(Buffer.concat([Uint8Array.of(2), word(x)]))
      } catch {
        return undefined // not the x of a point
      }
    }
  })

  // From ethereum/execution-spec-tests (test_isogeny_kernel_values): elements that are mapped to the point at infinity.
  it('maps what the isogeny maps to nothing to the point at infinity', async () => {
    const elements = [
      '0b3f3f9519ff3ab349e4ffc214f99998a697b02358fcfe44830e29129f58d6f9154a23fd14dfa660a75d4aaec9b607c3',
      '0598c1367bbd9d3b73dfefb263a117bcdbcb4c7a282897d4a20589ad2ea80da73b23a465e2c291e7ef0fde593438f513',
    ]
    for (const element of elements) {
      const input = Buffer.from(element.padStart(128, '0'), 'hex')
      expect(precompileOf(0x10).run(input, RULES)).toEqual(new Uint8Array(128))
    }
  })

  // A sum that is the point at infinity has no x: the hash is made for it.
  it(
    'refuses a signature whose sum of points is infinite',
    withRandom(async (random) => {
      const { p256: theirP256 } = await import('@noble/curves/nist.js')
      const key = theirP256.utils.randomSecretKey(random.bytes(48))
      const { n } = theirP256.Point.CURVE()
      const r = 1n + (BigInt(random.hex(32)) % (n - 1n))
      // u₁ + u₂·d = 0 where the hash is −r·d.
      const hash = (n - ((r * BigInt(toHex(key))) % n)) % n
      const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
      await expectEqual(0x100, [
        Buffer.concat([word(hash), word(r), word(5n), theirP256.getPublicKey(key, false).subarray(1)]),
      ])
    }),
  )
})

describe('loading', () => {
  it('happens once', async () => {
    let created = 0
    const loadable = new Loadable(async () => ++created)
    expect(() => loadable.current).toThrow('load() was not awaited')
    await Promise.all([loadable.load(), loadable.load()])
    expect(loadable.load()).toBeUndefined()
    expect([loadable.current, created]).toEqual([1, 1])
  })
})

/** Points of G1: of the subgroup, infinity, of another subgroup, and invalid ones. */
function points1(curve: CurveInputs): Points {
  const others = curve.width === 64 ? [curve.outside1()] : []
  return {
    members: [curve.g1(), curve.g1(1n), curve.g1(), new Uint8Array(2 * curve.width)],
    others,
    wrong: [0, 1, 2, 3, 4, 5].map(() => curve.spoilt(curve.g1())),
    negated: (factor) => [curve.g1(factor), curve.g1(curve.order - factor)],
  }
}

function points2(curve: CurveInputs): Points {
  return {
    members: [curve.g2(), curve.g2(1n), curve.g2(), new Uint8Array(4 * curve.width)],
    others: [curve.outside2()],
    wrong: [0, 1, 2, 3, 4, 5].map(() => curve.spoilt(curve.g2())),
    negated: (factor) => [curve.g2(factor), curve.g2(curve.order - factor)],
  }
}

interface Points {
  readonly members: readonly Uint8Array[]
  readonly others: readonly Uint8Array[]
  readonly wrong: readonly Uint8Array[]
  negated(factor: bigint): readonly [Uint8Array, Uint8Array]
}

function sums(random: Random, { members, others, wrong, negated }: Points, curve: CurveInputs): Uint8Array[] {
  const onCurve = [...members, ...others]
  const any = random.list(12, () => Buffer.concat([random.pick(onCurve), random.pick(onCurve)]))
  const doubled = onCurve.map((point) => Buffer.concat([point, point]))
  const spoilt = wrong.map((point, i) =>
    Buffer.concat(i % 2 === 0 ? [point, members[0]!] : [members[3]!, point]),
  )
  const lengths = [0, 1, 63, 64, 100].map((length) => any[0]!.subarray(0, length))
  return [
    ...any,
    ...doubled,
    ...spoilt,
    Buffer.concat(negated(curve.factor())),
    ...lengths,
    Buffer.concat([any[1]!, any[1]!]),
  ]
}

function products(random: Random, { members, others, wrong }: Points, curve: CurveInputs): Uint8Array[] {
  const one = random.list(8, () => Buffer.concat([random.pick(members), curve.scalar()]))
  const several = random.list(6, () =>
    join(random.list(random.between(2, 5), () => [random.pick(members), curve.scalar()])),
  )
  const refused = [...others, ...wrong].map((point) => Buffer.concat([one[0]!, point, curve.scalar()]))
  const alone = [...others, ...wrong].map((point) => Buffer.concat([point, curve.scalar()]))
  const lengths = [0, 1, 64, 95, 97].map((length) => one[0]!.subarray(0, length))
  return [...one, ...several, ...refused, ...alone, ...lengths, Buffer.concat([one[1]!, Uint8Array.of(7)])]
}

function join(pieces: readonly (readonly Uint8Array[])[]): Uint8Array {
  return Buffer.concat(pieces.flat())
}
