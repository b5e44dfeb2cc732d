/** Fees of transactions without fees. The values are those of Hardhat 3.18 on its own network, after the same blocks. */
import { expect, it, onTestFinished } from 'vitest'
import { missingFees } from '../../src/hardhat/fees.ts'
import { createDevnet } from '../../src/index.ts'

it('are those of Hardhat, block for block', async () => {
  const devnet = await createDevnet({ profile: 'hardhat', gasLimit: 60_000_000n })
  onTestFinished(() => devnet.close())
  const from = devnet.accounts[0]!.address
  const fees: unknown[] = []
  const given = [
    {},
    {},
    {},
    { maxFeePerGas: '0x77359400' },
    { maxPriorityFeePerGas: '0x77359400' },
    { maxPriorityFeePerGas: '0x1' },
    {},
  ]
  for (const transaction of given) {
    const found = await missingFees(devnet, transaction)
    fees.push([found.maxFeePerGas, found.maxPriorityFeePerGas])
    const params = [{ from, to: from, ...transaction, ...found }]
    await devnet.provider.request({ method: 'eth_sendTransaction', params })
  }
  expect(fees).toEqual([
    ['0x4201eab3', '0x3b9aca00'],
    ['0x39c327e0', '0xdda79f3'],
    ['0x328c0e20', '0xc1f7a25'],
    ['0x77359400', '0xa9bd065'],
    ['0x9deaca19', '0x77359400'],
    ['0x21df6d4d', '0x1'],
    ['0x1da441e1', '0x1'],
  ])
})

it.each([
  { gasPrice: '0x1' },
  { type: '0x0' },
  { type: '0x1' },
  { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' },
])('are none for %j', async (transaction) => {
  const devnet = await createDevnet({ profile: 'hardhat' })
  onTestFinished(() => devnet.close())
  expect(await missingFees(devnet, transaction)).toEqual({})
})

it('are none if blocks have no base fee', async () => {
  const devnet = await createDevnet({ profile: 'hardhat', hardfork: 'berlin' })
  onTestFinished(() => devnet.close())
  expect(await missingFees(devnet, {})).toEqual({})
})
