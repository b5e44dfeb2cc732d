/** What accounts are and have, as a test wants it: the latest and the pre-confirmed moment show it at once. */
import { runCall } from '../../../evm/runCall.ts'
import { type SlotRead, slotsRead } from '../../../evm/slotsRead.ts'
import type { Call } from '../../../model/call.ts'
import { type Address, fromHex, toQuantity, toWord, ZERO_ADDRESS } from '../../../model/hex.ts'
import type { Selector } from '../../../model/selector.ts'
import { parseAddresses, parseAmount, parseAmount64, parsePaddedWord } from '../../../wire/amount.ts'
import { parseAddress, parseBytes } from '../../../wire/hex.ts'
import { optional, recordOf } from '../../../wire/parser.ts'
import type { RpcContext } from '../../context.ts'
import { method, params } from '../../method.ts'
import { Problem } from '../../problem.ts'

const MAX_WORD = 2n ** 256n - 1n

export const setBalance = method(
  params(parseAddresses, parseAmount),
  ({ sequencer }, owners, balance): Promise<void> =>
    sequencer.steering.changeAccounts(() => owners.map((address) => ({ address, balance }))),
)

/** Adds to what is there; the sum stays a word. */
export const addBalance = method(
  params(parseAddresses, parseAmount),
  ({ sequencer }, owners, amount): Promise<void> => addToAll(sequencer, owners, amount),
)

export const setNonce = method(
  params(parseAddress, parseAmount64),
  ({ sequencer }, address, nonce): Promise<void> =>
    sequencer.steering.changeAccounts(() => [{ address, nonce }]),
)

export const setCode = method(
  params(parseAddress, parseBytes),
  ({ sequencer }, address, code): Promise<void> =>
    sequencer.steering.changeAccounts(() => [{ address, code }]),
)

/** Answers `true` under all names, as all peers do. */
export const setStorageAt = method(
  params(parseAddress, parseAmount, parsePaddedWord),
  async ({ sequencer }, address, slot, value) => {
    await sequencer.steering.changeAccounts(() => [{ address, storage: [[slot, value]] }])
    return true
  },
)

/** `[owner, token, balance]`, or one object `{erc20, account, amount}`. */
export const dealErc20 = method(
  params(parseOwnerOrDeal, optional(parseAddress), optional(parseAmount)),
  (context, first, token, balance) => {
    if (typeof first !== 'string') {
      if (first.erc20 === undefined) throw missing(0, 'params[0].erc20: expected the address of a token')
      return setTokenBalance(context, first.erc20, first.account, first.amount)
    }
    if (token === undefined) throw missing(1, 'params[1]: expected the address of a token, got nothing')
    if (balance === undefined) throw missing(2, 'params[2]: expected a balance, got nothing')
    return setTokenBalance(context, token, first, balance)
  },
)

/** Tenderly names the token first, and takes many owners. */
export const setErc20Balance = method(
  params(parseAddress, parseAddresses, parseAmount),
  async (context, token, owners, balance) => {
    for (const owner of owners) await setTokenBalance(context, token, owner, balance)
  },
)

/** `{account, amount, erc20?}`: ether is added, tokens are set. */
export const deal = method(params(parseDeal), (context, { account, amount, erc20 }) =>
  erc20 === undefined
    ? addToAll(context.sequencer, [account], amount)
    : setTokenBalance(context, erc20, account, amount),
)

function addToAll(
  sequencer: RpcContext['sequencer'],
  owners: readonly Address[],
  amount: bigint,
): Promise<void> {
  return sequencer.steering.changeAccounts((state) =>
    owners.map((address) => {
      const sum = (state.account(address)?.balance ?? 0n) + amount
      return { address, balance: sum < MAX_WORD ? sum : MAX_WORD }
    }),
  )
}

interface Deal {
  readonly account: Address
  readonly amount: bigint
  readonly erc20: Address | undefined
}

function parseDeal(value: unknown, path: string): Deal {
  const record = recordOf(value, path, 'an object {account, amount, erc20?}')
  return {
    account: parseAddress(record.account, `${path}.account`),
    amount: parseAmount(record.amount, `${path}.amount`),
    erc20: optional(parseAddress)(record.erc20, `${path}.erc20`),
  }
}

function parseOwnerOrDeal(value: unknown, path: string): Address | Deal {
  return typeof value === 'object' && value !== null ? parseDeal(value, path) : parseAddress(value, path)
}

function missing(argument: number, detail: string): Problem {
  return new Problem({ kind: 'invalidParams', argument, detail })
}

const PENDING: Selector = { kind: 'tag', tag: 'pending' }
/** The selector of `balanceOf(address)`. */
const BALANCE_OF = fromHex('0x70a08231')

/** Writes a token's balance into the slot where it keeps it: the one that `balanceOf` reads and that decides its answer. */
async function setTokenBalance(
  context: RpcContext,
  token: Address,
  owner: Address,
  balance: bigint,
): Promise<void> {
  const { evm, scene } = context.stage(PENDING)
  const call = balanceOf(token, owner)
  for (const { address, slot } of await slotsRead(evm, scene, call)) {
    if (!(await decides(context, call, { address, slot }, balance))) continue
    await context.sequencer.steering.changeAccounts(() => [{ address, storage: [[slot, balance]] }])
    return
  }
  const detail = `no storage slot of ${token} holds the balance of ${owner} as a word; set it with anvil_setStorageAt`
  throw new Problem({ kind: 'unsupported', detail })
}

async function decides(
  context: RpcContext,
  call: Call,
  { address, slot }: SlotRead,
  balance: bigint,
): Promise<boolean> {
  const override = {
    address,
    balance: undefined,
    nonce: undefined,
    code: undefined,
    state: undefined,
    stateDiff: [[slot, balance]] as const,
    movePrecompileTo: undefined,
  }
  const { evm, scene } = context.stage(PENDING, [override])
  const outcome = await runCall(evm, scene, call)
  return (
    outcome.kind === 'success' &&
    outcome.returnData.length >= 32 &&
    toQuantity(outcome.returnData.subarray(0, 32)) === balance
  )
}

function balanceOf(token: Address, owner: Address): Call {
  return {
    from: ZERO_ADDRESS,
    to: token,
    gas: undefined,
    fee: { kind: 'none' },
    value: 0n,
    data: Uint8Array.of(...BALANCE_OF, ...toWord(BigInt(owner))),
    accessList: [],
    authorizationList: [],
    blobVersionedHashes: [],
  }
}
