/** With an engine that is synchronous, nothing above it makes a promise for a run. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine, Message } from '../../src/evm/engine.ts'
import { estimateGas } from '../../src/evm/estimateGas.ts'
import { Evm } from '../../src/evm/evm.ts'
import { runCall } from '../../src/evm/runCall.ts'
import { runTransaction } from '../../src/evm/runMessage.ts'
import { loadKeccak } from '../../src/model/crypto/keccak.ts'
import { type ChainConfig, createRules } from '../../src/model/hardfork/hardfork.ts'
import { State } from '../../src/state/state.ts'
import { address, CONTEXT, callOf, sceneOf } from '../support/scenes.ts'
import { ALICE } from '../support/sequencers.ts'
import { sign } from '../support/signing.ts'

beforeAll(loadKeccak)

const TO = address(0xc0de)
const NEED = 43_210n

/** An engine whose messages succeed with at least `NEED` gas, give a wei to `TO`, and do not say what they need. */
function engineOf(config: ChainConfig = {}): Engine & { readonly messages: Message[] } {
  const messages: Message[] = []
  return {
    rules: createRules('osaka', 31_337n, config),
    messages,
    transact(state, _, message) {
      messages.push(message)
      const gas = { gasUsed: NEED - 10n, gasBeforeRefund: NEED - 10n }
      if (message.gasLimit < NEED) {
        return { outcome: { kind: 'halt', reason: 'outOfGas', ...gas }, changes: [] }
      }
      const balance = (state.account(TO)?.balance ?? 0n) + 1n
      return {
        outcome: {
          kind: 'success',
          ...gas,
          returnData: Uint8Array.of(7),
          logs: [],
          createdAddress: undefined,
        },
        changes: [{ address: TO, balance }],
      }
    },
  }
}

const SCENE = sceneOf([{ address: TO, nonce: 1n, code: Uint8Array.of(0) }])

describe('with a synchronous engine', () => {
  it('a call has its outcome at once', () => {
    expect(runCall(new Evm(engineOf()), SCENE, callOf({ to: TO }))).toMatchObject({
      kind: 'success',
      returnData: Uint8Array.of(7),
    })
  })

  it('an estimate has its value at once, though it searches', () => {
    const engine = engineOf()
    const estimate = estimateGas(new Evm(engine), SCENE, callOf({ to: TO }))
    expect(estimate).toEqual({ kind: 'estimate', gas: NEED })
    expect(engine.messages.length).toBeGreaterThan(3)
  })

  it.each([{}, { l2: 'base' }] as const)(
    'a transaction has its state at once, on a chain of %o',
    (config) => {
      const state = State.empty.with([{ address: ALICE.address, balance: 10n ** 18n }])
      const transaction = sign(ALICE, {
        to: TO,
        gasLimit: 50_000n,
        maxFeePerGas: 9n,
        maxPriorityFeePerGas: 1n,
      })
      const run = runTransaction(new Evm(engineOf(config)), state, CONTEXT, transaction)
      if (run instanceof Promise) throw new Error('expected a run, got a promise')
      expect(run.state.account(TO)?.balance).toBe(1n)
    },
  )

  it('a message has what is paid, not what is offered', () => {
    const engine = engineOf()
    const offer = { maxFeePerGas: 100n, maxPriorityFeePerGas: 2n }
    const transaction = sign(ALICE, { to: TO, gasLimit: 50_000n, ...offer })
    runTransaction(new Evm(engine), State.empty, CONTEXT, transaction)
    runCall(new Evm(engine), SCENE, callOf({ to: TO }))
    expect(engine.messages).toMatchObject([
      { kind: 'transaction', gasPrice: 9n, tip: 2n },
      { kind: 'simulation', gasPrice: 0n, tip: 0n },
    ])
  })
})
