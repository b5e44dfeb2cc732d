import { describe, expect, it } from 'vitest'
import type { Address } from '../../../src/bytes/hex.ts'
import { precompileMoves, type SimulationRules } from '../../../src/engine/precompiles/precompileMoves.ts'
import type { AccountOverride } from '../../../src/model/execution/call.ts'
import { address, overrideOf } from '../../support/engines/scenes.ts'

const PRECOMPILES: ReadonlySet<Address> = new Set([address(1), address(2), address(3)])
const SPOT = address(0xc0de)
const CODE = Uint8Array.of(0)

type Override = Partial<AccountOverride> & Pick<AccountOverride, 'address'>

function moves(...overrides: Override[]): unknown {
  return movesBy('specification', ...overrides)
}

function movesBy(rules: SimulationRules, ...overrides: Override[]): unknown {
  const moved = precompileMoves(PRECOMPILES, overrides.map(overrideOf), rules)
  return moved instanceof Map ? [...moved] : moved
}

describe('precompiles', () => {
  it('are moved where they are told to', () => {
    expect(moves({ address: address(1), movePrecompileTo: SPOT })).toEqual([[address(1), SPOT]])
    expect(moves({ address: address(1), movePrecompileTo: SPOT, code: CODE })).toEqual([[address(1), SPOT]])
  })

  it('may take the place of others', () => {
    expect(moves({ address: address(1), movePrecompileTo: address(2) })).toEqual([[address(1), address(2)]])
  })

  it('give way to code, and to nothing else', () => {
    expect(moves({ address: address(1), code: CODE })).toEqual([[address(1), undefined]])
    expect(moves({ address: address(1), balance: 5n, nonce: 1n, stateDiff: [[1n, 1n]] })).toEqual([])
    expect(moves({ address: SPOT, code: CODE })).toEqual([])
  })

  it('are what alone can be moved', () => {
    expect(moves({ address: SPOT, movePrecompileTo: address(9) })).toEqual({
      kind: 'notAPrecompile',
      address: SPOT,
    })
    // To itself, too: that is the smaller mistake.
    expect(moves({ address: SPOT, movePrecompileTo: SPOT })).toMatchObject({ kind: 'notAPrecompile' })
  })

  it('are not moved to where they are', () => {
    expect(moves({ address: address(1), movePrecompileTo: address(1) })).toEqual({
      kind: 'movedToItself',
      address: address(1),
    })
  })

  it('are not moved to the same place', () => {
    expect(
      moves({ address: address(1), movePrecompileTo: SPOT }, { address: address(2), movePrecompileTo: SPOT }),
    ).toEqual({ kind: 'movedTogether', address: SPOT })
  })

  it.each([
    [
      'before',
      [
        { address: SPOT, balance: 1n },
        { address: address(1), movePrecompileTo: SPOT },
      ],
    ],
    [
      'after',
      [
        { address: address(1), movePrecompileTo: SPOT },
        { address: SPOT, balance: 1n },
      ],
    ],
  ])('are not moved onto an account that is overridden %s', (_, overrides) => {
    expect(moves(...overrides)).toEqual({ kind: 'movedOntoOverride', address: SPOT })
  })
})

// internal/ethapi/override/override.go: `Apply`.
describe('precompiles in go-ethereum', () => {
  it('may be moved to one address, where the one from the higher address answers', () => {
    const low = { address: address(1), movePrecompileTo: SPOT }
    const high = { address: address(2), movePrecompileTo: SPOT }
    const moved = [
      [address(1), SPOT],
      [address(2), SPOT],
    ]
    expect(movesBy('geth', low, high)).toEqual(moved)
    expect(movesBy('geth', high, low)).toEqual(moved)
  })

  it('are gone as soon as anything of their accounts is overridden', () => {
    expect(movesBy('geth', { address: address(1), balance: 5n })).toEqual([[address(1), undefined]])
    expect(movesBy('geth', { address: SPOT, balance: 5n })).toEqual([])
  })
})
