import { describe, expect, it } from 'vitest'
import { createEngine, Evms } from '../../src/engine/evm.ts'
import {
  createForkSchedule,
  FROM_THE_BEGINNING,
  uniformSchedule,
} from '../../src/model/hardfork/forkSchedule.ts'
import type { Rules } from '../../src/model/hardfork/hardfork.ts'

const SCHEDULE = createForkSchedule(
  7n,
  [
    { hardfork: 'london', activation: FROM_THE_BEGINNING },
    { hardfork: 'shanghai', activation: { kind: 'time', timestamp: 100n } },
  ],
  {},
)
const at = (number: bigint, timestamp: bigint) => ({ number, timestamp, difficulty: 0n })

describe('the EVMs of a chain', () => {
  it('run each block under its own rules', () => {
    const evms = new Evms(SCHEDULE)
    for (const position of [at(0n, 0n), at(1n, 99n), at(2n, 100n), at(3n, 10n ** 9n)]) {
      expect(evms.at(position).rules).toBe(SCHEDULE.at(position))
    }
    expect(evms.schedule).toBe(SCHEDULE)
  })

  it('are made when they are first needed, one for each hardfork', () => {
    const made: string[] = []
    const evms = new Evms(SCHEDULE, (rules: Rules) => {
      made.push(rules.hardfork)
      return createEngine(rules)
    })
    expect(made).toEqual([])
    const london = evms.at(at(0n, 0n))
    expect(evms.at(at(5n, 50n))).toBe(london)
    expect(made).toEqual(['london'])
    expect(evms.at(at(6n, 100n))).not.toBe(london)
    expect(evms.at(at(5n, 50n))).toBe(london)
    evms.at(at(7n, 200n))
    expect(made).toEqual(['london', 'shanghai'])
  })

  it('are others under another chain id, made once, with the same hardforks', () => {
    const evms = new Evms(SCHEDULE)
    expect(evms.withChainId(undefined)).toBe(evms)
    expect(evms.withChainId(7n)).toBe(evms)
    const others = evms.withChainId(8n)
    expect(evms.withChainId(8n)).toBe(others)
    expect([others.withChainId(7n), others.withChainId(undefined)]).toEqual([evms, others])
    expect(others.at(at(2n, 100n)).rules).toMatchObject({ chainId: 8n, hardfork: 'shanghai' })
    expect(evms.at(at(2n, 100n)).rules).toMatchObject({ chainId: 7n, hardfork: 'shanghai' })
  })

  it('are only one where the hardfork never changes', () => {
    const evms = new Evms(uniformSchedule('osaka', 7n))
    expect(evms.at(at(0n, 0n))).toBe(evms.at(at(10n ** 9n, 10n ** 12n)))
  })
})
