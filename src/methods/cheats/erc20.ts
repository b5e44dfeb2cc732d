/** Cheats that set token balances and allowances. Each cheat finds and writes the storage slot that the token reads. */

import { type Address, fromHex, type Hex, toQuantity, toWord, ZERO_ADDRESS } from '../../bytes/hex.ts'
import { type SlotRead, slotsRead } from '../../engine/run/createAccessList.ts'
import { runCall } from '../../engine/run/runCall.ts'
import { PENDING } from '../../model/block/selector.ts'
import type { Call } from '../../model/execution/call.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, steer } from '../../rpc/method.ts'
import { freeCall } from '../../wire/call.ts'
import { parseAddress, parseAddresses, parseAmount } from '../../wire/hex.ts'
import { optional, recordOf } from '../../wire/parser.ts'
import { addToAll } from './accounts.ts'

/** Parameters: `[owner, token, balance]`, or one object `{erc20, account, amount}`. */
export const dealErc20 = steer.long(
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

/** Tenderly's method. The token is the first parameter, and there may be several owners. */
export const setErc20Balance = steer.long(
  params(parseAddress, parseAddresses, parseAmount),
  async (context, token, owners, balance) => {
    for (const owner of owners) await setTokenBalance(context, token, owner, balance)
  },
)

export const setErc20Allowance = steer.long(
  params(parseAddress, parseAddress, parseAddress, parseAmount),
  (context, owner, spender, token, allowance) => {
    const question = view(token, ALLOWANCE, owner, spender)
    return setAnswer(context, question, allowance, `the allowance of ${spender} from ${owner}`)
  },
)

/** Parameter: `{account, amount, erc20?}`. Adds ether to an account, or with `erc20` sets its token balance. */
export const deal = steer.long(params(parseDeal), (context, { account, amount, erc20 }) =>
  erc20 === undefined
    ? addToAll(context.sequencer, [account], amount)
    : setTokenBalance(context, erc20, account, amount),
)

function setTokenBalance(
  context: RpcContext,
  token: Address,
  owner: Address,
  balance: bigint,
): Promise<void> {
  return setAnswer(context, view(token, BALANCE_OF, owner), balance, `the balance of ${owner}`)
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

const BALANCE_OF = '0x70a08231'
const ALLOWANCE = '0xdd62ed3e'

/** Sets the storage slot that makes the call `question` return `answer`. Throws a `Problem` if no single slot does. */
async function setAnswer(context: RpcContext, question: Call, answer: bigint, what: string): Promise<void> {
  const { evm, scene } = context.environment(PENDING)
  for (const { address, slot } of await slotsRead(evm, scene, question)) {
    if (!(await decides(context, question, { address, slot }, answer))) continue
    await context.sequencer.steering.changeAccounts(() => [{ address, storage: [[slot, answer]] }])
    return
  }
  const detail = `no storage slot of ${question.to} holds ${what} as a single word; set the storage with anvil_setStorageAt`
  throw new Problem({ kind: 'unsupported', detail })
}

async function decides(
  context: RpcContext,
  question: Call,
  { address, slot }: SlotRead,
  answer: bigint,
): Promise<boolean> {
  const override = {
    address,
    balance: undefined,
    nonce: undefined,
    code: undefined,
    state: undefined,
    stateDiff: [[slot, answer]] as const,
    movePrecompileTo: undefined,
  }
  const { evm, scene } = context.environment(PENDING, [override])
  const outcome = await runCall(evm, scene, question)
  return (
    outcome.kind === 'success' &&
    outcome.returnData.length >= 32 &&
    toQuantity(outcome.returnData.subarray(0, 32)) === answer
  )
}

function view(token: Address, selector: Hex, ...args: readonly Address[]): Call {
  const data = Uint8Array.of(...fromHex(selector), ...args.flatMap((address) => [...toWord(BigInt(address))]))
  return freeCall(ZERO_ADDRESS, token, data)
}
