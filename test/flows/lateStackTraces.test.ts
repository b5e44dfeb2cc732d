/** Errors that tests expect are not looked into: where in Solidity code failed is found when somebody reads it. */
import { inspect } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Devnet, Reverted } from '../../src/index.ts'
import { assertThat } from '../../src/testing/index.ts'
import { STRANGER, started } from '../support/clients/clients.ts'
import { artifactOf, bankRun, frameAt, openBank } from '../support/compilers/bank.ts'
import { rejection, solidityLines } from '../support/compilers/stackTraces.ts'

const BY_BANK = [
  frameAt('Token.requireFunds', 'contracts/Token.sol', 'if (has < needs)', 'TooPoor('),
  frameAt('Token._spend', 'contracts/Token.sol', 'Checks.requireFunds'),
  frameAt('Token.transfer', 'contracts/Token.sol', '_spend(msg.sender'),
  frameAt('Bank.pay', 'contracts/Bank.sol', 'token.transfer(to'),
]

/** A way to fail: a transaction that is refused, and one that is in a block. */
const WAYS = [
  ['refused before it was sent', {}],
  ['in a block', { gas: 300_000n }],
] as const

async function bankAt() {
  const devnet = await started({ rhythm: 'manual' })
  devnet.artifacts.add(bankRun())
  await devnet.artifacts.load()
  return { devnet, ...(await openBank(devnet)) }
}

type Bank = Awaited<ReturnType<typeof bankAt>>

function failing({ devnet, bank }: Bank, fields: object): Promise<Reverted> {
  const pay = { ...bank, functionName: 'pay', args: [STRANGER, 5n], ...fields }
  return rejection(async () => await devnet.write(pay)) as Promise<Reverted>
}

/** Counts how often somebody asks what code was compiled from: only a stack trace needs that here. */
function lookUps(devnet: Devnet): () => number {
  const find = vi.spyOn(devnet.artifacts.known!, 'find').mockClear()
  onTestFinished(() => find.mockRestore())
  return () => find.mock.calls.length
}

describe.each(WAYS)('a transaction that is %s', (_, fields) => {
  it('is not run again for its message, its reason and matchers that pass', async () => {
    const at = await bankAt()
    const count = lookUps(at.devnet)
    const error = await failing(at, fields)
    expect(error.message).toContain('TooPoor(')
    expect(error.reason?.name).toBe('TooPoor')
    expect(error.data).toMatch(/^0x/)
    await assertThat(Promise.reject(error)).toRevertWith(artifactOf('Token').abi, 'TooPoor')
    await expect(Promise.reject(error)).rejects.toThrow(/TooPoor/)
    expect(count()).toBe(0)
    expect(solidityLines(error)).toEqual(BY_BANK)
    const found = count()
    expect(found).toBeGreaterThan(0)
    expect(error.solidityStack?.kind).toBe('customError')
    expect(count()).toBe(found)
  })

  it('is run again in the state in which it failed, whatever came after, and on a closed devnet', async () => {
    const at = await bankAt()
    const error = await failing(at, fields)
    await at.devnet.request({ method: 'anvil_setCode', params: [at.token.address, '0x'] })
    await at.devnet.mine({ blocks: 3 })
    await at.devnet.close()
    expect(solidityLines(error)).toEqual(BY_BANK)
  })

  it('has a stack that whoever prints or copies errors finds', async () => {
    const at = await bankAt()
    const copies: readonly ((error: Error) => string | undefined)[] = [
      (error) => inspect(error),
      (error) => structuredClone(error).stack,
      (error) => (deserialize(serialize(error)) as Error).stack,
      (error) => Object.getOwnPropertyDescriptor(error, 'stack')!.get!.call(error),
    ]
    for (const copied of copies) {
      const error = await failing(at, fields)
      const text = copied(error)
      expect(text).toContain('TooPoor(account: ')
      for (const line of BY_BANK) expect(text).toContain(`    at ${line}`)
      expect(text).toContain('lateStackTraces.test.ts')
      const now = Object.getOwnPropertyDescriptor(error, 'stack')
      expect(now).toEqual({ value: error.stack, writable: true, configurable: true, enumerable: false })
    }
  })

  it('has the stack that somebody gave it', async () => {
    const at = await bankAt()
    const count = lookUps(at.devnet)
    const error = await failing(at, fields)
    error.stack = 'mine'
    expect(error.stack).toBe('mine')
    expect(count()).toBe(0)
  })
})

it('a failure without revert data is looked into at once, as its message tells what happened', async () => {
  const { devnet, token } = await bankAt()
  const count = lookUps(devnet)
  const pay = { ...token, abi: ['function pay(uint256) external'], functionName: 'pay', args: [1n] } as const
  const error = await rejection(async () => await devnet.write(pay))
  expect(error.message).toMatch(/^pay reverted: the contract has no function/)
  expect(count()).toBeGreaterThan(0)
})
