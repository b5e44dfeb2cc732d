import { createDevnet, Reverted } from 'preseal'
import { expect, test } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'

test('a token is deployed, minted and moved without any client', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const [owner, trader] = devnet.accounts.map(({ address }) => address)
  const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  const token = { abi: Token.abi, address } as const

  const { logs } = await devnet.write({ ...token, functionName: 'mint', args: [owner!, 5n] })
  expect(logs).toMatchObject([{ eventName: 'Transfer', args: { to: owner, value: 5n } }])

  const transfer = { ...token, functionName: 'transfer', args: [trader!, 3n] } as const
  await devnet.write({ ...transfer, until: 'preconfirmed' }) // in a slice, in no block yet
  const balance = { ...token, functionName: 'balanceOf', args: [trader!] } as const
  expect(await devnet.read(balance)).toBe(3n)
  expect(await devnet.read({ ...balance, at: 'latest' })).toBe(0n)

  const error = await devnet.write(transfer).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Reverted)
  expect(error).toMatchObject({ reason: { name: 'InsufficientBalance', args: [owner, 2n, 3n] } })
})

test('anybody sends, and has what the test needs', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const { address: token } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  const whale = '0x0000000000000000000000000000000000005555'
  await devnet.deal(whale, { wei: 10n ** 18n })
  await devnet.deal(whale, { token, amount: 1_000n })

  await using sender = await devnet.impersonate(whale)
  await devnet.write({
    abi: Token.abi,
    address: token,
    functionName: 'transfer',
    args: [devnet.accounts[1]!.address, 400n],
    from: sender.address,
  })
  const balance = { abi: Token.abi, address: token, functionName: 'balanceOf', args: [whale] } as const
  expect(await devnet.read(balance)).toBe(600n)
})
