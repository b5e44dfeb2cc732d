/** Steps: actions of which every choice is made. */
import { type Address, EMPTY_BYTES, fromHex } from '../bytes/hex.ts'
import { ContractAbi } from '../client/contract.ts'
import { oncePer } from '../model/collections/oncePer.ts'
import * as encoding from '../solidity/abi/codec.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { Action, WaitAction } from './action.ts'
import { type Draw, type Drawn, drawOf, type Hints, oneOf } from './draws.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface CallStep {
  readonly kind: 'call'
  readonly plan: Plan
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly args: readonly unknown[]
  readonly data: Uint8Array
}

export interface WaitStep {
  readonly kind: 'wait'
  readonly plan: Plan
  readonly seconds: bigint
}

export type Step = CallStep | WaitStep

export const contractAbiOf: (abi: Abi) => ContractAbi = oncePer((abi: Abi) => new ContractAbi(encoding, abi))

type CallOrPay = Exclude<Action, WaitAction>

/** A named action, with the choices that a step of it makes. */
export class Plan {
  readonly name: string
  readonly action: Action
  /** The draws of the sender, the value and the arguments. Arguments that depend on the state have none. */
  readonly draws: readonly Draw[]

  constructor(name: string, action: Action, actors: readonly Address[]) {
    this.name = name
    this.action = action
    if (action.kind === 'wait') this.draws = []
    else {
      const args = action.kind === 'call' && Array.isArray(action.args) ? action.args : []
      const from = action.from === undefined ? oneOf(...(actors as [Address])) : drawOf(action.from)
      this.draws = [from, drawOf(action.value ?? 0n), ...args.map(drawOf)]
    }
  }

  /** Whether the arguments are computed from the state before each call. */
  get readsState(): boolean {
    return this.action.kind === 'call' && typeof this.action.args === 'function'
  }

  get mustSucceed(): boolean {
    return this.action.kind === 'call' && this.action.mustSucceed === true
  }

  draw(random: Random, hints: Hints, world: World): Drawn<Step> {
    const drawn = this.draws.map((draw) => draw.draw(random, hints))
    return this.#drawn(drawn, world)
  }

  /** Returns the steps of all combinations of `values`: for each draw, the values to try. */
  steps(values: readonly (readonly unknown[])[], world: World): Step[] {
    return product(values).map((chosen) => this.#step(chosen, world))
  }

  #drawn(drawn: readonly Drawn[], world: World): Drawn<Step> {
    const simplerThan = (i: number): Iterable<Drawn> => drawn[i]!.simpler()
    const made = (next: readonly Drawn[]) => this.#drawn(next, world)
    return {
      value: this.#step(
        drawn.map(({ value }) => value),
        world,
      ),
      *simpler() {
        for (const i of drawn.keys()) for (const next of simplerThan(i)) yield made(drawn.with(i, next))
      },
    }
  }

  #step([from, value, ...args]: readonly unknown[], world: World): Step {
    const { action } = this
    if (action.kind === 'wait') return { kind: 'wait', plan: this, seconds: action.seconds }
    const given = action.kind === 'call' && typeof action.args === 'function' ? action.args(world) : args
    return {
      kind: 'call',
      plan: this,
      from: lower(from),
      value: value as bigint,
      ...this.#called(action, given),
    }
  }

  #called(action: CallOrPay, args: readonly unknown[]): Pick<CallStep, 'to' | 'args' | 'data'> {
    if (action.kind === 'pay') return { to: lower(action.to), args: [], data: EMPTY_BYTES }
    const { abi, address } = action.contract
    const { data } = contractAbiOf(abi).call(action.functionName, args, `action ${this.name}`)
    return { to: lower(address), args, data: fromHex(data) }
  }
}

function lower(address: unknown): Address {
  return (address as string).toLowerCase() as Address
}

/** Returns all lists with one item of each list, in order. */
function product(lists: readonly (readonly unknown[])[]): unknown[][] {
  let all: unknown[][] = [[]]
  for (const items of lists) all = all.flatMap((begun) => items.map((item) => [...begun, item]))
  return all
}
