/** Malformed storage layouts are reported, and the run is still traced. */
import { describe, expect, it } from 'vitest'
import type { StorageLayout } from '../../../src/solidity/artifacts/solcJson.ts'
import { layoutFlaw } from '../../../src/solidity/debug/layout.ts'
import { debugged, knowing, placed, storageIn } from '../../support/compilers/debugged.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Box {
  struct Thing { uint8 size; uint8[4] parts; }
  uint256 count;
  Thing[3] things;
  mapping(address => Thing) byOwner;
  function put() external { count = 1; things[1].parts[2] = 7; byOwner[msg.sender].size = 9; }
}`

const box = compiled({ 'Box.sol': SOURCE })
const good = contractOf(box, 'Box').output.storageLayout!

/** The layout with another value at `path`. */
function changed(path: readonly (string | number)[], value: unknown): StorageLayout {
  const layout = structuredClone(good)
  let at = layout as unknown as Record<string | number, unknown>
  for (const name of path.slice(0, -1)) at = at[name] as typeof at
  at[path.at(-1)!] = value
  return layout
}

const [array, struct] = ['t_array', 't_struct'].map(
  (start) => Object.keys(good.types!).find((id) => id.startsWith(start) && /Thing|uint8/.test(id))!,
)

const MALFORMED: readonly (readonly [string, StorageLayout])[] = [
  ['storage is not an array', changed(['storage'], {})],
  ['types is not an object', changed(['types'], 'none')],
  ['storage[0] has no label and type', changed(['storage', 0], null)],
  ['storage[0].slot is not a decimal number', changed(['storage', 0, 'slot'], '0xg')],
  ['storage[1].offset is not an offset in a slot', changed(['storage', 1, 'offset'], -3)],
  [`types["${array}"] is not an object`, changed(['types', array!], 7)],
  ['types["t_uint8"].encoding is not one of', changed(['types', 't_uint8', 'encoding'], 'spiral')],
  [
    'types["t_uint8"].numberOfBytes is not a positive number of bytes',
    changed(['types', 't_uint8', 'numberOfBytes'], '0'),
  ],
  [`types["${struct}"].members is not an array`, changed(['types', struct!, 'members'], 'all')],
  [`types["${array}"].base is not the id of a type`, changed(['types', array!, 'base'], [])],
  [`types["${array}"] contains itself`, changed(['types', array!, 'base'], array)],
  [`contains itself`, changed(['types', struct!, 'members', 0, 'type'], struct)],
]

it('those of solc have no flaw', () => {
  expect(layoutFlaw(good)).toBeUndefined()
  expect(layoutFlaw({ storage: [], types: null })).toBeUndefined()
})

it.each(MALFORMED)('%s', (flaw, layout) => {
  expect(layoutFlaw(layout)).toContain(flaw)
})

describe.each([
  ['with a syntax tree', true],
  ['without', false],
])('a run of a contract with such a layout, %s', (_, hasTree) => {
  it.each(MALFORMED)('is told: %s', async (flaw, storageLayout) => {
    const { Box } = box.output.contracts!['Box.sol']!
    const sources = hasTree ? box.output.sources : { 'Box.sol': { id: 0 } }
    const output = { ...box.output, sources, contracts: { 'Box.sol': { Box: { ...Box!, storageLayout } } } }
    const own = { ...box, output: output as typeof box.output }
    const devnet = await knowing(own)
    const run = await debugged(devnet, await placed(devnet, own, 'Box'), 'put')
    expect(run.status).toBe('success')
    if (hasTree) {
      expect(run.gaps).toEqual([])
      expect(storageIn(run)).toContain('things[1].parts[2]: 0 → 7')
    } else {
      const gap = run.gaps.find(({ reason }) => reason === 'noStorageLayout')
      expect(gap?.text).toContain(`the storage layout of Box is malformed (`)
      expect(gap?.text).toContain(flaw)
      expect(run.steps.flatMap(({ storage }) => storage).map(({ name }) => name)).toContain(undefined)
    }
  })
})
