/** Assertions that fail say where in Solidity: of errors, and of transactions by their hashes. */
import { describe, it, onTestFinished, vi } from 'vitest'
import { assertThat, matchers } from '../../src/testing/index.ts'
import type { Verdict } from '../../src/testing/matchers/verdict.ts'
import { expect } from '../../src/testing/vitest/index.ts'
import { STRANGER, started } from '../support/clients/clients.ts'
import { bankRun, openBank } from '../support/compilers/bank.ts'
import { framesOf, rejection, solidityLines } from '../support/compilers/stackTraces.ts'

async function bankAt() {
  const devnet = await started({ rhythm: 'manual' })
  devnet.artifacts.add(bankRun())
  const { bank } = await openBank(devnet)
  const fields = { ...bank, functionName: 'pay', args: [STRANGER, 5n] }
  const sent = await devnet.write({ ...fields, gas: 300_000n, until: 'accepted' })
  return { devnet, pay: () => devnet.write(fields), hash: sent.hash }
}

type AnyMatcher = (...all: unknown[]) => Promise<Verdict>

const PAY = /^Bank\.pay \(contracts\/Bank\.sol:\d+:\d+\)$/

describe('a failed assertion has the Solidity frames above its own', () => {
  it('of expect and of assertThat, about errors and about hashes', async () => {
    const { devnet, pay, hash } = await bankAt()
    const on = { devnet }
    for (const call of [
      async () => await expect(pay()).not.toRevert(on),
      async () => await expect(pay()).toRevertWith('no funds', on),
      async () => await expect(pay()).toEmit(['event Paid()'], 'Paid', [], on),
      async () => await expect(pay).toChangeBalance(devnet, STRANGER, 1n),
      async () => await expect(hash).not.toRevert(on),
      async () => await expect(hash).toRevertWith({ panic: 0x11 }, on),
      async () => await expect(hash).toEmit(['event Paid()'], 'Paid', [], on),
      async () => await assertThat(pay()).not.toRevert(on),
      async () => await assertThat(hash).not.toRevert(on),
    ]) {
      const error = await rejection(call)
      expect(solidityLines(error).at(-1), String(call)).toMatch(PAY)
      expect(framesOf(error)[solidityLines(error).length], String(call)).toContain('solidityFrames.test.ts')
    }
  })

  it('in the message for test runners that make the error, under not and without', async () => {
    const { devnet, pay } = await bankAt()
    const lines = (text: string) => solidityLines({ stack: text } as Error)
    const negated = await matchers.toRevert.call({ isNot: true }, pay as never, { devnet })
    expect(lines(negated.message()).at(-1)).toMatch(PAY)
    const wrong = await (matchers.toRevertWith as AnyMatcher)(pay, 'no funds', { devnet })
    expect(lines(wrong.message()).at(-1)).toMatch(PAY)
  })
})

describe('an assertion that passes', () => {
  it('does not look for frames of a transaction that it has by its hash', async () => {
    const { devnet, hash } = await bankAt()
    await devnet.artifacts.load()
    const finds = vi.spyOn(devnet.artifacts.known!, 'find').mockClear()
    onTestFinished(() => finds.mockRestore())
    await expect(hash).toRevert({ devnet })
    await assertThat(hash).toRevert({ devnet })
    expect((await matchers.toRevert(hash as never, { devnet })).message()).not.toContain('.sol')
    expect(finds).not.toHaveBeenCalled()
    await rejection(async () => await expect(hash).not.toRevert({ devnet }))
    expect(finds).toHaveBeenCalled()
  })
})

describe('words', () => {
  it('of artifacts describe what no ABI of the devnet does', async () => {
    const { pay } = await bankAt()
    await expect(assertThat(pay()).not.toRevert()).rejects.toThrow(
      /^expected no revert, but it reverted with custom error TooPoor\(account: 0x\w{40}, has: 0, needs: 5\)$/,
    )
  })
})
