/** A devnet's own client, typed by the ABI. Faults of requests do not affect it; faults of slices and blocks do. */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import { checksummed } from '../model/account/account.ts'
import type { DevelopmentAccount } from '../model/account/developmentAccounts.ts'
import { attributed, attributedNow, callSite, thrownAt } from '../model/api/callSite.ts'
import { PENDING, type Selector } from '../model/block/selector.ts'
import type { RpcContext } from '../rpc/context.ts'
import { inProcess } from '../rpc/dispatch.ts'
import { closed, type Provider } from '../rpc/provider.ts'
import type { Dispatch } from '../rpc/request.ts'
import type { Abis } from '../solidity/abi/abis.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type { DebugOptions, DebugRun } from '../solidity/debug/debugRun.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import { compiledOf, contractOf, creationOf, isPayable, requireDeployable } from './contract.ts'
import { type DebugCall, debugRun } from './debug.ts'
import { addressOf, quantityOf, requireOwnFields, weiOf } from './fields.ts'
import type { Until } from './inclusion.ts'
import type {
  Dealt,
  Deployable,
  Deployed,
  Deploying,
  DeployNamedOptions,
  ReadParameters,
  SendParameters,
  Sent,
  WriteParameters,
  Written,
} from './parameters.ts'
import { type BlockSelector, selectorOf } from './parameters.ts'
import { Requests } from './requests.ts'
import { type AnyOptions, type AnyParameters, type Impersonation, Transactions } from './transactions.ts'
import { type DevnetTransport, type TransportOptions, transportTo } from './transport.ts'
import type { FunctionArgs, FunctionName, FunctionResult, Views, Writes } from './typed.ts'

/** @internal The parts of a devnet that its client uses. */
export interface Reach {
  readonly abis: Abis
  readonly artifacts: Artifacts
  readonly context: RpcContext
  readonly faultlessDispatch: Dispatch
  readonly provider: Provider
}

/** A devnet's own client. A call of one function replaces several JSON-RPC requests that tests often send. */
export class Client {
  /** The development accounts: funded and unlocked, with publicly known keys. */
  readonly accounts: readonly DevelopmentAccount[]
  /** The registered ABIs of contracts, which decode errors, events and calls. */
  readonly abis: Abis
  /** Artifacts of compilers: they identify code, decode errors, events and calls, and provide contracts by name. */
  readonly artifacts: Artifacts
  readonly #context: RpcContext
  readonly #provider: Provider
  readonly #requests: Requests
  readonly #transactions: Transactions

  /** @internal */
  constructor(
    accounts: readonly DevelopmentAccount[],
    { abis, artifacts, context, faultlessDispatch, provider }: Reach,
  ) {
    this.accounts = accounts
    this.abis = abis
    this.artifacts = artifacts
    this.#context = context
    this.#provider = provider
    this.#requests = new Requests(accounts, faultlessDispatch, provider)
    this.#transactions = new Transactions(this.#requests, context, provider)
  }

  /**
   * Returns a transport for viem: `createWalletClient({ transport: devnet.transport() })`. Failed requests are
   * retried only if `retryCount` is given. Errors are the same as with viem's `custom` transport. viem is loaded at the
   * first request.
   */
  transport(options: TransportOptions = {}): DevnetTransport {
    return attributedNow(callSite(Client.prototype.transport), () => transportTo(this.#provider, options))
  }

  /**
   * The devnet as an EIP-1193 provider, for ethers' `new BrowserProvider(devnet.provider)` and for code that expects a
   * wallet. It is always the same object. `eth_requestAccounts` returns all accounts without confirmation.
   */
  get provider(): Provider {
    this.#provider.connect()
    return this.#provider
  }

  /**
   * Deploys a contract of an artifact, `{ abi, bytecode }`, and registers its ABI in `devnet.abis`. The result can be
   * spread into the parameters of `read` and `write`. Rejects as `write` does, and with a `TypeError` that names the
   * missing libraries if `libraries` lacks an address.
   */
  deploy<const abi extends Abi, const until extends Until = 'sealed'>(
    contract: Deployable<abi>,
    ...[options]: Deploying<abi, until>
  ): Promise<Deployed<until, abi>>
  /**
   * Deploys a contract by its name, `'Token'` or `'src/Token.sol:Token'`. Finds its artifact in the folders of the
   * option `artifacts`, by default in `out` (Foundry) and `artifacts` (Hardhat). The ABI of the result has no types.
   * Rejects with an `Error` that names the searched folders, or the candidates if several contracts have the name.
   */
  deploy<const until extends Until = 'sealed'>(
    name: string,
    options?: DeployNamedOptions<until>,
  ): Promise<Deployed<until>>
  async deploy(given: Deployable<Abi> | string, ...[settings]: readonly unknown[]): Promise<never> {
    return attributed(callSite(Client.prototype.deploy), async () => {
      const options = (settings ?? {}) as AnyOptions
      // Checks options before looking up the contract: a wrong option must not be reported as a missing contract.
      requireOwnFields('deploy', options)
      const contract = typeof given === 'string' ? await compiledOf(given, this.artifacts) : given
      requireDeployable(contract)
      const { abi } = contract
      const { args = [], libraries = {}, ...rest } = options
      const code = await contractOf(abi, 'deploy')
      const data = code.creation(creationOf(contract, libraries), args, 'deploy')
      this.#learn(contract)
      const unpayable = code.isPayable ? undefined : weiOf(rest.value)
      const called = { name: 'deploy', contract: code, abis: this.abis, unpayable }
      const sent = await this.#transactions.send('deploy', { ...rest, data }, called)
      const address = sent.receipt?.contractAddress ?? (await this.#transactions.createdBy(sent.hash))
      return { address, abi, ...sent } as never
    })
  }

  /**
   * Calls a `view` or `pure` function. Returns `undefined`, the only value, or an array of the values. Addresses have
   * their checksum (EIP-55). Rejects with `Reverted` if the call reverts, with a `TypeError` if the function or an
   * argument does not match the ABI, and with an `Error` if the address has no code.
   */
  async read<
    const abi extends Abi,
    const name extends FunctionName<abi, Views>,
    const args extends FunctionArgs<abi, Views, name>,
  >(parameters: ReadParameters<abi, name, args>): Promise<FunctionResult<abi, Views, name, args>> {
    try {
      return (await this.#read(parameters as AnyParameters)) as never
    } catch (error) {
      throw thrownAt(callSite(Client.prototype.read), error)
    }
  }

  async #read(parameters: AnyParameters): Promise<unknown> {
    requireOwnFields('read', parameters)
    const { abi, functionName, args = [], from, at = 'pending' } = parameters
    const contract = await contractOf(abi, 'read')
    const to = addressOf(parameters.address, 'read: address')
    const { callable, data } = contract.call(functionName, args, 'read')
    const { selector, json } = selectorOf(at, 'read: at')
    const answer = await this.#requests.ask('eth_call', [
      { from: this.#requests.sender(from, 'read'), to, data },
      json,
    ])
    if (answer.kind === 'error') {
      const called = { name: callable.name, contract, abis: this.abis }
      throw await this.#requests.failed(answer, called, this.#requests.sender(from, 'read'))
    }
    const isSilent = answer.result === '0x'
    if (isSilent && !(await this.#hasCode(to, selector))) throw noContract('read', to, at)
    const result = contract.result(callable, answer.result as Hex)
    if (result !== undefined) return result.value
    const types = callable.outputs.map(({ type }) => type).join(', ')
    throw new Error(
      `read: ${callable.name} of ${checksummed(to)} answered ${answer.result}, which is not (${types})`,
    )
  }

  /**
   * Calls a function in a transaction. Returns the hash, the receipt, and the events that the ABI describes. Rejects
   * with `Reverted` if the function reverts; unless `gas` is given, the transaction is not sent then. Rejects with
   * `NotIncluded` if the transaction does not reach the state `until`, with `ProviderRpcError` if it is refused, and
   * with a `TypeError` if the function or an argument does not match the ABI.
   *
   * Transactions that are sent concurrently get their nonces in the order of the calls.
   */
  async write<
    const abi extends Abi,
    const name extends FunctionName<abi, Writes>,
    const args extends FunctionArgs<abi, Writes, name>,
    const until extends Until = 'sealed',
  >(parameters: WriteParameters<abi, name, args, until>): Promise<Written<abi, until>> {
    return attributed(callSite(Client.prototype.write), async () => {
      requireOwnFields('write', parameters)
      const { abi, address, functionName, args = [], ...options } = parameters as AnyParameters
      const contract = await contractOf(abi, 'write')
      const to = addressOf(address, 'write: address')
      const { callable, data } = contract.call(functionName, args, 'write')
      // With `gas` given, the transaction is sent in any case: a waiting transaction may deploy the contract first.
      const isThere = options.gas !== undefined || (await this.#hasCode(to, PENDING))
      if (!isThere) throw noContract('write', to, 'pending')
      const unpayable = isPayable(callable) ? undefined : weiOf(options.value)
      const called = { name: callable.name, contract, abis: this.abis, unpayable }
      const sent = await this.#transactions.send('write', { ...options, to, data }, called)
      const logs = sent.receipt && { logs: contract.events(sent.receipt.logs) }
      return { ...sent, ...logs } as unknown as Written<abi, until>
    })
  }

  /** Sends wei, encoded calldata, or both. Returns the hash and the receipt. Rejects as `write` does. */
  async send<const until extends Until = 'sealed'>(transaction: SendParameters<until>): Promise<Sent<until>> {
    return attributed(callSite(Client.prototype.send), async () => {
      requireOwnFields('send', transaction)
      const { to, ...rest } = transaction
      const called = { name: 'transaction', contract: undefined, abis: this.abis }
      const fields = { ...rest, to: addressOf(to, 'send: to') }
      return (await this.#transactions.send('send', fields, called)) as Sent<until>
    })
  }

  /**
   * Sets a balance in `latest` and `pending`: `{ wei }`, or `{ token, amount }` of an ERC-20, in the token's smallest
   * unit. Rejects with `ProviderRpcError` if the storage slot of the token's balance cannot be found.
   */
  async deal(address: Address, dealt: Dealt): Promise<void> {
    return attributed(callSite(Client.prototype.deal), async () => {
      requireOwnFields('deal', dealt)
      const { wei, token, amount } = dealt
      const owner = addressOf(address, 'deal: address')
      if (token === undefined) {
        await this.faultlessRequest('anvil_setBalance', [owner, quantityOf(wei, 'deal: wei')])
        return
      }
      const erc20 = addressOf(token, 'deal: token')
      const balance = quantityOf(amount, 'deal: amount')
      if (!(await this.#hasCode(erc20, PENDING))) throw noContract('deal', erc20, 'pending')
      await this.faultlessRequest('anvil_dealERC20', [owner, erc20, balance])
    })
  }

  /**
   * Lets an account whose key is not known, such as a contract, send transactions: `from: pirate.address`. The account
   * pays its own gas (see `deal`). The impersonation ends with `pirate.stop()`, or at the end of the block of
   * an `await using` declaration. If several callers impersonate the account, all of them must end the impersonation.
   */
  async impersonate(address: Address): Promise<Impersonation> {
    const site = callSite(Client.prototype.impersonate)
    const account = await attributed(site, async () => addressOf(address, 'impersonate: address'))
    return this.#transactions.impersonate(account)
  }

  /**
   * Runs a transaction of a block again, or a call, and returns the run at the level of Solidity: steps with their
   * places in the sources, functions with arguments, reads and writes of variables in storage. `what` is a hash, or a
   * call with the parameters of `read` and `write` or with `to` and `data`.
   *
   * The contracts come from `devnet.artifacts`. `gaps` lists missing information, such as names of variables. Rejects
   * with `ProviderRpcError` for an unknown hash, without artifacts, and for runs that are too long (use `limit`), and
   * with a `TypeError` for a call that does not match its ABI. A run that reverts is returned like any other.
   */
  async debug(what: Hash | DebugCall, options: DebugOptions = {}): Promise<DebugRun> {
    return attributed(callSite(Client.prototype.debug), async () => {
      if (this.#provider.isClosed) throw closed()
      return debugRun(this.#context, what, options, (from) => this.#requests.sender(from, 'debug'))
    })
  }

  /** @internal Runs a request for a matcher, to inspect what a test did. Faults of requests have no effect on it. */
  faultlessRequest(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#requests.result(method, params)
  }

  #hasCode(address: Address, selector: Selector): MaybePromise<boolean> {
    const context = this.#context
    return inProcess(context.work, () => context.at(selector).state.code(address).length > 0)
  }

  #learn(contract: Deployable<Abi> & { readonly contractName?: string }): void {
    for (const { abi } of this.abis) if (abi === contract.abi) return
    this.abis.add(contract, { name: contract.contractName })
  }
}

function noContract(what: string, address: Address, at: BlockSelector): Error {
  const where = typeof at === 'object' ? 'that block' : at
  return new Error(`${what}: there is no contract at ${checksummed(address)} at ${where}`)
}
