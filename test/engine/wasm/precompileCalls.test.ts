/** Costly precompiles, called in an instance. */
import { describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import { Instance } from '../../../src/engine/wasm/instance.ts'
import { type AnyHardfork, createRules } from '../../../src/model/hardfork/hardfork.ts'
import { State } from '../../../src/state/state.ts'
import { EventLoop } from '../../../src/work/eventLoop.ts'
import { TimeLimitExceeded, URGENT, Work } from '../../../src/work/work.ts'
import { CONTEXT } from '../../support/engines/scenes.ts'
import { theirPrecompiles } from '../../support/engines/theirPrecompiles.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const SENDER: Address = `0x${'5'.repeat(40)}`
const MODEXP: Address = `0x${'05'.padStart(40, '0')}`
const BLAKE2F: Address = `0x${'09'.padStart(40, '0')}`
const GAS = 2n ** 60n

const instance = new Instance()

async function call(hardfork: AnyHardfork, address: Address, data: Uint8Array, work: Work = URGENT) {
  instance.begin(createRules(hardfork, 1n), {
    state: State.empty,
    context: CONTEXT,
    message: { from: SENDER, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: undefined },
    watcher: undefined,
  })
  const [from, to] = [instance.account(SENDER), instance.account(address)]
  const end = await instance.call({ from, to, codeAt: to, value: 0n, data, gas: GAS }, work)
  instance.drop()
  return end.kind === 'success' ? { gas: GAS - end.gasLeft, output: toHex(end.output) } : undefined
}

async function expectTheirs(hardfork: AnyHardfork, address: Address, inputs: readonly Uint8Array[]) {
  const theirs = await theirPrecompiles(hardfork)
  for (const input of inputs) {
    const outcome = await theirs.run(address, input)
    const expected = outcome && { gas: outcome.gas, output: toHex(outcome.output) }
    expect(await call(hardfork, address, input), `${hardfork} ${address} ${toHex(input)}`).toEqual(expected)
  }
}

const word = (number: bigint | number) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex')

/** Operands of MODEXP of any lengths, some missing at the end. */
function modexpInput(random: Random): Uint8Array {
  const length = () => random.pick([0, 1, 2, 8, 31, 32, 33, 64, 100])
  const [base, exponent, modulus] = [length(), length(), length()]
  const operands = random.bytes(base + exponent + modulus)
  // Even moduli, and moduli of 0 and 1.
  if (random.below(3) === 0) operands.fill(0, Math.max(0, operands.length - random.below(modulus + 1)))
  if (random.below(8) === 0 && modulus > 0) {
    operands.fill(0, operands.length - modulus)
    operands[operands.length - 1] = random.below(2)
  }
  const input = Buffer.concat([word(base), word(exponent), word(modulus), operands])
  return random.below(4) === 0 ? input.subarray(0, random.below(input.length + 1)) : input
}

function blake2fInput(random: Random): Uint8Array {
  const input = random.bytes(random.below(10) === 0 ? 210 + random.below(6) : 213)
  input.set([0, 0, random.below(3), random.below(256)])
  if (input.length >= 213) input[212] = random.below(10) === 0 ? 2 : random.below(2)
  return input
}

describe('a precompile called in an instance', () => {
  it.each(['byzantium', 'berlin', 'osaka'] as const)('is EthereumJS’s MODEXP under %s', (hardfork) =>
    withRandom((random) =>
      expectTheirs(
        hardfork,
        MODEXP,
        random.list(150, () => modexpInput(random)),
      ),
    )(),
  )

  it(
    'is EthereumJS’s BLAKE2F',
    withRandom((random) =>
      expectTheirs(
        'osaka',
        BLAKE2F,
        random.list(150, () => blake2fInput(random)),
      ),
    ),
  )

  it('is EthereumJS’s MODEXP for operands longer than EIP-7823 allows, and for a modulus without bytes', async () => {
    const inputs = [
      [0, 0, 1_025],
      [1_025, 0, 0],
      [2n ** 200n, 0, 0],
    ].map((lengths) => Buffer.concat(lengths.map(word)))
    await expectTheirs('osaka', MODEXP, inputs)
    await expectTheirs('berlin', MODEXP, inputs.slice(0, 2))
  })
})

const costly: readonly (readonly [string, Address, Uint8Array])[] = [
  // 4,194,304 rounds.
  ['BLAKE2F', BLAKE2F, Uint8Array.from({ length: 213 }, (_, i) => (i === 1 ? 0x40 : 0))],
  ['MODEXP', MODEXP, Buffer.concat([word(512), word(512), word(512), Buffer.alloc(1_536, 0xfd)])],
]

describe('a costly call', () => {
  it.each(costly)('lets others have their turn (%s)', async (_, address, input) => {
    let [now, turns] = [0, 0]
    const loop = new EventLoop(
      {
        now: () => (now += 10),
        soon: (next) => {
          turns++
          setImmediate(next)
        },
      },
      20,
    )
    expect(await call('berlin', address, input, new Work({ loop }))).toEqual(
      await call('berlin', address, input),
    )
    expect(turns).toBeGreaterThan(2)
  })

  it.each(costly)(
    'ends at its time limit, and leaves the instance as it was (%s)',
    async (_, address, input) => {
      let now = 0
      const loop = new EventLoop({ now: () => (now += 10), soon: (next) => setImmediate(next) }, 20)
      await expect(
        (async () => call('berlin', address, input, new Work({ loop, limitMs: 50 })))(),
      ).rejects.toThrow(TimeLimitExceeded)
      const short = Uint8Array.from({ length: 213 }, (_, i) => i % 2)
      await expectTheirs('berlin', BLAKE2F, [short.fill(0, 0, 4)])
    },
  )
})
