/** Authorizations and delegations (EIP-7702): validity, gas, and the code that runs. */
import { recoverAuthorizationAddress } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Address, fromHex, toHex } from '../../src/bytes/hex.ts'
import { keccak256 } from '../../src/crypto/keccak.ts'
import { HALF_ORDER, loadSecp256k1 } from '../../src/crypto/secp256k1.ts'
import { delegationTo } from '../../src/model/account/account.ts'
import type { Authorization } from '../../src/model/transaction/transaction.ts'
import type { AccountChange } from '../../src/state/state.ts'
import { authorize, type Signer, signerOf } from '../support/chains/signing.ts'
import { assemble, type Item } from '../support/compilers/assembly.ts'
import { type Agreed, agreed, CONTRACT, type Given, SENDER, wordOf } from '../support/engines/agreement.ts'
import { address, CONTEXT } from '../support/engines/scenes.ts'

beforeAll(async () => {
  await loadSecp256k1()
})

const AUTHORITY = signerOf(`0x${'a7'.repeat(32)}`)
const DELEGATE = address(0xde1e)
const THIRD = address(0xde1f)
const MAX_NONCE = 2n ** 64n - 1n
/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const authorization = (
  fields: { address?: Address; nonce?: bigint; chainId?: bigint } = {},
  signer: Signer = AUTHORITY,
) => authorize(signer, { address: DELEGATE, nonce: 0n, ...fields })

/** Runs a message with these authorizations. */
const runWith = (authorizationList: readonly Authorization[], given: Given = {}): Promise<Agreed> =>
  agreed({ ...given, message: { ...given.message, authorizationList } })

/** An authority after a run: its nonce and its delegate. */
function authorityOf(
  { state }: Agreed,
  at: Address = AUTHORITY.address,
): [nonce: bigint, code: string] | undefined {
  const account = state.account(at)
  return account && [account.nonce, toHex(state.code(at))]
}
/** EthereumJS looks at the first three bytes alone; geth's ParseDelegation (core/types) wants 23. */
const lengthMatters = (code: Uint8Array | undefined): Pick<Given, 'ethereumjsErs'> => {
  const isPrefixed = code !== undefined && toHex(code).startsWith('0xef0100')
  return isPrefixed && code.length !== 23
    ? { ethereumjsErs: 'the length of a designation is not checked' }
    : {}
}
const delegated = (to: Address = DELEGATE) => toHex(delegationTo(to))

describe('an authorization', () => {
  it.each([
    ['of chain 0', { chainId: 0n }, 0n, true],
    ['of this chain', { chainId: 31_337n }, 0n, true],
    ['of another chain', { chainId: 1n }, 0n, false],
    ['of the next nonce', { nonce: 5n }, 5n, true],
    ['of a nonce that is used', { nonce: 4n }, 5n, false],
    ['of a nonce to come', { nonce: 6n }, 5n, false],
    ['of the last nonce but one', { nonce: MAX_NONCE - 1n }, MAX_NONCE - 1n, true],
    ['of the last nonce, which cannot be increased', { nonce: MAX_NONCE }, MAX_NONCE, false],
  ] as const)('%s: %o at the nonce %s counts: %s', async (_, fields, nonce, counts) => {
    const accounts = nonce === 0n ? [] : [{ address: AUTHORITY.address, nonce, balance: 1n }]
    const result = await runWith([await authorization(fields)], { accounts })
    const unchanged = nonce === 0n ? undefined : [nonce, '0x']
    expect(authorityOf(result)).toEqual(counts ? [nonce + 1n, delegated()] : unchanged)
  })

  it('with s in the upper half of the order does not count, whoever is recovered (EIP-2)', async () => {
    const signed = await authorization()
    const high: Authorization = { ...signed, s: ORDER - signed.s, yParity: signed.yParity === 0 ? 1 : 0 }
    expect(authorityOf(await runWith([high]))).toBeUndefined()
  })

  it.each([
    [HALF_ORDER, true],
    [HALF_ORDER + 1n, false],
  ])('with s = %s counts: %s', async (s, counts) => {
    const signed: Authorization = { ...(await authorization()), s }
    const recovered = (await recoverAuthorizationAddress({
      authorization: {
        address: signed.address,
        chainId: Number(signed.chainId),
        nonce: Number(signed.nonce),
        r: toHex(Uint8Array.from(Buffer.from(signed.r.toString(16).padStart(64, '0'), 'hex'))),
        s: toHex(Uint8Array.from(Buffer.from(s.toString(16).padStart(64, '0'), 'hex'))),
        yParity: signed.yParity,
      },
    })) as Address
    const at = recovered.toLowerCase() as Address
    expect(authorityOf(await runWith([signed]), at)).toEqual(counts ? [1n, delegated()] : undefined)
  })

  it.each([
    ['r = 0', { r: 0n }],
    ['s = 0', { s: 0n }],
    ['r = the order', { r: ORDER }],
  ])('with %s does not count', async (_, fields) => {
    const result = await runWith([{ ...(await authorization()), ...fields }])
    expect(result.outcome.kind).toBe('success')
    expect(authorityOf(result)).toBeUndefined()
  })

  it.each([
    ['no code', undefined, true],
    ['a delegation', delegationTo(THIRD), true],
    ['code', assemble('STOP'), false],
    ['code of 23 bytes', new Uint8Array(23).fill(0x5b), false],
    ['0xef0101 and 20 bytes', Uint8Array.of(0xef, 1, 1, ...new Uint8Array(20).fill(7)), false],
    ['0xef0000 and 20 bytes', Uint8Array.of(0xef, 0, 0, ...new Uint8Array(20).fill(7)), false],
    ['0xef0100 and 19 bytes', Uint8Array.of(0xef, 1, 0, ...new Uint8Array(19).fill(7)), false],
    ['0xef0100 and 21 bytes', Uint8Array.of(0xef, 1, 0, ...new Uint8Array(21).fill(7)), false],
  ] as const)('of an account with %s', async (_, code, counts) => {
    const account: AccountChange = {
      address: AUTHORITY.address,
      nonce: 3n,
      balance: 1n,
      ...(code && { code }),
    }
    const result = await runWith([await authorization({ nonce: 3n })], {
      accounts: [account],
      ...lengthMatters(code),
    })
    expect(authorityOf(result)).toEqual(counts ? [4n, delegated()] : [3n, toHex(code ?? new Uint8Array())])
  })

  it('of the zero address takes the delegation away', async () => {
    const account = { address: AUTHORITY.address, nonce: 3n, balance: 1n, code: delegationTo(THIRD) }
    const wish = { nonce: 3n, address: address(0) }
    const result = await runWith([await authorization(wish)], { accounts: [account] })
    expect(authorityOf(result)).toEqual([4n, '0x'])
  })

  it('stays when the code fails or reverts', async () => {
    for (const code of [assemble('INVALID'), assemble(0, 0, 'REVERT')]) {
      const result = await runWith([await authorization()], { code })
      expect(result.outcome.kind).not.toBe('success')
      expect(authorityOf(result)).toEqual([1n, delegated()])
    }
  })

  it('of the sender comes after the nonce of its message', async () => {
    const message = { from: AUTHORITY.address }
    const accounts = [{ address: AUTHORITY.address, balance: 10n ** 20n }]
    const now = await runWith([await authorization({ nonce: 1n })], { message, accounts })
    expect(authorityOf(now)).toEqual([2n, delegated()])
    const early = await runWith([await authorization({ nonce: 0n })], { message, accounts })
    expect(authorityOf(early)).toEqual([1n, '0x'])
  })

  it('may follow another one of the same account', async () => {
    const result = await runWith([
      await authorization({ address: THIRD }),
      await authorization({ nonce: 1n }),
      await authorization({ nonce: 1n, address: THIRD }),
    ])
    expect(authorityOf(result)).toEqual([2n, delegated()])
  })
})

describe('the gas of an authorization', () => {
  const used = async (accounts: readonly AccountChange[], fields = {}) => {
    const { outcome } = await runWith([await authorization(fields)], {
      accounts,
      code: ['INVALID'],
      gas: 1_000_000n,
    })
    return outcome.gasBeforeRefund - outcome.gasUsed
  }
  const existing = { address: AUTHORITY.address, balance: 1n }

  it('is 25,000, and 12,500 for an account that exists', async () => {
    expect(await used([])).toBe(0n)
    // Refunds of authorizations are paid even if the transaction halts.
    expect(await used([existing])).toBe(12_500n)
    const refundOf = async (...list: Authorization[]) => {
      const { outcome } = await runWith(list, { code: ['INVALID'] })
      return outcome.gasBeforeRefund - outcome.gasUsed
    }
    // The second one finds the account that the first one made, the third one too.
    const [first, second] = [await authorization(), await authorization({ nonce: 1n })]
    expect(await refundOf(first, second)).toBe(12_500n)
    expect(await refundOf(first, second, await authorization({ nonce: 2n }))).toBe(25_000n)
  })

  it('is not refunded if it does not count', async () => {
    expect(await used([existing], { nonce: 1n })).toBe(0n)
    expect(await used([{ ...existing, code: assemble('STOP') }])).toBe(0n)
  })
})

describe('what an authorization warms', () => {
  const balanceGas = async (
    of: Address,
    list: readonly Authorization[],
    accounts: readonly AccountChange[] = [],
  ) => {
    const reads = await runWith(list, { accounts, code: [of, 'BALANCE', 'POP'] })
    return reads.gas - 5n
  }

  it('is the authority, even if its code or its nonce is wrong', async () => {
    expect(await balanceGas(AUTHORITY.address, [await authorization()])).toBe(100n)
    expect(await balanceGas(AUTHORITY.address, [await authorization({ nonce: 1n })])).toBe(100n)
    const code = [{ address: AUTHORITY.address, code: assemble('STOP') }]
    expect(await balanceGas(AUTHORITY.address, [await authorization()], code)).toBe(100n)
  })

  it('is not the authority of another chain or with the last nonce', async () => {
    expect(await balanceGas(AUTHORITY.address, [await authorization({ chainId: 5n })])).toBe(2_600n)
    expect(await balanceGas(AUTHORITY.address, [await authorization({ nonce: MAX_NONCE })])).toBe(2_600n)
  })

  it('is not the delegate', async () => {
    expect(await balanceGas(DELEGATE, [await authorization()])).toBe(2_600n)
  })
})

describe('a message to an account that delegates', () => {
  const to = AUTHORITY.address
  const delegating = (code: Uint8Array): AccountChange => ({ address: to, balance: 7n, code })

  it('runs the code of the delegate as its own', async () => {
    const notes: Item[] = ['ADDRESS', 0, 'SSTORE', 'SELFBALANCE', 1, 'SSTORE', 'CODESIZE', 2, 'SSTORE']
    const delegate = { address: DELEGATE, code: assemble(...notes) }
    const { state } = await agreed({
      accounts: [delegating(delegationTo(DELEGATE)), delegate],
      message: { to },
    })
    const slots = [0n, 1n, 2n].map((slot) => state.storage(to, slot))
    expect(slots).toEqual([BigInt(to), 7n, BigInt(delegate.code.length)])
  })

  it('finds the delegate warm', async () => {
    const delegate = { address: DELEGATE, code: assemble(DELEGATE, 'BALANCE', 'POP') }
    const { gas } = await agreed({
      accounts: [delegating(delegationTo(DELEGATE)), delegate],
      message: { to },
    })
    expect(gas).toBe(5n + 100n)
  })

  it.each([
    ['itself', AUTHORITY.address],
    ['an account that delegates', THIRD],
  ])(
    'fails if it delegates to %s: the code is a designation, which no instruction begins with',
    async (_, target) => {
      const third = { address: THIRD, code: delegationTo(DELEGATE) }
      const { outcome } = await agreed({
        accounts: [delegating(delegationTo(target)), third],
        message: { to },
      })
      expect(outcome).toMatchObject({ kind: 'halt', reason: 'invalidOpcode' })
    },
  )

  it.each([
    ['a precompile', address(2)],
    ['an account without code', DELEGATE],
    ['the coinbase', CONTEXT.coinbase],
  ])('does nothing if it delegates to %s', async (_, target) => {
    const { outcome, gas } = await agreed({ accounts: [delegating(delegationTo(target))], message: { to } })
    expect([outcome.kind, gas]).toEqual(['success', 0n])
    expect(outcome).toMatchObject({ returnData: new Uint8Array() })
  })

  it.each([
    ['0xef0101', Uint8Array.of(0xef, 1, 1, ...fromHex(DELEGATE))],
    ['0xef0200', Uint8Array.of(0xef, 2, 0, ...fromHex(DELEGATE))],
    ['0xee0100', Uint8Array.of(0xee, 1, 0, ...fromHex(DELEGATE))],
    ['0xef0100 and 21 bytes', Uint8Array.of(...delegationTo(DELEGATE), 0)],
  ])('runs code that begins with %s as code', async (_, code) => {
    const delegate = { address: DELEGATE, code: assemble('STOP') }
    const calls: Item[] = [0, 0, 0, 0, 0, to, 10_000, 'CALL']
    const given = { accounts: [delegating(code), delegate], ...lengthMatters(code) }
    expect(await wordOf(calls, given)).toBe(0n)
    const { outcome } = await agreed({ ...given, message: { to } })
    expect(outcome.kind).toBe('halt')
  })

  it('runs the designation before Prague', async () => {
    const accounts = [delegating(delegationTo(DELEGATE)), { address: DELEGATE, code: assemble('STOP') }]
    const { outcome } = await agreed({ hardfork: 'cancun', accounts, message: { to } })
    expect(outcome).toMatchObject({ kind: 'halt', reason: 'invalidOpcode' })
  })
})

describe.each(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'] as const)(
  '%s of an account that delegates',
  (kind) => {
    const calls = (gas: Item): Item[] => {
      const value: Item[] = kind === 'CALL' || kind === 'CALLCODE' ? [0] : []
      return [32, 0, 0, 0, ...value, AUTHORITY.address, gas, kind]
    }
    const pushes = kind === 'CALL' || kind === 'CALLCODE' ? 21n : 18n
    const delegating = (to: Address): AccountChange => ({
      address: AUTHORITY.address,
      code: delegationTo(to),
    })
    const delegate = { address: DELEGATE, code: assemble('ADDRESS', 0, 'MSTORE', 32, 0, 'RETURN') }

    it('runs the code of the delegate', async () => {
      const accounts = [delegating(DELEGATE), delegate]
      const keeps = kind === 'DELEGATECALL' || kind === 'CALLCODE'
      const word = await wordOf([...calls('GAS'), 'POP', 0, 'MLOAD'], { accounts })
      expect(word).toBe(BigInt(keeps ? CONTRACT : AUTHORITY.address))
    })

    it.each([
      ['a cold delegate', DELEGATE, 2_600n + 2_600n],
      ['itself', AUTHORITY.address, 2_600n + 100n],
      ['a precompile, which is warm', address(4), 2_600n + 100n],
      ['the sender, which is warm', SENDER, 2_600n + 100n],
    ])('costs more where it delegates to %s', async (_, target, cost) => {
      const { gas } = await agreed({ accounts: [delegating(target)], code: [...calls(0), 'POP'] })
      // No gas is passed on; 32 bytes of memory are paid for.
      expect(gas).toBe(pushes + cost + 3n + 2n)
    })

    it('shows the designation to EXTCODESIZE, EXTCODECOPY and EXTCODEHASH', async () => {
      const accounts = [delegating(DELEGATE), delegate]
      const at = AUTHORITY.address
      expect(await wordOf([at, 'EXTCODESIZE'], { accounts })).toBe(23n)
      expect(await wordOf([at, 'EXTCODEHASH'], { accounts })).toBe(
        BigInt(toHex(keccak256(delegationTo(DELEGATE)))),
      )
      const copied = await wordOf([32, 0, 0, at, 'EXTCODECOPY', 0, 'MLOAD'], { accounts })
      expect(copied).toBe(BigInt(delegated()) << 72n)
    })
  },
)
