/** A violation as a story: in words, and as code that replays it on a devnet. */
import { type Address, toHex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { checksummed } from '../model/account/account.ts'
import { isRecord } from '../model/api/arguments.ts'
import { counted } from '../model/api/text.ts'
import type { Values } from './exploreOptions.ts'
import { storyLines, withStory } from './found.ts'
import type { CallStep, Step, WaitStep } from './steps.ts'
import type { Violation } from './systematic.ts'

/** An action of a story. */
export interface StoryStep {
  /** The name of the action. */
  readonly action: string
  /** The action in words, such as `deposit(1) by alice`. */
  readonly text: string
  /** The statement that does the same on a devnet. */
  readonly code: string
  /** The sender; `undefined` for time that passes. */
  readonly from: Address | undefined
  readonly args: readonly unknown[]
  /** Value in wei. */
  readonly value: bigint
}

/** A violation in words and code, as plain data. */
export interface ToldViolation {
  readonly rule: string
  readonly why: string | undefined
  readonly story: readonly StoryStep[]
  readonly steps: readonly PlainStep[]
}

/** A step without its plan, which is no plain data. */
type PlainStep = Pick<CallStep, 'kind' | 'from' | 'to' | 'value' | 'data'> | Omit<WaitStep, 'plan'>

/** Thrown by `explore` for the shortest story that was found to break a rule. */
export class RuleBroken extends Error {
  /** The broken rule, such as `invariant solvent`. */
  readonly rule: string
  readonly story: readonly StoryStep[]

  /** @internal `covered` says what was searched. */
  constructor({ rule, why, story }: ToldViolation, covered: string) {
    const when = story.length === 0 ? 'at the start' : `after ${counted(story.length, 'action')}`
    const found = {
      failed: `${rule} does not hold ${when}${why === undefined ? '' : `: ${why}`}`,
      steps: story.map(({ text }) => text),
      notes: [covered],
      code: story.map(({ code }) => code).join('\n'),
    }
    const lines = [
      ...storyLines(found),
      'The same on a devnet, with the values of the fixture:',
      ...story.map(({ code }) => `  ${code}`),
    ]
    super(lines.join('\n'))
    withStory(this, found)
    this.name = 'RuleBroken'
    this.rule = rule
    this.story = story
  }
}

/** A value of a fixture that has an address: the name of the value, and the expression of its address. */
interface Named {
  readonly name: string
  readonly address: string
}

export type Names = ReadonlyMap<Address, Named>

/** Returns the names of the addresses and deployed contracts among the values, and of development accounts. */
export function namesIn(values: Values): Names {
  const names = new Map<Address, Named>()
  for (const [i, { address }] of values.devnet.accounts.entries()) {
    const own = address.toLowerCase() as Address
    names.set(own, { name: `account ${i}`, address: `devnet.accounts[${i}].address` })
  }
  for (const [name, value] of Object.entries(values)) {
    const address = isRecord(value) ? value.address : value
    if (isAddress(address)) {
      names.set(address.toLowerCase() as Address, {
        name,
        address: isRecord(value) ? `${name}.address` : name,
      })
    }
  }
  return names
}

/** Returns a violation in words and code. */
export function toldViolation({ rule, why, steps }: Violation, names: Names): ToldViolation {
  return { rule, why, story: steps.map((step) => storyStep(step, names)), steps: steps.map(plain) }
}

function plain(step: Step): PlainStep {
  if (step.kind === 'wait') return { kind: step.kind, seconds: step.seconds }
  const { kind, from, to, value, data } = step
  return { kind, from, to, value, data }
}

/** Makes the steps on `devnet`, as the code of the story does. Skips calls that revert. */
export async function playSteps(devnet: Devnet, steps: readonly PlainStep[]): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'wait') {
      await devnet.increaseTime(step.seconds)
      await devnet.mine()
    } else {
      const { from, to, data, value } = step
      await using _ = await devnet.impersonate(from)
      await devnet.send({ from, to, data: toHex(data), value }).catch(() => {})
    }
  }
}

function storyStep(step: Step, names: Names): StoryStep {
  const { name, action } = step.plan
  if (step.kind === 'wait') {
    const code = `await devnet.increaseTime(${step.seconds}); await devnet.mine()`
    return {
      action: name,
      text: `wait ${counted(Number(step.seconds), 'second')}`,
      code,
      from: undefined,
      args: [],
      value: 0n,
    }
  }
  const { from, to, value, args } = step
  const wei = value === 0n ? '' : ` with ${value} wei`
  const shownArgs = args.map((arg) => shownValue(arg, names)).join(', ')
  const text = `${name}(${shownArgs}) by ${nameOf(from, names)}${wei}`
  const fields = [`from: ${codeOf(from, names)}`, ...(value === 0n ? [] : [`value: ${value}n`])].join(', ')
  const given = args.map((arg) => codeOf(arg, names)).join(', ')
  const code =
    action.kind === 'call'
      ? `await devnet.write({ ...${nameOf(to, names)}, functionName: '${action.functionName}', args: [${given}], ${fields} })`
      : `await devnet.send({ to: ${codeOf(to, names)}, ${fields} })`
  return { action: name, text, code, from, args, value }
}

function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
}

function nameOf(address: string, names: Names): string {
  return names.get(address.toLowerCase() as Address)?.name ?? checksummed(address as Address)
}

function shownValue(value: unknown, names: Names): string {
  if (Array.isArray(value)) return `[${value.map((item) => shownValue(item, names)).join(', ')}]`
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([name, item]) => `${name}: ${shownValue(item, names)}`)
      .join(', ')}}`
  }
  return isAddress(value) ? nameOf(value, names) : String(value)
}

function codeOf(value: unknown, names: Names): string {
  if (Array.isArray(value)) return `[${value.map((item) => codeOf(item, names)).join(', ')}]`
  if (isRecord(value)) {
    return `{ ${Object.entries(value)
      .map(([name, item]) => `${name}: ${codeOf(item, names)}`)
      .join(', ')} }`
  }
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'string') return String(value)
  return names.get(value.toLowerCase() as Address)?.address ?? `'${value.replaceAll("'", "\\'")}'`
}
