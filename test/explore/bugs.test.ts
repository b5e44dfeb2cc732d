/** Known bugs of contracts: each is found with default settings, and the mended version passes. */
import { encodeAbiParameters, keccak256 } from 'viem'
import { sign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import {
  call,
  type Explored,
  type ExploreOptions,
  explore,
  oneOf,
  RuleBroken,
  wait,
} from '../../src/testing/index.ts'
import { contractsOf } from './exploreContracts.ts'

const contract = contractsOf('bugs')

const deploy = (devnet: Devnet, name: string, ...args: unknown[]) => devnet.deploy(contract(name), { args })

const accountsOf = (devnet: Devnet) => devnet.accounts.map(({ address }) => address)

const ETHER = 10n ** 18n

type Make = (isMended: boolean) => () => Promise<Explored>

/** Returns a function that explores a contract, in its broken or its mended version. */
function bug<V extends object>(
  build: (devnet: Devnet, isMended: boolean) => Promise<V>,
  options: ExploreOptions<V & { readonly devnet: Devnet }>,
): Make {
  return (isMended) => () =>
    explore(
      {
        use: async () => {
          const devnet = await createDevnet({ rhythm: 'manual' })
          return { ...(await build(devnet, isMended)), devnet }
        },
      },
      // The broken version is found with the default time limit; nothing is found in the other, however long it takes.
      isMended ? { seconds: 1, ...options } : options,
    )
}

const BUGS: Record<string, { steps: number; rule: string; play: Make }> = {
  reentrancy: {
    steps: 3,
    rule: 'invariant solvent',
    play: bug(
      async (devnet, isMended) => {
        const bank = await deploy(devnet, 'Bank', isMended)
        return { bank, thief: await deploy(devnet, 'Thief', bank.address), alice: accountsOf(devnet)[0]! }
      },
      {
        actions: ({ bank, thief, alice }) => ({
          deposit: call(bank, 'deposit', { from: alice, value: ETHER }),
          withdraw: call(bank, 'withdraw', { from: alice }),
          prepare: call(thief, 'deposit', { from: alice, value: ETHER }),
          steal: call(thief, 'steal', { from: alice }),
        }),
        invariants: {
          solvent: (world, { bank, thief, alice }) =>
            world.balance(bank.address) >=
            (world.read(bank, 'deposits', alice) as bigint) +
              (world.read(bank, 'deposits', thief.address) as bigint),
        },
      },
    ),
  },
  'the first depositor inflates shares': {
    steps: 3,
    rule: 'invariant fair',
    play: bug(
      async (devnet, isMended) => {
        const [mallory, victim] = accountsOf(devnet) as [Address, Address]
        const coin = await deploy(devnet, 'Coin', [mallory, victim], 10_000n)
        const vault = await deploy(devnet, 'Vault', coin.address, isMended ? 1_000n : 0n)
        for (const from of [mallory, victim]) {
          await devnet.write({ ...coin, functionName: 'approve', args: [vault.address, 10_000n], from })
        }
        return { coin, vault, mallory, victim }
      },
      {
        actions: ({ coin, vault, mallory, victim }) => ({
          deposit: call(vault, 'deposit', { args: [oneOf(1n, 1_000n)], from: oneOf(mallory, victim) }),
          donate: call(coin, 'transfer', { args: [vault.address, 1_000n], from: mallory }),
          redeem: call(vault, 'redeem', { from: oneOf(mallory, victim) }),
        }),
        invariants: {
          fair(world, { coin, vault, victim }) {
            const has =
              (world.read(coin, 'balanceOf', victim) as bigint) +
              (world.read(vault, 'worth', victim) as bigint)
            if (has < 9_900n) throw new Error(`the victim has ${has} of 10000`)
          },
        },
        depth: 4,
        length: 0,
      },
    ),
  },
  'rounding loses a wei': {
    steps: 1,
    rule: 'invariant all is owed',
    play: bug(
      async (devnet, isMended) => {
        const [alice, bob] = accountsOf(devnet) as [Address, Address]
        return { splitter: await deploy(devnet, 'Splitter', isMended, alice, bob), alice, bob }
      },
      {
        actions: ({ splitter }) => ({
          pay: call(splitter, 'pay', { value: oneOf(2n, 3n) }),
          claim: call(splitter, 'claim'),
        }),
        invariants: {
          'all is owed': (world, { splitter, alice, bob }) =>
            world.balance(splitter.address) ===
            (world.read(splitter, 'owed', alice) as bigint) + (world.read(splitter, 'owed', bob) as bigint),
        },
        depth: 6,
      },
    ),
  },
  'an allowance is changed while it is spent': {
    steps: 3,
    rule: 'invariant not more than allowed',
    play: bug(
      async (devnet, isMended) => {
        const [owner, spender] = accountsOf(devnet) as [Address, Address]
        const coin = await deploy(devnet, 'Coin', [owner], 1_000n)
        await devnet.write({ ...coin, functionName: 'approve', args: [spender, 100n], from: owner })
        return { coin, owner, spender, isMended }
      },
      {
        actions: ({ coin, owner, spender, isMended }) => ({
          changeTo50: isMended
            ? call(coin, 'approveFrom', { args: [spender, 100n, 50n], from: owner })
            : call(coin, 'approve', { args: [spender, 50n], from: owner }),
          spend: call(coin, 'transferFrom', {
            args: (world) => [owner, spender, world.read(coin, 'allowance', owner, spender)],
            from: spender,
          }),
        }),
        invariants: {
          'not more than allowed': (world, { coin, spender }) =>
            (world.read(coin, 'balanceOf', spender) as bigint) <= 100n,
        },
        depth: 4,
        length: 0,
      },
    ),
  },
  'a signature is used twice': {
    steps: 2,
    rule: 'invariant paid once',
    play: bug(
      async (devnet, isMended) => {
        const [{ address: owner, privateKey }, { address: payee }] = devnet.accounts as never as [
          { address: Address; privateKey: Hex },
          { address: Address },
        ]
        const cheques = await deploy(devnet, 'Cheques', isMended, owner)
        return { cheques, payee, signature: await signCheque(privateKey, payee, 100n) }
      },
      {
        actions: ({ cheques, payee, signature: { v, r, s } }) => ({
          cash: call(cheques, 'cash', { args: [payee, 100n, v, r, s] }),
        }),
        invariants: {
          'paid once': (world, { cheques, payee }) => (world.read(cheques, 'paid', payee) as bigint) <= 100n,
        },
      },
    ),
  },
  'an auction is won in the last second': {
    steps: 2,
    rule: 'invariant a bid can be answered',
    play: bug(async (devnet, isMended) => ({ auction: await deploy(devnet, 'Auction', isMended, 3_600n) }), {
      actions: ({ auction }) => ({
        bid: call(auction, 'bid', { args: [oneOf(1n, 2n, 3n)] }),
        later: wait({ seconds: 3_570 }),
        soon: wait({ seconds: 12 }),
      }),
      invariants: {
        'a bid can be answered': (world, { auction }) => (world.read(auction, 'answerTime') as bigint) >= 60n,
      },
      depth: 4,
      length: 0,
    }),
  },
  'a price is read in the wrong order': {
    steps: 2,
    rule: 'invariant no more than the collateral is lent',
    play: bug(
      async (devnet, isMended) => {
        const [mallory] = accountsOf(devnet) as [Address]
        return { lender: await deploy(devnet, 'Lender', isMended, mallory), mallory }
      },
      {
        actions: ({ lender, mallory }) => ({
          borrow: call(lender, 'borrow', { from: mallory }),
          buy: call(lender, 'buy', { args: [oneOf(0n, 1_000n)] }),
        }),
        invariants: {
          'no more than the collateral is lent': (world, { lender, mallory }) =>
            (world.read(lender, 'debt', mallory) as bigint) <=
            (world.read(lender, 'limit', mallory) as bigint),
        },
        depth: 5,
        length: 0,
      },
    ),
  },
  'a cancelled number blocks all later ones': {
    steps: 1,
    rule: 'invariant progress',
    play: bug(async (devnet, isMended) => ({ relay: await deploy(devnet, 'Relay', isMended) }), {
      actions: ({ relay }) => ({
        execute: call(relay, 'execute', { args: [oneOf(0n, 1n, 2n)] }),
        cancel: call(relay, 'cancel', { args: [oneOf(0n, 1n, 2n)] }),
      }),
      invariants: { progress: (world, { relay }) => !world.read(relay, 'isBlocked') },
    }),
  },
}

describe('explore finds', () => {
  for (const [name, { steps, rule, play }] of Object.entries(BUGS)) {
    it(`${name}, in ${steps} actions, and nothing in the mended version`, async () => {
      const broken = await play(false)().catch((error) => error)
      expect(broken).toBeInstanceOf(RuleBroken)
      expect({ rule: broken.rule, steps: broken.story.length }).toEqual({ rule, steps })
      await play(true)()
    })
  }
})

/** Signs a cheque, whose digest is that of `Cheques.cash`. */
async function signCheque(privateKey: Hex, payee: Address, amount: bigint) {
  const types = [{ type: 'address' }, { type: 'uint256' }] as const
  const { v, r, s } = await sign({ hash: keccak256(encodeAbiParameters(types, [payee, amount])), privateKey })
  return { v: Number(v), r, s }
}
