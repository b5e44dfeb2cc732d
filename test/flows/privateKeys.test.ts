/** Development accounts with keys that the options name, in place of those of a mnemonic. */
import { describe, expect, it } from 'vitest'
import { createDevnet } from '../../src/index.ts'

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

describe('the option privateKeys', () => {
  it('makes accounts of the keys, for which the devnet signs', async () => {
    await using devnet = await createDevnet({ rhythm: 'instant', privateKeys: [KEY] })
    const [account] = devnet.accounts
    expect(devnet.accounts).toEqual([
      { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', privateKey: KEY },
    ])
    await devnet.send({ from: account!.address, to: account!.address, value: 1n })
  })

  it.each([`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`] as const)('refuses %s', async (key) => {
    await expect(createDevnet({ privateKeys: [key] })).rejects.toThrow(
      'option privateKeys: expected numbers above 0 and below the order of secp256k1',
    )
  })
})
