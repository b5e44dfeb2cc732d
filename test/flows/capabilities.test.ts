/** eth_capabilities: what of the chain can be asked for. */
import { describe, expect, it } from 'vitest'
import { ask, started } from '../support/clients/clients.ts'

const RESOURCES = ['state', 'tx', 'logs', 'receipts', 'blocks', 'stateproofs']

function each(resource: object): object {
  return Object.fromEntries(RESOURCES.map((name) => [name, resource]))
}

describe('eth_capabilities', () => {
  it('names the head, and that everything is kept', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    const { hash } = await ask<{ hash: string }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await ask(devnet, 'eth_capabilities')).toEqual({
      head: { number: '0x1', hash },
      ...each({ disabled: false, oldestBlock: '0x0' }),
    })
  })

  it('names the window of a chain that lets go of old blocks', async () => {
    const devnet = await started({ rhythm: 'manual', history: { blocks: 3 } })
    const deleteStrategy = { type: 'window', retentionBlocks: '0x3' }
    for (let block = 0; block < 2; block++) await devnet.mine()
    expect(await ask(devnet, 'eth_capabilities')).toMatchObject(
      each({ disabled: false, oldestBlock: '0x0', deleteStrategy }),
    )
    for (let block = 0; block < 5; block++) await devnet.mine()
    expect(await ask(devnet, 'eth_capabilities')).toMatchObject(
      each({ disabled: false, oldestBlock: '0x5', deleteStrategy }),
    )
    await expect(ask(devnet, 'eth_getBlockByNumber', '0x4', false)).rejects.toMatchObject({ code: 4444 })
    expect(await ask(devnet, 'eth_getBlockByNumber', '0x5', false)).toMatchObject({ number: '0x5' })
  })

  it('tells from where on states are known, where a file had those of the newest block alone', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (let block = 0; block < 4; block++) await devnet.mine()
    const bytes = await ask(devnet, 'anvil_dumpState', false)
    const other = await started({ rhythm: 'manual' })
    await ask(other, 'anvil_loadState', bytes)
    await other.mine()
    const { state, blocks } = await ask<Record<string, { oldestBlock: string }>>(other, 'eth_capabilities')
    expect(blocks).toEqual({ disabled: false, oldestBlock: '0x0' })
    const first = state!.oldestBlock
    await expect(ask(other, 'eth_getBalance', `0x${'00'.repeat(20)}`, first)).resolves.toBe('0x0')
    if (first !== '0x0') {
      const before = `0x${(Number(first) - 1).toString(16)}`
      await expect(ask(other, 'eth_getBalance', `0x${'00'.repeat(20)}`, before)).rejects.toMatchObject({
        code: 4444,
      })
    }
  })
})

describe('block access lists', () => {
  it('are not there before Amsterdam, which is told apart from blocks that are not there', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (const method of ['eth_getBlockAccessList', 'debug_getRawBlockAccessList']) {
      await expect(ask(devnet, method, 'latest')).rejects.toMatchObject({
        code: -32001,
        message: 'block 0x0 has no access list: blocks have one since Amsterdam (EIP-7928)',
      })
    }
    expect(await ask(devnet, 'eth_getBlockAccessList', '0x9')).toBeNull()
    await expect(ask(devnet, 'debug_getRawBlockAccessList', '0x9')).rejects.toMatchObject({ code: -32001 })
    expect(await ask(devnet, 'debug_getBadBlocks')).toEqual([])
  })
})
