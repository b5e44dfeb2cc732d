/** Stack traces of rejections: they begin at the line of the test, and have no line of preseal before it. */
import { createWalletClient } from 'viem'
import { describe, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { createDevnet, replay, serveChains } from '../../src/index.ts'
import { assertThat, defineFixture } from '../../src/testing/index.ts'
import { expect, testWith } from '../../src/testing/vitest/index.ts'
import { setup } from '../../src/testing/vitest/setup.ts'
import { clientOf } from '../../src/testing/vitest/testWith.ts'
import { STRANGER, started } from '../support/clients/clients.ts'
import { framesOf, here, rejection } from '../support/compilers/stackTraces.ts'

const reverts = { abi: Reverter.abi, functionName: 'writeThenRevertString' } as const
const asks = { abi: Reverter.abi, functionName: 'revertCustom', args: [7n] } as const
const OWN = 'stacks.test.ts'

async function withReverter() {
  const devnet = await started({ rhythm: 'manual' })
  const { address } = await devnet.deploy(Reverter)
  return { devnet, address }
}

describe('the first line of the stack trace is the caller’s', () => {
  it('of a write that reverts: the very line', async () => {
    const { devnet, address } = await withReverter()
    const error = await rejection(async () => {
      expect(here()).toContain(OWN)
      await devnet.write({ ...reverts, address })
    })
    const before = framesOf(error)[0]!
    expect(before).toMatch(/^stacks\.test\.ts:2\d$/)
    expect(error.stack).toMatch(/^Reverted: writeThenRevertString reverted: Something went wrong\n {4}at /)
  })

  it('of a write that a helper makes: both lines', async () => {
    const { devnet, address } = await withReverter()
    const lines: string[] = []
    const buy = async () => {
      await null
      lines.push(here())
      await devnet.write({ ...reverts, address })
    }
    const error = await rejection(async () => {
      lines.push(here())
      await buy()
    })
    const nextLine = (line: string) => line.replace(/\d+$/, (number) => String(Number(number) + 1))
    expect(framesOf(error).slice(0, 2)).toEqual([nextLine(lines[1]!), nextLine(lines[0]!)])
  })

  it.each([
    ['a write whose transaction is in a block', { ...reverts, gas: 100_000n }],
    ['a write of a function that the ABI does not have', { ...reverts, functionName: 'none' }],
    ['a write of a name that nobody reads', { ...reverts, unti: 'sealed' }],
  ])('of %s', async (_, fields) => {
    const { devnet, address } = await withReverter()
    const error = await rejection(() => devnet.write({ ...fields, address } as never))
    expect(framesOf(error)[0]).toContain(OWN)
  })

  it('of a write that is awaited later', async () => {
    const { devnet, address } = await withReverter()
    const writing = devnet.write({ ...reverts, address })
    writing.catch(() => {})
    await devnet.tick()
    expect(framesOf(await rejection(() => writing))[0]).toContain(OWN)
  })

  it('of reads, deployments, transactions and deals', async () => {
    const { devnet, address } = await withReverter()
    const nobody = { from: STRANGER } as const
    for (const call of [
      async () => await devnet.read({ ...asks, address }),
      async () => await devnet.read({ ...asks, address: STRANGER }),
      async () => await Promise.all([devnet.read({ ...asks, address })]),
      async () => await devnet.deploy(Token, { args: ['T', 'T'], ...nobody }),
      async () => await devnet.deploy(undefined as never),
      async () => await devnet.send({ to: STRANGER, value: 1n, ...nobody }),
      async () => await devnet.send({ to: STRANGER, value: 10n ** 30n }),
      async () => await devnet.deal(STRANGER, { token: STRANGER, amount: 1n }),
      async () => await devnet.deal(STRANGER, {} as never),
      async () => await devnet.impersonate('0x12'),
    ]) {
      const frames = framesOf(await rejection(call))
      expect(frames[0], String(call)).toContain(OWN)
    }
  })

  it('of requests, by the devnet and by its provider, however they are wrong', async () => {
    const { devnet } = await withReverter()
    for (const call of [
      async () => await devnet.request({ method: 'eth_nothing' }),
      async () => await devnet.request({ method: 'eth_getBalance', params: [5 as never] }),
      async () =>
        await devnet.request({
          method: 'eth_estimateGas',
          params: [{ to: STRANGER, value: `0x${'f'.repeat(64)}` }],
        }),
      async () => await devnet.provider.request({ method: 'eth_nothing' }),
    ]) {
      const error = await rejection(call)
      expect(framesOf(error)[0], String(call)).toContain(OWN)
      expect(error).not.toHaveProperty('cause')
    }
  })

  it('of what viem asks through transport(), and through the client of a test', async () => {
    const { devnet, address } = await withReverter()
    const account = devnet.accounts[0]!.address
    const wallet = createWalletClient({ account, transport: devnet.transport() })
    const client = await clientOf(devnet)
    for (const call of [
      async () => await wallet.request({ method: 'eth_nothing' as never }),
      async () => await client.request({ method: 'eth_nothing' as never }),
      async () => await wallet.sendTransaction({ to: STRANGER, value: 10n ** 30n, chain: null }),
      async () => await client.writeContract({ ...reverts, address }),
      async () => await client.readContract({ ...asks, address }),
    ]) {
      expect(framesOf(await rejection(call)).join(), String(call)).toContain(OWN)
    }
    expect(
      framesOf(await rejection(async () => await client.request({ method: 'eth_nothing' as never })))[0],
    ).toContain(OWN)
  })

  it('of matchers: also where nobody awaits them yet', async () => {
    const { devnet } = await withReverter()
    const pay = () => devnet.send({ to: STRANGER, value: 1n })
    for (const call of [
      async () => await expect(pay()).toRevert({ devnet }),
      async () => await expect(pay()).toRevertWith('no', { devnet }),
      async () => await expect(pay()).toEmit(Token.abi, 'Transfer', {}, { devnet }),
      async () => await expect(pay()).toChangeBalance(devnet, STRANGER, 5n),
      async () => await expect(pay).not.toChangeBalance(devnet, STRANGER, 1n),
      async () => await expect(pay).toChangeTokenBalance(devnet, STRANGER, STRANGER, 1n),
      async () => await expect(pay()).toBePreconfirmed(devnet),
      async () => await assertThat(pay()).toRevert({ devnet }),
      async () => await assertThat(5).toBeSealed(),
      async () => await expect(5).toBeSealed(),
      async () => await expect(pay()).toRevert({ devnt: devnet } as never),
      async () => await expect(pay()).toEmit(Token.abi, 'Transfre' as never),
      async () => await expect(pay()).toRevertWith(5 as never),
      async () => await assertThat(pay()).toEmit(Token.abi, 'Transfre' as never),
    ]) {
      const error = await rejection(call)
      expect(error.stack, String(call)).not.toContain('/src/')
      expect(framesOf(error)[0], String(call)).toContain(OWN)
    }
    const waiting = expect(pay()).toRevert({ devnet })
    waiting.catch(() => {})
    await devnet.mine()
    expect(framesOf(await rejection(async () => waiting)).join()).toContain(OWN)
  })

  it('of matchers only where the failure is theirs: what a test throws keeps its own', async () => {
    const { devnet } = await withReverter()
    const own = new Error('not mine')
    const { stack } = own
    const fails = () => Promise.reject(own)
    expect(await rejection(async () => await expect(fails).toRevert({ devnet }))).toBe(own)
    expect(await rejection(async () => await expect(fails).toBeSealed(devnet))).toBe(own)
    expect(own.stack).toBe(stack)
  })

  it('of the options of devnets and fixtures: also where they are found when a test begins', async () => {
    const rythm = { rythm: 'manual' } as never
    const defined = defineFixture(() => {}, { devnet: rythm })
    const { devnet } = await withReverter()
    for (const call of [
      async () => await createDevnet(rythm),
      async () => await createDevnet({ mnemonic: 'no words' }),
      async () => await setup(rythm)({ provide: () => {} }),
      async () => await defined.use(),
      async () => await defineFixture(() => {}).use(rythm),
      async () => defineFixture(() => {}, { cach: true } as never),
      async () => defined.extend(() => {}, { cach: true } as never),
      async () => testWith({}, rythm),
      async () => devnet.fork(rythm),
      async () => devnet.transport(rythm),
      async () => devnet.abis.add([], rythm),
      async () => await serveChains(devnet, rythm),
      async () => await replay('', rythm),
    ]) {
      expect(framesOf(await rejection(call))[0], String(call)).toContain(OWN)
    }
  })

  it('of commands that cannot be, of files that cannot be read, and of ports that cannot be had', async () => {
    const { devnet } = await withReverter()
    const { port } = await devnet.listen({ port: 0 })
    for (const call of [
      async () => await devnet.advance({ ms: -1 }),
      async () => await devnet.restore({} as never),
      async () => await devnet.load(new Uint8Array(3)),
      async () => await devnet.import(new Uint8Array([0xc1, 0])),
      async () => await devnet.listen({ port }),
      async () => await devnet.faults.add({ kind: 'none' } as never),
      async () => devnet.on('block' as never, (() => {}) as never),
    ]) {
      expect(framesOf(await rejection(call))[0], String(call)).toContain(OWN)
    }
  })
})
