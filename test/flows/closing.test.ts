/** The end of a devnet. */
import { http } from 'viem'
import { expect, it } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { ask, clientOf, STRANGER } from '../support/clients/clients.ts'

it('a devnet closes with the block that declared it', async () => {
  let left: Awaited<ReturnType<typeof createDevnet>>
  {
    await using devnet = await createDevnet()
    left = devnet
    expect(await ask(devnet, 'eth_chainId')).toBe('0x7a69')
  }
  await expect(ask(left, 'eth_chainId')).rejects.toMatchObject({ code: 4900 })
})

it('a closed devnet answers that it is closed', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.close()
  await expect(ask(devnet, 'eth_blockNumber')).rejects.toMatchObject({
    name: 'ProviderRpcError',
    code: 4900,
    message: 'the devnet is closed',
  })
})

it('a devnet can be closed twice, and at once', async () => {
  const devnet = await createDevnet()
  await Promise.all([devnet.close(), devnet.close()])
  await devnet.close()
})

it('closing waits for what was begun, and so does whoever closes it a second time', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  const mining = devnet.mine()
  let isMined = false
  void mining.then(() => {
    isMined = true
  })
  const isMinedAfter = () => devnet.close().then(() => isMined)
  expect(await Promise.all([isMinedAfter(), isMinedAfter()])).toEqual([true, true])
})

it('what listens to its end may close it, too', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  const closed = new Promise<void>((resolve) => {
    devnet.on('disconnect', () => resolve(devnet.close()))
  })
  await devnet.close()
  await closed
})

it('closing ends a listener that is just being opened', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  const { port, close } = await devnet.listen()
  await close()
  const opening = devnet.listen({ port })
  const [opened] = await Promise.allSettled([opening, devnet.close()])
  expect(opened).toMatchObject({ status: 'rejected', reason: { message: 'listen: the devnet is closed' } })
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
})

it('a closed devnet does not listen', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.close()
  await expect(devnet.listen()).rejects.toThrow('listen: the devnet is closed')
})

it('closing stops the listeners, whose port is free again', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  const { url, port } = await devnet.listen({ port: 0 })
  expect(await clientOf(devnet, 0, http(url)).getBalance({ address: STRANGER })).toBe(0n)
  await devnet.close()
  await expect(fetch(url)).rejects.toThrow()
  await using other = await createDevnet({ rhythm: 'manual' })
  expect((await other.listen({ port })).port).toBe(port)
})

it('a listener can be stopped alone', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const first = await devnet.listen()
  const second = await devnet.listen()
  await first.close()
  await expect(fetch(first.url)).rejects.toThrow()
  expect((await fetch(`${second.url}/health`)).status).toBe(200)
})

it('an import into a closed devnet ends before its first block', async () => {
  await using source = await createDevnet({ rhythm: 'manual' })
  await source.mine()
  const blocks = [...source.export()]
  const devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.close()
  await expect(devnet.import(blocks)).rejects.toMatchObject({ name: 'ImportFailed' })
})

it('a port that is taken is an error that says so', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const { port } = await devnet.listen()
  await expect(devnet.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
