/** The journal of a run against that of EthereumJS, each over a world of its own. */
import { createEVM } from '@ethereumjs/evm'
import { Account, Address as AddressObject } from '@ethereumjs/util'
import { describe, expect, it } from 'vitest'
import { Adapter } from '../../src/evm/adapter.ts'
import { addressObject, addressOf } from '../../src/evm/addressObject.ts'
import { Journal } from '../../src/evm/journal.ts'
import { type Address, fromHex, toDigits, toWord } from '../../src/model/bytes/hex.ts'
import { type AnyHardfork, createRules } from '../../src/model/hardfork/hardfork.ts'
import { Draft } from '../../src/state/draft.ts'
import { State } from '../../src/state/state.ts'
import { type Random, withRandom } from '../support/random.ts'

/** Few, so that they meet; the third is RIPEMD-160, which stays touched when others do not. */
const ADDRESSES = [1, 2, 3, 0xaa, 0xbb].map((last): Address => `0x${last.toString(16).padStart(40, '0')}`)
const SLOTS = [0n, 1n, 2n ** 255n].map(toWord)

/** Ours and EthereumJS's, each with its draft. */
async function twins(hardfork: AnyHardfork) {
  const rules = createRules(hardfork, 31337n)
  const state = State.empty.with(ADDRESSES.slice(1).map((address) => ({ address, balance: 0n, nonce: 0n })))
  const drafts = [new Draft(state), new Draft(state)] as const
  const adapters = drafts.map((draft) => {
    const adapter = new Adapter()
    adapter.attach(draft)
    return adapter
  })
  const evm = await createEVM({ common: rules.common, stateManager: adapters[1]! })
  const { journal: theirs, precompiles } = evm
  const ours = new Journal(adapters[0]!, rules, precompiles)
  return { drafts, ours, theirs, precompiles }
}

type Twins = Awaited<ReturnType<typeof twins>>

/** All that can be seen of a journal and its draft. */
function seen(journal: Pick<Journal, 'isWarmedAddress' | 'isWarmedStorage'>, draft: Draft) {
  return ADDRESSES.map((address) => {
    const bytes = fromHex(address)
    const warmSlots = SLOTS.map((slot) => journal.isWarmedStorage(bytes, slot))
    return [address, journal.isWarmedAddress(bytes), warmSlots, draft.account(address)?.balance]
  })
}

function same({ ours, theirs, drafts }: Twins): void {
  expect(seen(ours, drafts[0])).toEqual(seen(theirs, drafts[1]))
}

/** Does the same to both. */
async function step({ ours, theirs, precompiles }: Twins, random: Random, depth: number): Promise<number> {
  const address = random.pick(ADDRESSES)
  const bytes = fromHex(address)
  const text = random.pick([address, toDigits(bytes)])
  const slot = random.pick(SLOTS)
  const balance = BigInt(random.below(2))
  switch (random.below(9)) {
    case 0:
      for (const one of [ours, theirs]) one.addWarmedAddress(bytes)
      return depth
    case 1:
      for (const one of [ours, theirs]) one.addWarmedStorage(bytes, slot)
      return depth
    case 2:
      for (const one of [ours, theirs]) one.addAlwaysWarmAddress(text)
      return depth
    case 3:
      for (const one of [ours, theirs]) one.addAlwaysWarmSlot(toDigits(bytes), toDigits(slot))
      return depth
    case 4:
      for (const one of [ours, theirs]) await one.putAccount(addressObject(address), new Account(0n, balance))
      return depth
    case 5:
      if (random.below(4) > 0) return depth
      ours.addPrecompiles()
      for (const precompile of precompiles.keys()) theirs.addAlwaysWarmAddress(precompile)
      return depth
    case 6:
      for (const one of [ours, theirs]) await one.checkpoint()
      return depth + 1
    case 7:
      if (depth === 0) return depth
      for (const one of [ours, theirs]) await one.commit()
      return depth - 1
    default:
      if (depth === 0) return depth
      for (const one of [ours, theirs]) await one.revert()
      return depth - 1
  }
}

describe('the journal', () => {
  for (const hardfork of ['frontier', 'spuriousDragon', 'osaka'] as const) {
    it(
      `knows what is warm, and removes what is touched and empty, as that of EthereumJS under ${hardfork}`,
      withRandom(async (random) => {
        const both = await twins(hardfork)
        for (let run = 0; run < 40; run++) {
          let depth = 0
          for (let n = 0; n < 40; n++) {
            depth = await step(both, random, depth)
            same(both)
          }
          for (; depth > 0; depth--) for (const one of [both.ours, both.theirs]) await one.commit()
          for (const one of [both.ours, both.theirs]) await one.cleanup()
          same(both)
        }
      }),
    )
  }

  it('knows addresses that EthereumJS made by the same text', () => {
    const object = addressObject('0x00000000000000000000000000000000000000aa')
    expect(addressOf(new AddressObject(object.bytes))).toBe(addressOf(object))
    expect(addressOf(object)).toBe(object.toString())
  })
})
