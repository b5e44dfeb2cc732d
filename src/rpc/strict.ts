/** Strict mode of a port: exactly the methods and rules of the simulated service's specification ("seed" in errors). */

import { shown } from '../wire/parser.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND } from './errors/errorCodes.ts'
import { Problem } from './errors/problem.ts'
import type { Answer, Dispatch, Request } from './request.ts'
import type { Subscriptions } from './subscriptions.ts'

function sectionText(section: string): string {
  return `seed section ${section}`
}

interface Rule {
  readonly section: string
  /** Returns the first violated rule that the parsers of the method do not check. */
  readonly check?: (params: readonly unknown[]) => Violation | undefined
}

interface Violation {
  readonly section: string
  readonly argument: number
  readonly text: string
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['eth_getLogs', { section: '4.2', check: ([filter]) => requireCriterion(filter) }],
  ['eth_call', { section: '4.3', check: ([call, block]) => requireTo(call) ?? requireBlock(block, '4.3') }],
  ['eth_estimateGas', { section: '4.4' }],
  ['eth_getTransactionCount', { section: '4.5', check: ([, block]) => requireBlock(block, '4.5') }],
  ['eth_getCode', { section: '4.6', check: ([, block]) => requireBlock(block, '4.6') }],
  ['eth_getBalance', { section: '4.7', check: ([, block]) => requireBlock(block, '4.7') }],
])

const SUBSCRIPTIONS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['eth_subscribe', { section: '6', check: ([kind]) => requirePendingLogs(kind) }],
  ['eth_unsubscribe', { section: '6' }],
])

const CRITERIA = ['fromBlock', 'toBlock', 'address', 'topics', 'blockHash']

export function strict(dispatch: Dispatch): Dispatch {
  return (request, subscriptions, startWork) => {
    const rule = RULES.get(request.method) ?? subscriptionRule(request, subscriptions)
    if (rule === undefined) return unknownMethod(request)
    const violation = rule.check?.(request.params)
    if (violation !== undefined) return violated(violation)
    const answer = dispatch(request, subscriptions, startWork)
    return answer instanceof Promise
      ? answer.then((late) => withSection(late, rule))
      : withSection(answer, rule)
  }
}

function subscriptionRule({ method }: Request, subscriptions: Subscriptions | undefined): Rule | undefined {
  const rule = SUBSCRIPTIONS.get(method)
  // Over HTTP the subscription methods do not exist, and the wrapped dispatch returns an error for them.
  return rule && subscriptions === undefined ? { section: rule.section } : rule
}

function unknownMethod({ method }: Request): Answer {
  const text = `the method ${method} does not exist: strict mode knows the six methods of section 4`
  return {
    kind: 'error',
    error: { code: METHOD_NOT_FOUND, message: text, data: sectionText('4.8') },
    cause: undefined,
  }
}

function violated({ section, argument, text }: Violation): Answer {
  const message = `invalid argument ${argument}: ${text}`
  return {
    kind: 'error',
    error: { code: INVALID_PARAMS, message, data: sectionText(section) },
    cause: undefined,
  }
}

/** Puts the section of the method at the beginning of an error's data. Does not change revert data. */
function withSection(answer: Answer, { section }: Rule): Answer {
  if (answer.kind !== 'error') return answer
  // In strict mode errors have no stack trace.
  const { stackTrace: _, ...plain } = answer
  if (plain.cause instanceof Problem && plain.cause.problem.kind === 'revert') return plain
  const { data } = plain.error
  const named = sectionText(section)
  return { ...plain, error: { ...plain.error, data: data === undefined ? named : `${named}: ${data}` } }
}

function requireBlock(block: unknown, section: string): Violation | undefined {
  if (block !== undefined && block !== null) return undefined
  return { section, argument: 1, text: 'params[1]: expected a block selector, got nothing' }
}

function requirePendingLogs(kind: unknown): Violation | undefined {
  if (kind === 'pendingLogs') return undefined
  return { section: '6', argument: 0, text: `params[0]: expected "pendingLogs", got ${shown(kind)}` }
}

function requireTo(call: unknown): Violation | undefined {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return undefined
  if ('to' in call && call.to !== null) return undefined
  return { section: '2.4', argument: 0, text: 'params[0].to: expected a 20-byte address, got nothing' }
}

function requireCriterion(filter: unknown): Violation | undefined {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return undefined
  if (CRITERIA.some((name) => (filter as Record<string, unknown>)[name] != null)) return undefined
  const text = `params[0]: expected at least one of ${CRITERIA.join(', ')}, got none`
  return { section: '2.2', argument: 0, text }
}
