/** What wallets of the browser tell of themselves, and what they throw. */
import { describe, expect, test } from 'vitest'
import { asAnswerError, useChain, type Wallet, walletOf } from '../../src/page/wallet/wallet.ts'

const provider = { request: async () => null }

test.each([
  undefined,
  null,
  'wallet',
  {},
  { info: { uuid: '1', name: 'Purse' } },
  { info: { uuid: 1, name: 'Purse' }, provider },
  { info: { uuid: '1' }, provider },
  { info: { uuid: '1', name: 'Purse' }, provider: { request: 1 } },
])('an announcement of %j is no wallet', (detail) => {
  expect(walletOf(detail)).toBeUndefined()
})

test('a wallet has the id and the name that it announces', () => {
  expect(walletOf({ info: { uuid: '1', name: 'Purse' }, provider })).toEqual({
    id: '1',
    name: 'Purse',
    provider,
  })
})

describe('what a wallet throws', () => {
  test('the data of a revert is found where wallets put it', () => {
    for (const data of [
      '0x1234',
      { data: '0x1234' },
      { originalError: { data: '0x1234' } },
      { cause: { data: { data: '0x1234' } } },
    ]) {
      expect(asAnswerError({ code: -32603, message: 'no', data })).toMatchObject({
        code: -32603,
        message: 'no',
        data: '0x1234',
      })
    }
  })

  test('what is no error becomes one', () => {
    expect(asAnswerError(undefined)).toMatchObject({
      code: 0,
      message: 'the wallet refused without a reason',
    })
    const deep: { data?: unknown } = {}
    deep.data = deep
    expect(asAnswerError(deep).data).toBeUndefined()
  })
})

describe('the chain of a wallet', () => {
  /** A wallet that is on the chain 1, and notes what it was asked. */
  function walletWith(errors: Readonly<Record<string, { code: number; message: string }>>, obeys = true) {
    const asked: string[] = []
    let chainId = '0x1'
    const wallet: Wallet = {
      id: '1',
      name: 'Purse',
      provider: {
        async request({ method, params }) {
          asked.push(method)
          const error = errors[method]
          if (error && asked.filter((one) => one === method).length === 1) throw error
          if (method === 'wallet_switchEthereumChain' && obeys)
            chainId = (params as [{ chainId: string }])[0].chainId
          return method === 'eth_chainId' ? chainId : null
        },
      },
    }
    return { wallet, asked }
  }

  test('is left as it is where it is right', async () => {
    const { wallet, asked } = walletWith({})
    await useChain(wallet, '0x1', 'http://127.0.0.1:8545/')
    expect(asked).toEqual(['eth_chainId'])
  })

  test('is added where the wallet does not know it (4902), and then used', async () => {
    const { wallet, asked } = walletWith({ wallet_switchEthereumChain: { code: 4902, message: 'unknown' } })
    await useChain(wallet, '0x7a69', 'http://127.0.0.1:8545/')
    expect(asked.slice(1, 4)).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
    ])
  })

  test('is refused by a user, and nothing is added', async () => {
    const { wallet, asked } = walletWith({ wallet_switchEthereumChain: { code: 4001, message: 'rejected' } })
    await expect(useChain(wallet, '0x7a69', '')).rejects.toMatchObject({ code: 4001 })
    expect(asked).not.toContain('wallet_addEthereumChain')
  })

  test('has to be that of the devnet before anything is sent', async () => {
    const { wallet } = walletWith({}, false)
    await expect(useChain(wallet, '0x7a69', '')).rejects.toThrow('Purse is on the chain 1: expected 31337')
  })
})
