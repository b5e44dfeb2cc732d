/** The reference is EthereumJS unpatched, also where our engines run in the same process. */
import { expect, it } from 'vitest'
import { evmParts } from '../../support/engines/evmParts.ts'

it('is the same whether or not our engines have run code', async () => {
  const [published, ours] = await Promise.all([evmParts(false), evmParts(true)])
  expect(Object.keys(published).length).toBeGreaterThan(300)
  expect(ours).toEqual(published)
})
