/** Our engine uses the same gas and leaves the same state as EthereumJS alone over its own state. */
import { describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import { HARDFORKS } from '../../../src/model/hardfork/hardfork.ts'
import type { GenesisAccount } from '../../support/chains/referenceChain.ts'
import { signerOf } from '../../support/chains/signing.ts'
import { Twins } from '../../support/chains/twins.ts'
import { assemble, type Item } from '../../support/compilers/assembly.ts'
import { randomContract } from '../../support/engines/programs.ts'
import { address } from '../../support/engines/scenes.ts'
import { withRandom } from '../../support/random/random.ts'

const ALICE = signerOf(`0x${'a1'.repeat(32)}`)
const RICH: GenesisAccount = { address: ALICE.address, balance: 10n ** 18n }
const CALLER = address(0xca11)
const BYTES = Array.from({ length: 256 }, (_, byte) => byte)

/** A contract that runs one instruction with enough operands, and stores the item that it leaves on top. */
function contractOf(byte: number): GenesisAccount {
  const operands = Array.from({ length: 17 }, (_, i) => (i * 37 + 5) % 64)
  const code = assemble(...operands, Uint8Array.of(byte), 0, 'SSTORE')
  return { address: contractAddressOf(byte), nonce: 1n, code: toHex(code) }
}

function contractAddressOf(byte: number): Address {
  return address(0x10_000 + byte)
}

/** Code that calls the contracts of `bytes`, and notes which calls failed. */
function callsOf(bytes: readonly number[]): Uint8Array {
  const call = (byte: number): Item[] => [
    0,
    0,
    0,
    0,
    0,
    contractAddressOf(byte),
    50_000,
    'CALL',
    byte,
    'SSTORE',
  ]
  return assemble(...bytes.flatMap(call))
}

describe.each(HARDFORKS)('under %s', (hardfork) => {
  it('each instruction costs as much and leaves the same', async () => {
    for (const half of [BYTES.slice(0, 128), BYTES.slice(128)]) {
      const caller = { address: CALLER, nonce: 1n, code: toHex(callsOf(half)) }
      const twins = await Twins.create(hardfork, [RICH, caller, ...half.map(contractOf)])
      const { kind } = await twins.run(ALICE, { to: CALLER, gasLimit: 16_000_000n })
      expect(kind).toBe('success')
    }
  })

  it(
    'random contracts are created with the same gas and state, and called with it',
    withRandom(async (random) => {
      const twins = await Twins.create(hardfork, [RICH])
      for (let i = 0; i < 8; i++) {
        const others = [ALICE.address, address(random.below(300))]
        const data = randomContract(random, hardfork, others)
        const outcome = await twins.run(ALICE, { to: undefined, data })
        if (outcome.kind !== 'success' || outcome.createdAddress === undefined) continue
        const call = { to: outcome.createdAddress, data: random.bytes(random.below(70)) }
        for (let j = 0; j < 2; j++) await twins.run(ALICE, { ...call, value: BigInt(random.below(3)) })
      }
    }),
  )
})
