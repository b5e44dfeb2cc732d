/** The way of a raw transaction from HTTP to the notification of its log: the files that src/README.md names, and no others. */
import { expect, it, onTestFinished } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { toHex } from '../../src/model/bytes/hex.ts'
import { countEntered } from '../support/coverage.ts'
import { PAGES } from '../support/pages.ts'
import { sign } from '../support/signing.ts'
import { SocketClient } from '../support/socket.ts'

/** Rooms whose files are asked on the way, but for those that are named. */
const ASKED_ROOMS = /^(chain|evm|state|model)\//

it('passes the files that the page on the architecture names, none twice', async () => {
  const devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 10 })
  onTestFinished(() => devnet.close())
  // LOG0 of nothing.
  const to = '0x00000000000000000000000000000000000010a0'
  await devnet.request({ method: 'anvil_setCode', params: [to, '0x5f5fa000'] })
  const { url } = await devnet.listen({ port: 0 })
  const socket = await SocketClient.connect(url.replace('http', 'ws'))
  await socket.subscribe('pendingLogs', {})
  const bodies = [0n, 1n].map((nonce) => {
    const { raw } = sign(devnet.accounts[0]!, { nonce, to, gasLimit: 100_000n })
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [toHex(raw)] })
  })
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(await response.text()).toContain('"result"')
  }
  const preconfirm = async () => {
    await devnet.tick()
    expect(await socket.notification()).toMatchObject({ result: { address: to } })
  }
  // What is loaded and made with the first transaction, and the opening of the block, are not on the way of the others.
  await send(bodies[0]!)
  await preconfirm()

  const entered = await countEntered()
  await send(bodies[1]!)
  const sending = await entered()
  await preconfirm()
  const preconfirming = await entered()

  const { untilPool, fromPool, beside } = namedFiles()
  const way = [...untilPool, ...fromPool]
  expect(way.length).toBeLessThanOrEqual(16)
  expect(new Set(way).size).toBe(way.length)
  expect(sending).toEqual(expect.arrayContaining(untilPool))
  expect(preconfirming).toEqual(expect.arrayContaining(fromPool))
  // No file of one leg runs on the other, but for the pool, which lies between them, and what else the model's file exports.
  const between = ['pool/pool.ts', 'model/transaction/signedTransaction.ts']
  expect(sending.filter((file) => fromPool.includes(file))).toEqual([])
  expect(preconfirming.filter((file) => untilPool.includes(file) && !between.includes(file))).toEqual([])
  const others = [...new Set([...sending, ...preconfirming])].filter(
    (file) => !way.includes(file) && !ASKED_ROOMS.test(file),
  )
  expect(others.sort()).toEqual([...beside].sort())
})

/** The files of the page's block on the life of a transaction: those of its two legs, and those beside the way. */
function namedFiles() {
  const block = PAGES.get('src/README.md')!.blocks.find(({ text }) =>
    text.includes('eth_sendRawTransaction request arrive'),
  )!
  const [untilPool, fromPool, beside] = block.text.split('\n\n')
  const first = (leg: string) => leg.split('\n').map((line) => line.split(' ')[0]!)
  return {
    untilPool: first(untilPool!),
    fromPool: first(fromPool!),
    beside: beside!.match(/[\w/]+\.ts/g)!,
  }
}
