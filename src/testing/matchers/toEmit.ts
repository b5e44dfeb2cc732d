import type { Abi, Decoded, Devnet } from '../../index.ts'
import { checksummed } from '../../model/account/account.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import { counted } from '../../model/api/text.ts'
import { attend, type Given, type Log, type OnDevnet, outcomeOf } from './outcome.ts'
import { requireItem, unexpectedFailure } from './revert.ts'
import { describedExpectation, differences, type ExpectedArgs, shown } from './sameValue.ts'
import { decodedByOne, type Verdict } from './verdict.ts'

export interface EmitOptions extends OnDevnet {
  /** The address of the contract that must emit the event. By default any contract may emit it. */
  readonly address?: string | undefined
}

const EMIT_OPTIONS = namesOf<EmitOptions>({ devnet: true, address: true })

const LISTED = 12

export async function toEmit(
  given: Given,
  abi: Abi,
  name: string,
  args?: ExpectedArgs,
  options: EmitOptions = {},
): Promise<Verdict> {
  attend(given)
  requireOptions('toEmit', options, EMIT_OPTIONS)
  const { devnet, address } = options
  requireItem(abi, 'event', name)
  const outcome = await outcomeOf(given, options)
  if (outcome.kind === 'failed') {
    const wanted = `the transaction to emit ${name}`
    throw await unexpectedFailure(outcome.failure, wanted, devnet, abi)
  }
  if (outcome.kind === 'answered') {
    throw new Error(
      `expected a transaction that emits ${name}, but the request answered ${shown(outcome.value)}`,
    )
  }
  const events = await Promise.all(outcome.logs.map((log) => eventOf(log, abi, devnet)))
  const named = events.filter(({ log, own }) => own?.name === name && isFrom(log, address))
  const wanted = `${describedExpectation(name, args)}${address === undefined ? '' : ` of ${address}`}`
  const compared = named.map(({ text, own }) => ({ text, lines: differences(own!, args) }))
  const matching = compared.find(({ lines }) => lines.length === 0)
  if (matching !== undefined) {
    return { pass: true, message: () => `expected no event ${wanted}, but there was ${matching.text}` }
  }
  const near = compared.length === 1 ? compared[0]!.lines : []
  return {
    pass: false,
    message: () => [`expected the event ${wanted}, but ${listed(events)}`, ...near].join('\n  '),
  }
}

interface Event {
  readonly log: Log
  /** The event decoded by the ABI that the test passed; `undefined` if this ABI does not have it. */
  readonly own: Decoded | undefined
  readonly text: string
}

async function eventOf(log: Log, abi: Abi, devnet: Devnet | undefined): Promise<Event> {
  const { Abis } = await import('../../index.ts')
  const abis = new Abis()
  abis.add(abi)
  const own = await abis.decodeEvent(log)
  const decoded = own ?? (await decodedByOne(devnet, (abis) => abis.decodeEvent(log)))
  const text = decoded?.text ?? `a log with the topics ${shown(log.topics)}`
  return { log, own, text: `${text} of ${checksummed(log.address.toLowerCase() as `0x${string}`)}` }
}

function isFrom({ address }: Log, wanted: string | undefined): boolean {
  return wanted === undefined || wanted.toLowerCase() === address.toLowerCase()
}

function listed(events: readonly Event[]): string {
  if (events.length === 0) return 'the transaction emitted no events'
  const lines = events.slice(0, LISTED).map(({ text }) => `\n  ${text}`)
  const rest = events.length - LISTED
  return `these were emitted:${lines.join('')}${rest > 0 ? `\n  and ${counted(rest, 'other')}` : ''}`
}
