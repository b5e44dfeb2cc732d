import type { Block } from '@ethereumjs/block'
import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { Account, Address as AddressObject } from '@ethereumjs/util'
import type { RunTxResult, VM } from '@ethereumjs/vm'
import { EMPTY_BYTES, fromHex } from '../../bytes/hex.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { floorGas, intrinsicGas, minimumGas } from '../../model/transaction/intrinsicGas.ts'
import type { Message } from '../engine.ts'
import { addressObject } from './transaction.ts'

export type RunResult = Pick<RunTxResult, 'execResult' | 'totalGasSpent' | 'createdAddress'>

/**
 * Runs an L2 deposit (specs.optimism.io `protocol/deposits.html`), which EthereumJS does not support. Does what
 * `runTx` does, but without fee, nonce check, signature, access list and blobs. The caller has minted the ether. A
 * deposit that cannot start is included, fails and uses all its gas.
 */
export async function runDeposit(vm: VM, rules: Rules, block: Block, message: Message): Promise<RunResult> {
  const { evm, stateManager } = vm
  const { journal } = evm
  const caller = addressObject(message.from)
  await journal.cleanup()
  await journal.checkpoint()
  const sender = (await stateManager.getAccount(caller)) ?? new Account()
  sender.nonce += 1n
  await journal.putAccount(caller, sender)
  const refusal = refusalOf(rules, message, sender.balance)
  const ending =
    refusal === undefined ? await called(vm, rules, block, message) : refused(rules, message, refusal)
  await journal.commit()
  await journal.cleanup()
  return ending
}

function refusalOf(rules: Rules, message: Message, balance: bigint): EVMError | undefined {
  if (message.gasLimit < minimumGas(rules, message)) {
    return new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  }
  return balance < message.value ? new EVMError(EVMError.errorMessages.INSUFFICIENT_BALANCE) : undefined
}

/** Returns the result of a deposit that cannot start: it uses its whole gas limit, even below the intrinsic gas. */
function refused(rules: Rules, message: Message, exceptionError: EVMError): RunResult {
  const { gasLimit } = message
  const executionGasUsed = gasLimit - intrinsicGas(rules, message)
  return {
    execResult: { exceptionError, executionGasUsed, returnValue: EMPTY_BYTES },
    totalGasSpent: gasLimit,
  }
}

async function called({ evm }: VM, rules: Rules, block: Block, message: Message): Promise<RunResult> {
  const caller = addressObject(message.from)
  const { to, value, data, gasLimit } = message
  const intrinsic = intrinsicGas(rules, message)
  warm(evm, rules, block, message)
  const { execResult, createdAddress } = await evm.runCall({
    block,
    gasPrice: 0n,
    caller,
    gasLimit: gasLimit - intrinsic,
    ...(to === undefined ? {} : { to: addressObject(to) }),
    value,
    data,
    // `runDeposit` has already increased the nonce, so that it increases even if the deposit fails.
    skipNonceIncrement: true,
  })
  await removeDestroyed(evm, rules, execResult)
  const used = intrinsic + execResult.executionGasUsed
  const refundable = used / rules.param('maxRefundQuotient')
  const refund = execResult.gasRefund ?? 0n
  const spent = used - (refund < refundable ? refund : refundable)
  const floor = floorGas(rules, message)
  const ending = { execResult, totalGasSpent: spent > floor ? spent : floor }
  return createdAddress === undefined ? ending : { ...ending, createdAddress }
}

/** Warms the addresses that are warm from the start (EIP-2929, EIP-3651). */
function warm({ journal, precompiles }: VM['evm'], rules: Rules, { header }: Block, message: Message): void {
  if (!rules.has(2929)) return
  for (const address of precompiles.keys()) journal.addAlwaysWarmAddress(address)
  journal.addAlwaysWarmAddress(message.from)
  if (message.to !== undefined) journal.addAlwaysWarmAddress(message.to)
  if (rules.has(3651)) journal.addAlwaysWarmAddress(header.coinbase.toString())
}

/** Deletes accounts that executed SELFDESTRUCT; since EIP-6780, only accounts created in the same transaction. */
export async function removeDestroyed(
  { journal }: VM['evm'],
  rules: Rules,
  { selfdestruct, createdAddresses }: ExecResult,
): Promise<void> {
  for (const address of selfdestruct?.keys() ?? []) {
    const isNew = createdAddresses?.has(address) === true
    if (isNew || !rules.has(6780)) await journal.deleteAccount(new AddressObject(fromHex(address)))
  }
}
