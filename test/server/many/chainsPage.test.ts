/** The methods that the page is made of, on the chains of a port. */
import { expect, it, onTestFinished } from 'vitest'
import { serveChains } from '../../../src/index.ts'
import { asking } from '../../support/chains/servedChains.ts'
import { STRANGER, started } from '../../support/clients/clients.ts'
import { SocketClient } from '../../support/clients/socket.ts'
import { bankRun, openBank } from '../../support/compilers/bank.ts'

// biome-ignore lint/suspicious/noExplicitAny: the forms of answers are what the expectations state.
type Answered = any

it('a chain of a port answers them with what its base had and with what happened on it alone', async () => {
  const base = await started({ rhythm: 'manual', ticksPerBlock: 5 })
  base.artifacts.add(bankRun())
  const { token } = await openBank(base)
  const before = Number(await base.request({ method: 'eth_blockNumber' }))
  const server = await serveChains(base)
  onTestFinished(() => server.close())
  const { rpc } = asking(server)
  const on = <T = Answered>(chain: string, method: string, ...params: unknown[]) =>
    rpc<T>(chain, method, ...params)
  const alice = await SocketClient.connect(server.chain('alice').webSocketUrl)
  onTestFinished(() => alice.close())
  await alice.ask('eth_subscribe', 'presealEvents')

  const [from] = await on('alice', 'eth_accounts')
  const hash = await on('alice', 'eth_sendTransaction', { from, to: STRANGER, value: '0x5' })
  expect(await on('alice', 'preseal_searchTransactions', { state: 'waiting' })).toMatchObject({
    total: '0x1',
    transactions: [{ hash }],
  })
  expect(await on('alice', 'preseal_tick')).toMatchObject({ slice: '0x1', transactionCount: '0x1' })
  const sealed = await on('alice', 'preseal_seal')
  expect(Number(sealed.blockNumber)).toBe(before + 1)
  const events = (await alice.notification()).result as { kind: string; hash?: string }[]
  expect(events[0]).toMatchObject({ kind: 'accepted', hash })

  expect(await on('alice', 'preseal_setRhythm', { rhythm: 'instant' })).toMatchObject({ rhythm: 'instant' })
  expect(await on('bob', 'preseal_getRhythm')).toMatchObject({ rhythm: 'manual' })
  for (const [chain, blocks, changes] of [
    ['alice', before + 2, 1],
    ['bob', before + 1, 0],
  ] as const) {
    expect((await on(chain, 'preseal_listBlocks')).blocks).toHaveLength(blocks)
    expect((await on(chain, 'preseal_getAccountHistory', STRANGER)).changes).toHaveLength(changes)
    expect(await on(chain, 'preseal_getContract', token.address)).toMatchObject({ name: 'Token' })
    const [own] = await on(chain, 'preseal_getSources', token.address)
    expect((await on(chain, 'preseal_getSource', token.address, own.path)).text).toContain('contract Token')
    const { contracts } = await on(chain, 'preseal_listContracts')
    expect(contracts.map(({ name }: { name: string }) => name)).toContain('Token')
    const { entries, isPartial } = await on(chain, 'preseal_getStorage', token.address)
    expect(entries[0].variables).toMatchObject([{ name: 'total' }])
    expect(isPartial).toBe(false)
  }
  expect(await on('alice', 'preseal_getSlices', sealed.blockNumber)).toMatchObject([{ transactions: [hash] }])
  expect(await on('bob', 'preseal_explain', hash)).toMatchObject({ status: 'unknown' })
})
