/** The client's requests, which faults of requests do not affect, and the errors for refused requests. */
import type { Address } from '../bytes/hex.ts'
import { checksummed } from '../model/account/account.ts'
import type { DevelopmentAccount } from '../model/account/developmentAccounts.ts'
import { Problem, type ProblemKind } from '../rpc/errors/problem.ts'
import { closed, type Provider, providerError } from '../rpc/provider.ts'
import type { Answer, Dispatch, Refused } from '../rpc/request.ts'
import { addressOf } from './fields.ts'
import { type Called, reverted } from './reverted.ts'

export class Requests {
  readonly #accounts: readonly DevelopmentAccount[]
  readonly #dispatch: Dispatch
  readonly #provider: Provider

  constructor(accounts: readonly DevelopmentAccount[], dispatch: Dispatch, provider: Provider) {
    this.#accounts = accounts
    this.#dispatch = dispatch
    this.#provider = provider
  }

  /** Runs a request and returns its response. Rejects if the devnet is closed. */
  async ask(method: string, params: readonly unknown[]): Promise<Exclude<Answer, { kind: 'never' }>> {
    if (this.#provider.isClosed) throw closed()
    // Only a fault planned for requests can give the answer `never`, so it cannot occur here.
    return (await this.#dispatch({ method, params })) as Exclude<Answer, { kind: 'never' }>
  }

  /** Runs a request and returns its result. Rejects with `ProviderRpcError` if it is refused. */
  async result(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = await this.ask(method, params)
    if (answer.kind === 'error') throw providerError(answer)
    return answer.result
  }

  /** Returns the error to throw for an error response. If code failed, the error is a `Reverted` with the reason. */
  async failed(answer: Refused, called: Called, sender: Address | undefined): Promise<Error> {
    const { error, cause, stackTrace } = answer
    const problem = cause instanceof Problem ? cause.problem : undefined
    if (problem?.kind === 'revert' || problem?.kind === 'halt')
      return await reverted(problem, { ...called, stackTrace })
    const isPoor = problem !== undefined && lacksFunds(problem)
    const message = isPoor
      ? `${error.message}; the sender is ${sender === undefined ? 'nobody' : checksummed(sender)}`
      : error.message
    return providerError({ ...answer, error: { ...error, message } })
  }

  sender(from: unknown, what: string): Address | undefined {
    return from === undefined
      ? (this.#accounts[0]?.address.toLowerCase() as Address | undefined)
      : addressOf(from, `${what}: from`)
  }
}

function lacksFunds(problem: ProblemKind): boolean {
  switch (problem.kind) {
    case 'rejected':
      return problem.rejection.kind === 'insufficientFunds'
    case 'refusedCall':
      return problem.refusal.kind === 'insufficientFunds'
    default:
      return false
  }
}
