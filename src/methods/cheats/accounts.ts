/** Cheats that set balances, nonces, code and storage, in the state of `latest` and in the state of `pending`. */
import type { Address } from '../../bytes/hex.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, steer } from '../../rpc/method.ts'
import { impersonating, notImpersonating } from '../../sequencer/cheats.ts'
import {
  parseAddress,
  parseAddresses,
  parseAmount,
  parseAmount64,
  parseBytes,
  parsePaddedWord,
} from '../../wire/hex.ts'
import { boolean } from '../../wire/parser.ts'

const MAX_WORD = 2n ** 256n - 1n

export const setBalance = steer(params(parseAddresses, parseAmount), ({ sequencer }, owners, balance) =>
  sequencer.steering.changeAccounts(() => owners.map((address) => ({ address, balance }))),
)

export const addBalance = steer(params(parseAddresses, parseAmount), ({ sequencer }, owners, amount) =>
  addToAll(sequencer, owners, amount),
)

export const setNonce = steer(params(parseAddress, parseAmount64), (context, address, nonce) =>
  context.sequencer.steering.changeAccounts((state) => {
    state.requireAccounts([address])
    const have = state.account(address)?.nonce ?? 0n
    if (!context.options.mayLowerNonces) {
      if (context.pool.size > 0) throw new Problem({ kind: 'nonceWhileWaiting' })
      if (nonce < have) throw new Problem({ kind: 'lowerNonce', have, got: nonce })
    }
    return [{ address, nonce }]
  }),
)

export const setCode = steer(params(parseAddress, parseBytes), ({ sequencer }, address, code) =>
  sequencer.steering.changeAccounts(() => [{ address, code }]),
)

export const setStorageAt = steer(
  params(parseAddress, parseAmount, parsePaddedWord),
  async ({ sequencer }, address, slot, value) => {
    await sequencer.steering.changeAccounts(() => [{ address, storage: [[slot, value]] }])
    return true
  },
)

export function addToAll(
  sequencer: RpcContext['sequencer'],
  owners: readonly Address[],
  amount: bigint,
): Promise<void> {
  return sequencer.steering.changeAccounts((state) => {
    state.requireAccounts(owners)
    return owners.map((address) => {
      const sum = (state.account(address)?.balance ?? 0n) + amount
      return { address, balance: sum < MAX_WORD ? sum : MAX_WORD }
    })
  })
}

export const impersonateAccount = steer(params(parseAddress), ({ sequencer }, account) =>
  sequencer.steering.cheat((cheats) => impersonating(cheats, account)),
)

export const stopImpersonatingAccount = steer(params(parseAddress), ({ sequencer }, account) =>
  sequencer.steering.cheat((cheats) => notImpersonating(cheats, account)),
)

export const autoImpersonateAccount = steer(params(boolean), ({ sequencer }, impersonatesAll) =>
  sequencer.steering.cheat((cheats) => ({ ...cheats, impersonatesAll })),
)
