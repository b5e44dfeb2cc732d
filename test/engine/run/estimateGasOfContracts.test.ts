/** Estimates of random calls to the fixtures' contracts, compared with runs with that gas and with one less. */
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import { Pool } from '../../../fixtures/contracts/Pool.ts'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import { Store } from '../../../fixtures/contracts/Store.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import market, { type Market } from '../../../fixtures/market.ts'
import { type Address, fromHex, type Hex, toHex, ZERO_ADDRESS } from '../../../src/bytes/hex.ts'
import { createDevnet } from '../../../src/devnet/createDevnet.ts'
import { type Estimate, estimateGas } from '../../../src/engine/run/estimateGas.ts'
import type { ExecutionScope } from '../../../src/engine/run/runCall.ts'
import { PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'
import type { Call } from '../../../src/model/execution/call.ts'
import type { State } from '../../../src/state/state.ts'
import type { MaybePromise } from '../../../src/work/maybePromise.ts'
import { sign } from '../../support/chains/signing.ts'
import { evm } from '../../support/engines/answers.ts'
import { ending, type Wish } from '../../support/engines/gasLimit.ts'
import { CONTEXT, callOf } from '../../support/engines/scenes.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

function estimate(scene: ExecutionScope, fields: Partial<Call>, on = evm): MaybePromise<Estimate> {
  return estimateGas(on, scene, callOf(fields))
}

describe('an estimate', () => {
  it(
    'is enough, and one less is not, for anything that the fixtures’ contracts do',
    withRandom(async (random) => {
      await using devnet = await createDevnet({ rhythm: 'manual' })
      const places = await market(devnet)
      const { state } = await prepared(devnet, places)
      const context = { ...CONTEXT, number: 100n }
      const scene: ExecutionScope = { state, context, moved: undefined }
      const owner = devnet.accounts[0]!
      const from = owner.address.toLowerCase() as Address
      for (const [name, make] of Object.entries(requests(places))) {
        for (let i = 0; i < 2; i++) {
          const wish = make(random)
          const found = await estimate(scene, { from, ...wish })
          expect({ name, ...found }).toMatchObject({ name, kind: 'estimate' })
          const { gas } = found as Extract<Estimate, { kind: 'estimate' }>
          expect({ name, gas, ends: await ending(state, context, owner, wish, gas) }).toMatchObject({
            ends: 'success',
          })
          expect({ name, gas, ends: await ending(state, context, owner, wish, gas - 1n) }).not.toMatchObject({
            ends: 'success',
          })
        }
      }
    }),
  )
})

/** The market with slots to clear, and an owner with an allowance to trade. */
async function prepared(
  devnet: Awaited<ReturnType<typeof createDevnet>>,
  places: Market,
): Promise<{ state: State }> {
  const owner = devnet.accounts[0]!
  let nonce = BigInt(
    (await devnet.request({ method: 'eth_getTransactionCount', params: [owner.address, 'latest'] })) as Hex,
  )
  const send = async (to: Hex, data: Hex) => {
    const { raw } = sign(owner, {
      to: to.toLowerCase() as Address,
      data: fromHex(data),
      nonce: nonce++,
      gasLimit: 1_000_000n,
    })
    await devnet.request({ method: 'eth_sendRawTransaction', params: [toHex(raw)] })
  }
  const most = 2n ** 255n
  for (const token of [places.gold, places.silver]) {
    await send(
      token,
      encodeFunctionData({ abi: Token.abi, functionName: 'approve', args: [places.pool, most] }),
    )
  }
  await send(
    places.store,
    encodeFunctionData({ abi: Store.abi, functionName: 'setMany', args: [0n, 30n, 1n] }),
  )
  await devnet.mine()
  const { latest } = devnet.snapshot().mark.chain.history
  return latest
}

/** All kinds of things to ask for, each with random arguments. */
function requests(at: Market): Record<string, (random: Random) => Wish> {
  const to = (contract: Hex, data: Hex, value = 0n): Wish => ({
    to: contract.toLowerCase() as Address,
    data: fromHex(data),
    value,
  })
  const deploy = (data: Hex): Wish => ({ to: undefined, data: fromHex(data), value: 0n })
  const token = (data: Hex) => to(at.gold, data)
  const pool = (data: Hex) => to(at.pool, data)
  const store = (data: Hex, value = 0n) => to(at.store, data, value)
  const multicall = parseAbi([
    'function aggregate((address target, bytes callData)[] calls) payable returns (uint256, bytes[])',
  ])
  const some = (random: Random) => random.bigint(30) + 1n
  const slot = (random: Random) => BigInt(random.below(60))
  return {
    transfer: (random) =>
      token(
        encodeFunctionData({
          abi: Token.abi,
          functionName: 'transfer',
          args: [random.hex(20), some(random)],
        }),
      ),
    mint: (random) =>
      token(encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [at.trader, some(random)] })),
    approve: (random) =>
      token(
        encodeFunctionData({ abi: Token.abi, functionName: 'approve', args: [random.hex(20), some(random)] }),
      ),
    unapprove: () =>
      token(encodeFunctionData({ abi: Token.abi, functionName: 'approve', args: [at.pool, 0n] })),
    swap: (random) =>
      pool(
        encodeFunctionData({
          abi: Pool.abi,
          functionName: 'swap',
          args: [random.pick([at.gold, at.silver]), some(random), 0n],
        }),
      ),
    addLiquidity: (random) =>
      pool(
        encodeFunctionData({
          abi: Pool.abi,
          functionName: 'addLiquidity',
          args: [some(random) + 1000n, some(random) * 80n + 80_000n],
        }),
      ),
    removeLiquidity: (random) =>
      pool(encodeFunctionData({ abi: Pool.abi, functionName: 'removeLiquidity', args: [some(random)] })),
    set: (random) =>
      store(encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [slot(random), some(random)] })),
    clear: (random) =>
      store(encodeFunctionData({ abi: Store.abi, functionName: 'clear', args: [slot(random)] })),
    clearMany: (random) =>
      store(
        encodeFunctionData({
          abi: Store.abi,
          functionName: 'setMany',
          args: [slot(random), BigInt(random.below(40)), 0n],
        }),
      ),
    setMany: (random) =>
      store(
        encodeFunctionData({
          abi: Store.abi,
          functionName: 'setMany',
          args: [slot(random), BigInt(random.below(40)), 5n],
        }),
      ),
    spawn: () => store(encodeFunctionData({ abi: Store.abi, functionName: 'spawn' }), 1n),
    spawnAndDestroy: () => store(encodeFunctionData({ abi: Store.abi, functionName: 'spawnAndDestroy' })),
    destroy: () => store(encodeFunctionData({ abi: Store.abi, functionName: 'destroy', args: [at.trader] })),
    hashLoop: (random) =>
      store(
        encodeFunctionData({ abi: Store.abi, functionName: 'hashLoop', args: [BigInt(random.below(300))] }),
      ),
    emitMany: (random) =>
      to(
        at.emitter,
        encodeFunctionData({
          abi: Emitter.abi,
          functionName: 'emitMany',
          args: [BigInt(random.below(30)), random.hex(32)],
        }),
      ),
    // Much calldata and little work: the floor applies (EIP-7623).
    log0: (random) =>
      to(
        at.emitter,
        encodeFunctionData({
          abi: Emitter.abi,
          functionName: 'log0',
          args: [random.hex(random.between(500, 5000))],
        }),
      ),
    data: (random) => ({ to: random.hex(20), data: random.bytes(random.between(1, 2000)), value: 1n }),
    caught: () =>
      to(at.reverter, encodeFunctionData({ abi: Reverter.abi, functionName: 'caught', args: [at.reverter] })),
    multicall: (random) =>
      to(
        PREDEPLOYS[0]!.address,
        encodeFunctionData({
          abi: multicall,
          functionName: 'aggregate',
          args: [
            random.list(random.between(1, 5), () => ({
              target: at.store,
              callData: encodeFunctionData({
                abi: Store.abi,
                functionName: 'setMany',
                args: [slot(random), 4n, slot(random)],
              }),
            })),
          ],
        }),
      ),
    deployToken: (random) => deploy(encodeDeployData({ ...Token, args: [random.hex(20), 'T'] })),
    deployPool: () => deploy(encodeDeployData({ ...Pool, args: [at.gold, ZERO_ADDRESS] })),
    deployStore: () => deploy(encodeDeployData(Store)),
  }
}
