import {
  Account,
  Address as AddressObject,
  hexToBytes,
  KECCAK256_NULL,
  KECCAK256_RLP,
} from '@ethereumjs/util'
import { getContractAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, fromHex, toHex, toWord } from '../../../src/bytes/hex.ts'
import { createDevnet } from '../../../src/devnet/createDevnet.ts'
import { Adapter } from '../../../src/engine/ethereumjs/adapter.ts'
import { Draft } from '../../../src/engine/ethereumjs/draft.ts'
import { PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import { intrinsicGas } from '../../../src/model/transaction/intrinsicGas.ts'
import { EMPTY_ROOT } from '../../../src/state/roots.ts'
import { State } from '../../../src/state/state.ts'
import type { GenesisAccount } from '../../support/chains/referenceChain.ts'
import { type Signer, sign, signerOf } from '../../support/chains/signing.ts'
import { Twins } from '../../support/chains/twins.ts'
import { ask } from '../../support/clients/clients.ts'
import { assemble, creationOf, type Item, inMemory, unless } from '../../support/compilers/assembly.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)
const CONTRACT: Address = `0x${'c1'.repeat(20)}`
const DEPLOYER = PREDEPLOYS[1]!
const RICH: GenesisAccount = { address: ALICE.address, balance: 10n ** 18n }

/** Twins with Alice, a funded account, and `accounts`. */
function twins(hardfork: Hardfork, ...accounts: GenesisAccount[]): Promise<Twins> {
  return Twins.create(hardfork, [RICH, ...accounts])
}

function contract(code: Uint8Array, more: Partial<GenesisAccount> = {}): GenesisAccount {
  return { address: CONTRACT, nonce: 1n, code: toHex(code), ...more }
}

describe('gas of SSTORE', () => {
  // The table of test cases of EIP-2200: code, gas used, refund, value before.
  const EIP_2200: [string, bigint, bigint, bigint][] = [
    ['60006000556000600055', 1612n, 0n, 0n],
    ['60006000556001600055', 20812n, 0n, 0n],
    ['60016000556000600055', 20812n, 19200n, 0n],
    ['60016000556002600055', 20812n, 0n, 0n],
    ['60016000556001600055', 20812n, 0n, 0n],
    ['60006000556000600055', 5812n, 15000n, 1n],
    ['60006000556001600055', 5812n, 4200n, 1n],
    ['60006000556002600055', 5812n, 0n, 1n],
    ['60026000556000600055', 5812n, 15000n, 1n],
    ['60026000556003600055', 5812n, 0n, 1n],
    ['60026000556001600055', 5812n, 4200n, 1n],
    ['60026000556002600055', 5812n, 0n, 1n],
    ['60016000556000600055', 5812n, 15000n, 1n],
    ['60016000556002600055', 5812n, 0n, 1n],
    ['60016000556001600055', 1612n, 0n, 1n],
    ['600160005560006000556001600055', 40818n, 19200n, 0n],
    ['600060005560016000556000600055', 10818n, 19200n, 1n],
  ]
  // The table of EIP-3529, for a slot that is warm.
  const EIP_3529: [string, bigint, bigint, bigint][] = [
    ['60006000556000600055', 212n, 0n, 0n],
    ['60006000556001600055', 20112n, 0n, 0n],
    ['60016000556000600055', 20112n, 19900n, 0n],
    ['60016000556002600055', 20112n, 0n, 0n],
    ['60016000556001600055', 20112n, 0n, 0n],
    ['60006000556000600055', 3012n, 4800n, 1n],
    ['60006000556001600055', 3012n, 2800n, 1n],
    ['60006000556002600055', 3012n, 0n, 1n],
    ['60026000556000600055', 3012n, 4800n, 1n],
    ['60026000556003600055', 3012n, 0n, 1n],
    ['60026000556001600055', 3012n, 2800n, 1n],
    ['60026000556002600055', 3012n, 0n, 1n],
    ['60016000556000600055', 3012n, 4800n, 1n],
    ['60016000556002600055', 3012n, 0n, 1n],
    ['60016000556001600055', 212n, 0n, 1n],
    ['600160005560006000556001600055', 40118n, 19900n, 0n],
    ['600060005560016000556000600055', 5918n, 7600n, 1n],
  ]

  async function check(
    hardfork: Hardfork,
    maxRefundQuotient: bigint,
    [code, gas, refund, before]: [string, bigint, bigint, bigint],
  ) {
    const storage = before === 0n ? [] : [[0n, before] as const]
    const worlds = await twins(hardfork, contract(fromHex(`0x${code}`), { storage }))
    const accessList = worlds.rules.has(2930) ? [{ address: CONTRACT, storageKeys: [toHex(toWord(0n))] }] : []
    const outcome = await worlds.run(ALICE, { to: CONTRACT, accessList })
    const intrinsic = intrinsicGas(worlds.rules, {
      to: CONTRACT,
      data: new Uint8Array(),
      accessList,
      authorizationList: [],
    })
    expect(outcome.gasBeforeRefund - intrinsic).toBe(gas)
    const most = outcome.gasBeforeRefund / maxRefundQuotient
    expect(outcome.gasBeforeRefund - outcome.gasUsed).toBe(refund < most ? refund : most)
  }

  it.each(EIP_2200)('of %s is %i with a refund of %i, the slot being %i (EIP-2200)', (...row) =>
    check('istanbul', 2n, row),
  )

  it.each(EIP_3529)('of %s is %i with a refund of %i, the slot being %i (EIP-3529)', (...row) =>
    check('osaka', 5n, row),
  )

  it.each<Hardfork>(['byzantium', 'constantinople', 'istanbul', 'berlin', 'osaka'])(
    'and its refund are those of the Merkle state manager for any writes, reverted calls between them, under %s',
    (hardfork) =>
      withRandom(async (random) => {
        // The inner contract writes to the outer one's slots (DELEGATECALL), then reverts or not.
        const inner: Address = `0x${'c2'.repeat(20)}`
        for (let i = 0; i < 12; i++) {
          const worlds = await twins(
            hardfork,
            contract(
              assemble(...writes(random), ...delegateCall(inner), ...writes(random), ...delegateCall(inner)),
              {
                storage: [
                  [0n, 1n],
                  [1n, 2n],
                ],
              },
            ),
            {
              address: inner,
              nonce: 1n,
              code: toHex(
                assemble(...writes(random), ...(random.chance(0.5) ? ([0, 0, 'REVERT'] as const) : [])),
              ),
            },
          )
          for (let j = 0; j < 3; j++) await worlds.run(ALICE, { to: CONTRACT })
        }
      })(),
  )

  function writes(random: Random): Item[] {
    return random
      .list(random.between(1, 4), () => [random.below(3), random.below(3), 'SSTORE'] as const)
      .flat()
  }

  function delegateCall(address: Address): Item[] {
    return [0, 0, 0, 0, address, 'GAS', 'DELEGATECALL', 'POP']
  }
})

describe('storage', () => {
  it('that was cleared slot by slot leaves the root of an account that never had any', async () => {
    const clearer = contract(assemble(0, 1, 'SSTORE', 0, 2, 'SSTORE'), {
      storage: [
        [1n, 5n],
        [2n, 6n],
      ],
    })
    const worlds = await twins('osaka', clearer)
    await worlds.run(ALICE, { to: CONTRACT })
    expect(toHex(worlds.state.storageRoot(worlds.state.record(CONTRACT)!))).toBe(EMPTY_ROOT)
  })

  it('has its original value for gas in each transaction anew', async () => {
    // 1 → 2 costs a reset (EIP-2929: 5000 − 2100) while 1 is the original, and the next time 2 → 2 only the cold access.
    const worlds = await twins('osaka', contract(assemble(2, 0, 'SSTORE'), { storage: [[0n, 1n]] }))
    expect((await worlds.run(ALICE, { to: CONTRACT })).gasUsed).toBe(21_000n + 6n + 5_000n)
    expect((await worlds.run(ALICE, { to: CONTRACT })).gasUsed).toBe(21_000n + 6n + 2_200n)
  })

  it('of a self-destructed contract is gone before Cancun, and stays after (EIP-6780)', async () => {
    const accounts = contract(assemble('CALLER', 'SELFDESTRUCT'), { storage: [[3n, 4n]], balance: 9n })
    const before = await twins('shanghai', accounts)
    await before.run(ALICE, { to: CONTRACT })
    expect(before.state.record(CONTRACT)).toBeUndefined()
    const after = await twins('cancun', accounts)
    await after.run(ALICE, { to: CONTRACT })
    expect(after.state.storage(CONTRACT, 3n)).toBe(4n)
    expect(after.state.account(CONTRACT)?.balance).toBe(0n)
  })
})

describe('checkpoints six deep', () => {
  it('keep exactly what no level above them reverted, whichever levels revert', async () => {
    const LEVELS = 6
    // Notes its level n in slot n, calls itself with n − 1, notes it in slot 100 + n, and reverts if bit n of the mask is set.
    const level: Item[] = [0, 'CALLDATALOAD']
    const mask: Item[] = [32, 'CALLDATALOAD']
    const below = assemble(
      ...([1, ...level, 'SUB', 0, 'MSTORE', ...mask, 32, 'MSTORE'] as const),
      ...([0, 0, 64, 0, 0, 'ADDRESS', 'GAS', 'CALL', 'POP'] as const),
    )
    const code = assemble(
      ...([1, ...level, 'SSTORE'] as const),
      ...([...level, 'ISZERO', unless(below)] as const),
      ...([1, ...level, 100, 'ADD', 'SSTORE'] as const),
      ...([1, ...mask, ...level, 'SHR', 'AND', 'ISZERO', unless(0, 0, 'REVERT')] as const),
    )
    for (let reverting = 0; reverting < 2 ** LEVELS; reverting++) {
      const worlds = await twins('osaka', contract(code))
      const data = Uint8Array.of(...toWord(BigInt(LEVELS - 1)), ...toWord(BigInt(reverting)))
      await worlds.run(ALICE, { to: CONTRACT, data })
      const kept = Array.from({ length: LEVELS }, (_, n) => (reverting >> n === 0 ? 1n : 0n))
      const found = (first: number) => kept.map((_, n) => worlds.state.storage(CONTRACT, BigInt(first + n)))
      expect({ reverting, before: found(0), after: found(100) }).toEqual({
        reverting,
        before: kept,
        after: kept,
      })
    }
  })
})

describe('CREATE2 after SELFDESTRUCT', () => {
  // Destroys itself when called without data; otherwise writes to slot 9.
  const child = assemble('CALLDATASIZE', unless('CALLER', 'SELFDESTRUCT'), 1, 9, 'SSTORE')
  const childCreation = creationOf(child, assemble('NUMBER', 1, 'SSTORE'))
  const childOf = (from: Address): Address =>
    getContractAddress({
      opcode: 'CREATE2',
      from,
      salt: toHex(toWord(0n)),
      bytecode: toHex(childCreation),
    }).toLowerCase() as Address

  const deployer: GenesisAccount = { address: DEPLOYER.address, nonce: 1n, code: DEPLOYER.code }
  const deploy = { to: DEPLOYER.address, data: Uint8Array.of(...toWord(0n), ...childCreation) }

  it('in a later transaction makes the contract anew, without its old storage, before Cancun', async () => {
    const worlds = await twins('shanghai', deployer)
    const address = childOf(DEPLOYER.address)
    expect(await worlds.run(ALICE, deploy)).toMatchObject({ kind: 'success' })
    await worlds.run(ALICE, { to: address, data: Uint8Array.of(1) })
    expect(worlds.state.storage(address, 9n)).toBe(1n)
    await worlds.run(ALICE, { to: address })
    expect(worlds.state.record(address)).toBeUndefined()
    expect(await worlds.run(ALICE, deploy)).toMatchObject({ kind: 'success' })
    expect([worlds.state.storage(address, 1n), worlds.state.storage(address, 9n)]).toEqual([5n, 0n])
  })

  it('in a later transaction collides since Cancun, where the contract is still there (EIP-6780)', async () => {
    const worlds = await twins('cancun', deployer)
    const address = childOf(DEPLOYER.address)
    await worlds.run(ALICE, deploy)
    await worlds.run(ALICE, { to: address, data: Uint8Array.of(1) })
    await worlds.run(ALICE, { to: address })
    expect(await worlds.run(ALICE, deploy)).toMatchObject({ kind: 'revert' })
    expect([worlds.state.storage(address, 1n), worlds.state.storage(address, 9n)]).toEqual([5n, 1n])
  })

  describe.each<Hardfork>(['shanghai', 'cancun', 'osaka'])(
    'in the same transaction, under %s,',
    (hardfork) => {
      // Creates the child, and if there is calldata destroys it and creates it again; notes both addresses.
      const create: Item[] = [0, childCreation.length, 0, 0, 'CREATE2']
      const again = [
        ...([0, 0, 0, 0, 0, 0, 'SLOAD', 'GAS', 'CALL', 'POP'] as const),
        ...create,
        1,
        'SSTORE',
      ] as const
      const factory = assemble(
        inMemory(childCreation),
        ...create,
        ...([0, 'SSTORE', 'CALLDATASIZE', 'ISZERO'] as const),
        unless(...again),
      )
      const address = childOf(CONTRACT)

      it('collides with the contract, which is there until the transaction ends', async () => {
        const worlds = await twins(hardfork, contract(factory, { storage: [[1n, 7n]] }))
        await worlds.run(ALICE, { to: CONTRACT, data: Uint8Array.of(1) })
        expect(worlds.state.storage(CONTRACT, 0n)).toBe(BigInt(address))
        expect(worlds.state.storage(CONTRACT, 1n)).toBe(0n)
        expect(worlds.state.record(address)).toBeUndefined()
      })

      it('leaves a place where the next transaction can make it again', async () => {
        const worlds = await twins(hardfork, contract(factory))
        await worlds.run(ALICE, { to: CONTRACT, data: Uint8Array.of(1) })
        await worlds.run(ALICE, { to: CONTRACT })
        expect(toHex(worlds.state.code(address))).toBe(toHex(child))
        expect(worlds.state.storage(address, 1n)).toBe(5n)
      })
    },
  )
})

describe('an empty account (EIP-161)', () => {
  const EMPTY: Address = `0x${'e0'.repeat(20)}`

  it('is removed by the first transaction that touches it', async () => {
    const worlds = await twins('osaka', { address: EMPTY })
    expect(worlds.state.record(EMPTY)).toBeDefined()
    await worlds.run(ALICE, { to: EMPTY })
    expect(worlds.state.record(EMPTY)).toBeUndefined()
  })

  it('is removed when only a contract touches it, and stays when that reverts', async () => {
    const touch: Item[] = [0, 0, 0, 0, 0, EMPTY, 'GAS', 'CALL', 'POP', 'CALLDATASIZE', 'ISZERO']
    const worlds = await twins(
      'osaka',
      { address: EMPTY },
      contract(assemble(...touch, unless(0, 0, 'REVERT'))),
    )
    await worlds.run(ALICE, { to: CONTRACT, data: Uint8Array.of(1) })
    expect(worlds.state.record(EMPTY)).toBeDefined()
    await worlds.run(ALICE, { to: CONTRACT })
    expect(worlds.state.record(EMPTY)).toBeUndefined()
  })

  it('does not come to be by a transfer of nothing, nor by earning nothing as the coinbase', async () => {
    const worlds = await twins('osaka')
    await worlds.run(ALICE, { to: EMPTY })
    expect([...worlds.state.records()].map(({ address }) => address)).toEqual([ALICE.address])
  })
})

describe('an address with storage but no code and no nonce (EIP-7610)', () => {
  it('is not where a transaction can create a contract', async () => {
    const address = getContractAddress({ from: ALICE.address, nonce: 0n }).toLowerCase() as Address
    const worlds = await twins('osaka', { address, balance: 1n, storage: [[1n, 1n]] })
    const outcome = await worlds.run(ALICE, {
      to: undefined,
      data: creationOf(assemble('STOP')),
      gasLimit: 100_000n,
    })
    expect(outcome).toMatchObject({ kind: 'halt', reason: 'createCollision', gasUsed: 100_000n })
    expect(worlds.state.storage(address, 1n)).toBe(1n)
    expect(worlds.state.code(address)).toHaveLength(0)
  })

  it('is not where CREATE2 can, and where its storage is gone, it can', async () => {
    const creation = creationOf(assemble('STOP'))
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: CONTRACT,
      salt: toHex(toWord(0n)),
      bytecode: toHex(creation),
    }).toLowerCase() as Address
    const factory = assemble(inMemory(creation), 0, creation.length, 0, 0, 'CREATE2', 0, 'SSTORE')
    const taken = await twins('osaka', contract(factory), { address, balance: 1n, storage: [[1n, 1n]] })
    await taken.run(ALICE, { to: CONTRACT })
    expect(taken.state.storage(CONTRACT, 0n)).toBe(0n)
    const free = await twins('osaka', contract(factory), { address, balance: 1n })
    await free.run(ALICE, { to: CONTRACT })
    expect(free.state.storage(CONTRACT, 0n)).toBe(BigInt(address))
  })
})

describe('forks of a devnet', () => {
  it('do not see each other’s transactions, and their parent sees none of them', async () => {
    await using parent = await createDevnet({ rhythm: 'manual' })
    const [alice, bob] = parent.accounts as [Signer, Signer]
    const writer = (value: number) =>
      creationOf(assemble(value + 10, 1, 'SSTORE'), assemble(value, 0, 'SSTORE'))
    const at = getContractAddress({ from: alice.address, nonce: 0n })
    const before = await ask(parent, 'eth_getBlockByNumber', 'latest', true)
    await using first = parent.fork()
    await using second = parent.fork()
    for (const [fork, value] of [
      [first, 1],
      [second, 2],
    ] as const) {
      await ask(
        fork,
        'eth_sendRawTransaction',
        toHex(sign(alice, { to: undefined, data: writer(value), gasLimit: 300_000n }).raw),
      )
      await fork.mine()
      await ask(fork, 'eth_sendRawTransaction', toHex(sign(bob, { to: at, gasLimit: 100_000n }).raw))
      await fork.mine()
    }
    const slots = (devnet: typeof parent) =>
      Promise.all(['0x0', '0x1'].map((slot) => ask(devnet, 'eth_getStorageAt', at, slot, 'latest')))
    expect(await slots(first)).toEqual([1n, 11n].map((value) => toHex(toWord(value))))
    expect(await slots(second)).toEqual([2n, 12n].map((value) => toHex(toWord(value))))
    expect(await slots(parent)).toEqual([0n, 0n].map((value) => toHex(toWord(value))))
    expect(await ask(parent, 'eth_getBlockByNumber', 'latest', true)).toEqual(before)
    expect(await ask(parent, 'eth_getTransactionCount', alice.address, 'pending')).toBe('0x0')
  })
})

describe('the adapter', () => {
  const at = new AddressObject(hexToBytes(CONTRACT))

  /** An adapter on a draft over a world with one contract. */
  function attached(): Adapter {
    const adapter = new Adapter()
    const code = Uint8Array.of(1, 2, 3)
    adapter.attach(
      new Draft(State.empty.with([{ address: CONTRACT, nonce: 1n, code, storage: [[0n, 256n]] }])),
    )
    return adapter
  }

  it('answers values without leading zeros, and no bytes for zero', async () => {
    const adapter = attached()
    expect(await adapter.getStorage(at, toWord(0n))).toEqual(Uint8Array.of(1, 0))
    expect(await adapter.getStorage(at, toWord(1n))).toEqual(new Uint8Array())
  })

  it('says by the storage root only whether an account has storage', async () => {
    const adapter = attached()
    expect((await adapter.getAccount(at))?.storageRoot).not.toEqual(KECCAK256_RLP)
    await adapter.clearStorage(at)
    expect((await adapter.getAccount(at))?.storageRoot).toEqual(KECCAK256_RLP)
  })

  it('takes nonce and balance of an account that is put, and keeps code and storage', async () => {
    const adapter = attached()
    await adapter.putAccount(at, new Account(5n, 6n))
    expect(await adapter.getAccount(at)).toMatchObject({ nonce: 5n, balance: 6n })
    await adapter.modifyAccountFields(at, { balance: 7n })
    expect(await adapter.getAccount(at)).toMatchObject({ nonce: 5n, balance: 7n })
    expect(await adapter.getCodeSize(at)).toBe(3)
    expect(await adapter.getStorage(at, toWord(0n))).toEqual(Uint8Array.of(1, 0))
  })

  it('deletes an account that is put as undefined', async () => {
    const adapter = attached()
    await adapter.putAccount(at, undefined)
    expect(await adapter.getAccount(at)).toBeUndefined()
    expect(await adapter.getCode(at)).toHaveLength(0)
  })

  it('hides the code of the sender once, and its nonce and balance never', async () => {
    const adapter = attached()
    adapter.hideCodeOnce(CONTRACT)
    expect(await adapter.getAccount(at)).toMatchObject({ nonce: 1n, codeHash: KECCAK256_NULL })
    expect((await adapter.getAccount(at))?.codeHash).not.toEqual(KECCAK256_NULL)
  })

  it('refuses to work without a draft', async () => {
    const adapter = attached()
    adapter.attach(undefined)
    await expect(adapter.getAccount(at)).rejects.toThrow('not attached')
  })
})
