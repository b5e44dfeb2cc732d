import { createBlock } from '@ethereumjs/block'
import { describe, expect, it } from 'vitest'
import { type Hash, toHex, toWord } from '../../../src/bytes/hex.ts'
import type { Block } from '../../../src/model/block/block.ts'
import { type Header, hashHeader } from '../../../src/model/block/header.ts'
import { uniformSchedule } from '../../../src/model/hardfork/forkSchedule.ts'
import { flawInOmmers } from '../../../src/sequencer/import/flawInHeader.ts'
import { randomHeader, theirCommon, toEthereumJsHeader } from '../../support/chains/headers.ts'
import { Random } from '../../support/random/random.ts'

const LENGTH = 20
const SCHEDULE = uniformSchedule('berlin', 31_337n)
const TEMPLATE = { ...randomHeader(new Random(1), 'berlin'), timestamp: 1_000_000n, difficulty: 10_000_000n }

/** A header that may follow `parent`, by what EthereumJS computes. */
function childOf(parent: Header): Header {
  const child = {
    ...TEMPLATE,
    number: parent.number + 1n,
    parentHash: hashHeader(parent),
    timestamp: parent.timestamp + 13n,
  }
  const theirs = toEthereumJsHeader(child, 'berlin')
  const difficulty = theirs.ethashCanonicalDifficulty(toEthereumJsHeader(parent, 'berlin'))
  return { ...child, difficulty }
}

/** A chain of twenty blocks and its newest, whose child's ommers are in question. */
class MinedChain {
  readonly headers: Header[] = []
  /** By number: what is held of each block. */
  readonly #ommers = new Map<number, readonly Header[]>()
  readonly #oldest: number

  /** `ommers` by the number of the block that has them; blocks below `oldest` are pruned. */
  constructor(ommers: Record<number, readonly Header[]> = {}, oldest = 0) {
    for (let number = 0; number < LENGTH; number++) {
      const parent = this.headers.at(-1)
      this.headers.push(parent === undefined ? { ...TEMPLATE, number: 0n } : childOf(parent))
      this.#ommers.set(number, ommers[number] ?? [])
    }
    this.#oldest = oldest
  }

  hash(number: number): Hash | undefined {
    const header = this.headers[number]
    return header && hashHeader(header)
  }

  readonly first = 0

  block(number: number): Block | undefined {
    const header = this.headers[number]
    if (header === undefined || number < this.#oldest) return undefined
    return { header, hash: hashHeader(header), ommers: this.#ommers.get(number)! } as unknown as Block
  }

  /** A block that somebody else mined upon the one with this number. */
  besideChildOf(number: number, salt = 1): Header {
    return { ...childOf(this.headers[number]!), extraData: toWord(BigInt(salt)) }
  }

  /** What is wrong with these ommers of the block after the one with this number. */
  flaw(ommers: readonly Header[], number = LENGTH - 1): unknown {
    return flawInOmmers(SCHEDULE, this.headers[number]!, ommers, this)
  }
}

/** The newest block's number: an ommer of its child may stand beside it, and beside the five before it. */
const NEWEST = LENGTH - 1

describe('the ommers of a block', () => {
  const chain = new MinedChain()

  it('may be none, one or two', () => {
    expect(chain.flaw([])).toBeUndefined()
    expect(chain.flaw([chain.besideChildOf(NEWEST - 1)])).toBeUndefined()
    expect(
      chain.flaw([chain.besideChildOf(NEWEST - 1, 1), chain.besideChildOf(NEWEST - 1, 2)]),
    ).toBeUndefined()
    expect(chain.flaw([chain.besideChildOf(NEWEST - 1), chain.besideChildOf(NEWEST - 3)])).toBeUndefined()
  })

  it('are not three', () => {
    expect(chain.flaw([1, 2, 3].map((salt) => chain.besideChildOf(NEWEST - 1, salt)))).toEqual({
      kind: 'invalid',
      field: 'ommers',
      rule: 'tooManyOmmers',
      reason: 'at most 2 are allowed, got 3',
    })
  })

  // Yellow Paper 11.1, as geth has it: the parent is the second to the seventh of the block's ancestors.
  it.each([1, 2, 3, 4, 5, 6])('may have their parent %i generations before the block’s', (generations) => {
    expect(chain.flaw([chain.besideChildOf(NEWEST - generations)])).toBeUndefined()
  })

  it.each([
    [7, 'seven generations before it'],
    [12, 'twelve generations before it'],
  ])('do not have a parent %i generations before the block’s: %s', (generations) => {
    const far = chain.besideChildOf(NEWEST - generations)
    expect(chain.flaw([far])).toEqual({
      kind: 'invalid',
      field: 'ommers[0]',
      rule: 'ommerParentUnknown',
      reason: `its parent ${far.parentHash} is none of the 6 blocks before block ${NEWEST}`,
    })
  })

  it('do not have the block’s own parent', () => {
    const sibling = chain.besideChildOf(NEWEST)
    expect(chain.flaw([sibling])).toEqual({
      kind: 'invalid',
      field: 'ommers[0]',
      rule: 'ommerIsSibling',
      reason: `its parent ${sibling.parentHash} is the block's own parent`,
    })
  })

  it('do not have a parent that the chain does not know', () => {
    const parentHash = toHex(toWord(5n))
    const stray = { ...chain.besideChildOf(NEWEST - 1), parentHash }
    expect(chain.flaw([chain.besideChildOf(NEWEST - 2), stray])).toEqual({
      kind: 'invalid',
      field: 'ommers[1]',
      rule: 'ommerParentUnknown',
      reason: `its parent ${parentHash} is none of the 6 blocks before block ${NEWEST}`,
    })
  })

  it.each([-1n, 1n, -5n])('do not have a number that is off by %i, by which they are paid', (off) => {
    const right = chain.besideChildOf(NEWEST - 3)
    expect(chain.flaw([{ ...right, number: right.number + off }])).toEqual({
      kind: 'differs',
      field: 'ommers[0].number',
      stated: String(right.number + off),
      computed: String(right.number),
    })
  })

  // Yellow Paper 11.1: the header of an ommer is valid by itself (4.3.4).
  it.each<[string, (right: Header) => Partial<Header>, object]>([
    [
      'another difficulty',
      ({ difficulty }) => ({ difficulty: difficulty + 1n }),
      { kind: 'differs', field: 'ommers[0].difficulty' },
    ],
    [
      'more gas used than it allows',
      ({ gasLimit }) => ({ gasUsed: gasLimit + 1n }),
      { rule: 'gasUsedAboveLimit', field: 'ommers[0].gasUsed' },
    ],
    [
      'a gas limit far from its parent’s',
      ({ gasLimit }) => ({ gasLimit: gasLimit * 2n }),
      { rule: 'gasLimitOutOfBounds', field: 'ommers[0].gasLimit' },
    ],
    [
      'its parent’s time',
      ({ timestamp }) => ({ timestamp: timestamp - 13n }),
      { rule: 'timestampOfParent', field: 'ommers[0].timestamp' },
    ],
    [
      'a time before its parent’s',
      ({ timestamp }) => ({ timestamp: timestamp - 14n }),
      { rule: 'timestampBeforeParent', field: 'ommers[0].timestamp' },
    ],
    [
      'a field of a later hardfork',
      () => ({ baseFeePerGas: 7n }),
      { rule: 'unexpectedField', field: 'ommers[0].baseFeePerGas' },
    ],
  ])('do not have %s', (_, change, flaw) => {
    const right = chain.besideChildOf(NEWEST - 2)
    expect(chain.flaw([right])).toBeUndefined()
    expect(chain.flaw([{ ...right, ...change(right) }])).toMatchObject(flaw)
  })

  it('are no children of the block’s own parent that say to be older', () => {
    const sibling = chain.besideChildOf(NEWEST)
    for (const number of [sibling.number - 1n, sibling.number - 4n]) {
      expect(chain.flaw([{ ...sibling, number }])).toMatchObject({ kind: 'invalid', field: 'ommers[0]' })
    }
  })

  it('are no ancestors', () => {
    for (const number of [NEWEST, NEWEST - 1, NEWEST - 6]) {
      expect(chain.flaw([chain.headers[number]!])).toEqual({
        kind: 'invalid',
        field: 'ommers[0]',
        rule: 'ommerIsAncestor',
        reason: `${chain.hash(number)} is an ancestor of the block`,
      })
    }
  })

  it('are not the same one twice', () => {
    const ommer = chain.besideChildOf(NEWEST - 1)
    expect(chain.flaw([ommer, ommer])).toEqual({
      kind: 'invalid',
      field: 'ommers[1]',
      rule: 'ommerIsKnown',
      reason: `${hashHeader(ommer)} was an ommer before`,
    })
  })

  it('are none that an ancestor had', () => {
    const ommer = chain.besideChildOf(NEWEST - 4)
    const reason = `${hashHeader(ommer)} was an ommer before`
    for (const number of [NEWEST, NEWEST - 2]) {
      const taken = new MinedChain({ [number]: [ommer] })
      expect(taken.flaw([ommer])).toEqual({
        kind: 'invalid',
        field: 'ommers[0]',
        rule: 'ommerIsKnown',
        reason,
      })
      expect(taken.flaw([chain.besideChildOf(NEWEST - 4, 2)])).toBeUndefined()
    }
  })

  it('have their parents found behind the blocks that are still held', () => {
    const pruned = new MinedChain({}, NEWEST - 1)
    expect(pruned.flaw([pruned.besideChildOf(NEWEST - 6)])).toBeUndefined()
    expect(pruned.flaw([pruned.besideChildOf(NEWEST - 7)])).toMatchObject({ field: 'ommers[0]' })
  })

  it('may stand beside block 1, where there are not seven ancestors yet', () => {
    expect(chain.flaw([chain.besideChildOf(0)], 1)).toBeUndefined()
    expect(chain.flaw([chain.besideChildOf(0)], 0)).toMatchObject({ field: 'ommers[0]' })
    expect(chain.flaw([chain.headers[0]!], 1)).toMatchObject({ field: 'ommers[0]' })
  })

  it('are refused where @ethereumjs/block refuses them, which looks at none but them', () => {
    const common = theirCommon('berlin')
    const theyTake = (ommers: readonly Header[]) => {
      try {
        createBlock(
          {
            header: { number: BigInt(LENGTH), difficulty: 1n, gasLimit: 5_000n },
            uncleHeaders: ommers.map((ommer) => toEthereumJsHeader(ommer, 'berlin')),
          },
          { common, skipConsensusFormatValidation: true },
        )
        return true
      } catch {
        return false
      }
    }
    const [a, b, c] = [1, 2, 3].map((salt) => chain.besideChildOf(NEWEST - 1, salt)) as [
      Header,
      Header,
      Header,
    ]
    for (const ommers of [[], [a], [a, b], [a, a], [a, b, c]]) {
      expect(chain.flaw(ommers) === undefined).toBe(theyTake(ommers))
    }
  })
})
