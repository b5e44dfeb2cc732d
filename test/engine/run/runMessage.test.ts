import { createHash } from 'node:crypto'
import { createBlockHeader } from '@ethereumjs/block'
import { describe, expect, it } from 'vitest'
import { type Address, type Hash, toHex, toWord } from '../../../src/bytes/hex.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import { theirCommon } from '../../support/chains/headers.ts'
import { type Signer, signerOf } from '../../support/chains/signing.ts'
import { Twins } from '../../support/chains/twins.ts'
import { assemble, unless } from '../../support/compilers/assembly.ts'
import { address, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)
const CONTRACT: Address = `0x${'c1'.repeat(20)}`
const RICH = 10n ** 30n
/** Notes the first, the second and the seventh versioned hash and the price of blob gas; reverts where it is given data. */
const NOTES = assemble(
  ...([0, 'BLOBHASH', 10, 'SSTORE', 1, 'BLOBHASH', 11, 'SSTORE', 6, 'BLOBHASH', 12, 'SSTORE'] as const),
  ...(['BLOBBASEFEE', 13, 'SSTORE', 'CALLDATASIZE', 'ISZERO', unless(0, 0, 'REVERT')] as const),
)

const HARDFORKS = ['cancun', 'prague', 'osaka'] as const
type WithBlobs = (typeof HARDFORKS)[number]

function worlds(hardfork: WithBlobs, excessBlobGas = 0n): Promise<Twins> {
  const contract = { address: CONTRACT, nonce: 1n, code: toHex(NOTES) }
  return Twins.create(hardfork, [{ address: ALICE.address, balance: RICH }, contract], excessBlobGas)
}

/** The price of blob gas by EthereumJS. */
function priceOf(hardfork: WithBlobs, excessBlobGas: bigint): bigint {
  return createBlockHeader({ excessBlobGas }, { common: theirCommon(hardfork) }).getBlobGasPrice()
}

function versionedHashes(random: Random): Hash[] {
  return random.list(random.between(1, 6), () => `0x01${random.hex(31).slice(2)}` as const)
}

describe.each(HARDFORKS)('a blob transaction in %s', (hardfork) => {
  it(
    'pays for its blobs, succeed or fail, and leaves the state that EthereumJS’s leaves',
    withRandom(async (random) => {
      for (let i = 0; i < 8; i++) {
        const excessBlobGas = random.bigint(27)
        const price = priceOf(hardfork, excessBlobGas)
        const twins = await worlds(hardfork, excessBlobGas)
        const blobVersionedHashes = versionedHashes(random)
        const data = new Uint8Array(random.below(2))
        const { gasUsed, kind } = await twins.run(ALICE, {
          type: 3,
          to: CONTRACT,
          data,
          maxFeePerGas: 1_000n,
          maxPriorityFeePerGas: BigInt(random.below(900)),
          // The maximum fee, which is not what is paid.
          maxFeePerBlobGas: price + random.bigint(40),
          blobVersionedHashes,
          accessList: random.chance(0.5) ? [] : [{ address: CONTRACT, storageKeys: [random.hex(32)] }],
        })
        expect(kind).toBe(data.length === 0 ? 'success' : 'revert')
        const paid = RICH - twins.state.account(ALICE.address)!.balance
        const coinbase = twins.state.account(`0x${'c0'.repeat(20)}`)?.balance ?? 0n
        // Alice pays for gas and blobs; the coinbase gets the part of the gas price above the base fee of 7 wei.
        expect(paid).toBe(gasUsed * 7n + coinbase + BigInt(blobVersionedHashes.length) * 131_072n * price)
      }
    }),
  )

  it(
    'shows its versioned hashes to BLOBHASH, and the price to BLOBBASEFEE',
    withRandom(async (random) => {
      const excessBlobGas = random.bigint(27)
      const twins = await worlds(hardfork, excessBlobGas)
      const [first, second] = [random.hex(31), random.hex(31)]
      await twins.run(ALICE, {
        type: 3,
        to: CONTRACT,
        maxFeePerBlobGas: 10n ** 18n,
        blobVersionedHashes: [`0x01${first.slice(2)}`, `0x01${second.slice(2)}`],
      })
      const noted = [10n, 11n, 12n, 13n].map((slot) => twins.state.storage(CONTRACT, slot))
      expect(noted).toEqual([
        BigInt(`0x01${first.slice(2)}`),
        BigInt(`0x01${second.slice(2)}`),
        0n,
        priceOf(hardfork, excessBlobGas),
      ])
    }),
  )
})

describe('a transaction without blobs', () => {
  it('sees no versioned hash, and pays nothing for blobs', async () => {
    const twins = await worlds('osaka', 50_000_000n)
    const { gasUsed } = await twins.run(ALICE, { to: CONTRACT })
    expect(twins.state.storage(CONTRACT, 10n)).toBe(0n)
    expect(twins.state.storage(CONTRACT, 13n)).toBeGreaterThan(1n)
    expect(RICH - twins.state.account(ALICE.address)!.balance).toBe(gasUsed * 7n)
  })
})

describe('the point evaluation precompile (EIP-4844)', () => {
  // consensus-specs' verify_kzg_proof case_correct_proof_31ebd010e6098750: z, y, commitment, proof.
  const COMMITMENT =
    '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7'
  const HASH = `01${createHash('sha256').update(Buffer.from(COMMITMENT, 'hex')).digest('hex').slice(2)}`
  const INPUT = Buffer.from(
    [
      HASH,
      '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000',
      '1522a4a7f34e1ea350ae07c29c96c7e79655aa926122e95fe69fcbd932ca49e9',
      COMMITMENT,
      'a62ad71d14c5719385c0686f1871430475bf3a00f0aa3f7b8dd99a9abc2160744faf0070725e00b60ad9a026a15b1a8c',
    ].join(''),
    'hex',
  )

  it.each(HARDFORKS)(
    'answers the sizes of blobs and of their field for a proof that holds: %s',
    async (hardfork) => {
      const outcome = await runCall(machine(hardfork), sceneOf([]), callOf({ to: address(10), data: INPUT }))
      // FIELD_ELEMENTS_PER_BLOB and BLS_MODULUS.
      const sizes = [4_096n, 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n].map(toWord)
      expect(outcome).toMatchObject({ kind: 'success', returnData: Uint8Array.from(Buffer.concat(sizes)) })
    },
  )

  it.each([
    ['another versioned hash', 5],
    ['another point', 40],
    ['another value', 90],
    ['another proof', 190],
  ])('fails and takes all gas with %s', async (_, at) => {
    const data = Uint8Array.from(INPUT, (byte, i) => (i === at ? byte ^ 1 : byte))
    const outcome = await runCall(machine(), sceneOf([]), callOf({ to: address(10), data, gas: 200_000n }))
    expect(outcome).toMatchObject({ kind: 'halt', reason: 'precompileFailed', gasUsed: 200_000n })
  })

  it('fails with more or less than 192 bytes', async () => {
    for (const data of [new Uint8Array(), INPUT.subarray(1), Uint8Array.of(...INPUT, 0)]) {
      const outcome = await runCall(machine(), sceneOf([]), callOf({ to: address(10), data }))
      expect(outcome).toMatchObject({ kind: 'halt', reason: 'precompileFailed' })
    }
  })
})

describe('any other precompile', () => {
  it.each([
    ['a point of the curve bn254 to add', 6, new Uint8Array(64).fill(1)],
    ['a point of the curve bn254 to multiply', 7, new Uint8Array(64).fill(1)],
    ['pairs of points of bn254', 8, new Uint8Array(192).fill(1)],
    ['the input of BLAKE2', 9, new Uint8Array(5)],
    ['a point of the curve BLS12-381', 11, new Uint8Array(256).fill(1)],
    ['a number of the field of BLS12-381', 16, new Uint8Array(64).fill(255)],
  ])('fails and takes all gas, and does not revert, if it is not given %s', async (_, at, data) => {
    const outcome = await runCall(machine(), sceneOf([]), callOf({ to: address(at), data, gas: 200_000n }))
    expect(outcome).toMatchObject({ kind: 'halt', reason: 'precompileFailed', gasUsed: 200_000n })
  })
})
