/** Chains of an L2 on one port: each has its L1 at `/c/<name>/l1`. */
import { http, parseEther, webSocket } from 'viem'
import { getL2TransactionHashes } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import type { DevnetOptions } from '../../../src/index.ts'
import { asking, names, refusal, rpcText, serving } from '../../support/chains/servedChains.ts'
import { bridgeClients, EPOCH } from '../../support/clients/bridge.ts'
import { STRANGER } from '../../support/clients/clients.ts'
import { SocketClient } from '../../support/clients/socket.ts'

const PAIR: DevnetOptions = { profile: 'op-flashblocks', chainId: 10, l1: { chainId: 1 } }

describe('the L1 of a chain', () => {
  it('takes deposits and pays withdrawals, for clients that know only the two URLs', async () => {
    const server = await serving({}, PAIR)
    const chain = server.create('alice')
    const { devnet: l2, l1 } = chain
    const { account, clientL1, clientL2 } = bridgeClients(
      l2,
      http(l1!.url),
      webSocket(chain.webSocketUrl, { reconnect: false }),
    )
    const targetChain = clientL2.chain

    const mint = parseEther('1')
    const deposit = await clientL2.buildDepositTransaction({ mint, to: STRANGER })
    const depositHash = await clientL1.depositTransaction(deposit)
    await l2.advance(EPOCH)
    const [hash] = getL2TransactionHashes(await clientL1.getTransactionReceipt({ hash: depositHash }))
    expect(await clientL2.getTransactionReceipt({ hash: hash! })).toMatchObject({ status: 'success' })

    const built = await clientL1.buildInitiateWithdrawal({ value: mint, to: STRANGER })
    const receiptHash = await clientL2.initiateWithdrawal({ ...built, account })
    await l2.advance(EPOCH)
    const receipt = await clientL2.getTransactionReceipt({ hash: receiptHash })
    const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain })
    await clientL1.proveWithdrawal(await clientL2.buildProveWithdrawal({ account, game, withdrawal }))
    await l2.advance({ days: 7, minutes: 1 })
    await clientL1.finalizeWithdrawal({ withdrawal, account, targetChain })
    await l2.advance(EPOCH)
    expect(await clientL1.getBalance({ address: STRANGER })).toBe(mint)
  })

  it('is made with the chain at the first request to either, and is listed', async () => {
    const server = await serving({}, PAIR)
    const { rpc, send } = asking(server)
    expect(await rpc('alice/l1', 'eth_chainId')).toBe('0x1')
    expect(await rpc('alice', 'eth_chainId')).toBe('0xa')
    const socket = await SocketClient.connect(server.chain('bob').l1!.webSocketUrl)
    socket.send(rpcText('eth_chainId'))
    expect(JSON.parse(await socket.next()).result).toBe('0x1')
    const [alice, bob] = JSON.parse((await send('GET', '/c')).body).chains
    expect(alice).toMatchObject({ path: '/c/alice', l1: '/c/alice/l1', requests: 2, connections: 0 })
    expect(bob).toMatchObject({ l1: '/c/bob/l1', requests: 1, connections: 1 })
    socket.terminate()
  })

  it('is reset and deleted with the chain', async () => {
    const server = await serving({}, PAIR)
    const { rpc, send } = asking(server)
    await rpc('alice/l1', 'anvil_mine')
    expect(await rpc('alice/l1', 'eth_blockNumber')).toBe('0x1')
    await send('POST', '/c/alice/reset')
    expect(await rpc('alice/l1', 'eth_blockNumber')).toBe('0x0')

    const socket = await SocketClient.connect(server.chain('alice').l1!.webSocketUrl)
    const closed = socket.closed
    await send('DELETE', '/c/alice')
    expect(await closed).toMatchObject({ code: 1001 })
    expect(names(server)).toEqual([])
  })

  it('can be neither created nor deleted alone', async () => {
    const server = await serving({}, PAIR)
    const { send } = asking(server)
    for (const method of ['PUT', 'DELETE']) {
      const { status, headers } = await send(method, '/c/alice/l1')
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' })
    }
    expect((await send('PUT', '/c/alice%2Fl1')).status).toBe(400)
    expect(names(server)).toEqual([])
  })

  it('is missed without making a chain, if the base has none', async () => {
    const server = await serving()
    const { send } = asking(server)
    const response = await send('POST', '/c/alice/l1', rpcText('eth_chainId'))
    expect(response.status).toBe(404)
    expect(refusal(response)).toBe(
      'invalid request: the chain alice has no L1; serve an L2 with the option l1 (--l1)',
    )
    expect(names(server)).toEqual([])
  })
})
