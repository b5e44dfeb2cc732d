/** Steps: actions of which every choice is made. */
import { type Address, EMPTY_BYTES, fromHex, type Hex } from '../bytes/hex.ts'
import { addressOf } from '../client/fields.ts'
import type { Action, WaitAction } from './action.ts'
import { contractAbiOf } from './deployed.ts'
import { type Draw, type Drawn, DrawnByType, drawByType, drawOf, type Hints, oneOf } from './draws.ts'
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

type CallOrPay = Exclude<Action, WaitAction>

/** A named action, with the choices that a step of it makes. */
export class Plan {
  readonly name: string
  readonly action: Action
  /** The draws of the sender, the value and the arguments. Arguments that depend on the state have none. */
  readonly draws: readonly Draw[]
  /** The called contract or the payee; `undefined` for time that passes. */
  readonly to: Address | undefined
  /** The selector of the function, and the types of its parameters; `undefined` unless all of them are plain words. */
  readonly #head: string | undefined
  readonly #types: readonly string[] = []

  constructor(name: string, action: Action, actors: readonly Address[]) {
    this.name = name
    this.action = action
    if (action.kind === 'wait') {
      this.to = undefined
      this.draws = []
    } else {
      this.to = addressOf(action.kind === 'call' ? action.contract.address : action.to, `action ${name}`)
      const from = action.from === undefined ? oneOf(...(actors as [Address])) : drawOf(action.from)
      this.draws = [from, drawOf(action.value ?? 0n), ...drawsOfArguments(name, action)]
      if (action.kind === 'call') {
        const abi = contractAbiOf(action.contract.abi)
        const callable = abi.only(action.functionName)
        this.#types = callable?.inputs.map(({ type }) => type) ?? []
        this.#head =
          callable && this.#types.every((type) => PLAIN.test(type)) ? abi.selector(callable) : undefined
      }
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
      from: (from as Address).toLowerCase() as Address,
      to: this.to!,
      value: value as bigint,
      ...this.#called(action, given),
    }
  }

  /** Returns the calldata if all parameters are plain words, several times faster than the encoder of all types. */
  #plainCalldata(args: readonly unknown[]): Hex | undefined {
    if (this.#head === undefined || args.length !== this.#types.length) return undefined
    let data = this.#head
    for (const [i, type] of this.#types.entries()) {
      const word = wordOf(type, args[i])
      if (word === undefined) return undefined
      data += word
    }
    return data as Hex
  }

  #called(action: CallOrPay, args: readonly unknown[]): Pick<CallStep, 'args' | 'data'> {
    if (action.kind === 'pay') return { args: [], data: EMPTY_BYTES }
    const { abi } = action.contract
    const data =
      this.#plainCalldata(args) ??
      contractAbiOf(abi).call(action.functionName, args, `action ${this.name}`).data
    return { args, data: fromHex(data) }
  }
}

function drawsOfArguments(name: string, action: CallOrPay): readonly Draw[] {
  if (action.kind === 'pay' || typeof action.args === 'function') return []
  const { contract, functionName, args = new DrawnByType(contract.abi, functionName) } = action
  if (Array.isArray(args)) return args.map(drawOf)
  const { abi, functionName: drawn } = args as DrawnByType
  return contractAbiOf(abi).inputs(drawn, `action ${name}`).map(drawByType)
}

/** Types of one word whose values need no more than padding. */
const PLAIN = /^(address|bool|uint256)$/

const WORD = 2n ** 256n

/** Returns the 64 digits of a value; `undefined` if it does not fit the type, about which the encoder complains. */
function wordOf(type: string, value: unknown): string | undefined {
  if (typeof value === 'boolean') return type === 'bool' ? (value ? '1' : '0').padStart(64, '0') : undefined
  if (typeof value === 'bigint') {
    return type === 'uint256' && value >= 0n && value < WORD
      ? value.toString(16).padStart(64, '0')
      : undefined
  }
  const isAddress = type === 'address' && typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)
  return isAddress ? value.slice(2).padStart(64, '0') : undefined
}

/** Returns all lists with one item of each list, in order. */
function product(lists: readonly (readonly unknown[])[]): unknown[][] {
  let all: unknown[][] = [[]]
  for (const items of lists) all = all.flatMap((begun) => items.map((item) => [...begun, item]))
  return all
}
