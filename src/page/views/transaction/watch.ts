/** Watched expressions of the debugger, such as `balances[msg.sender]`: their values at a step, and their changes. */

import type { DebugRunAnswer, StorageAccessAnswer } from '../../../wire/debugRun.ts'
import { localsAt, messageAround, type Variable } from './debugRun.ts'

/** A literal, or a variable with keys and members. */
type Watched =
  | { readonly literal: string }
  | {
      readonly root: string
      readonly parts: readonly { readonly by: 'member' | 'key'; readonly of: Watched }[]
    }

const TOKEN = /\s*([A-Za-z_$][\w$]*|0x[0-9a-fA-F]+|-?\d+|"(?:[^"\\]|\\.)*"|[.[\]])\s*/y

/** Parses an expression such as `balances[msg.sender]` or `orders[i].note`; returns `undefined` for other texts. */
export function parseWatch(text: string): Watched | undefined {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const [, token] = TOKEN.exec(text) ?? []
    if (token === undefined) return undefined
    tokens.push(token)
  }
  const parsed = parseFrom(tokens)
  return tokens.length === 0 ? parsed : undefined
}

/** Parses an expression at the beginning of `tokens`, and removes its tokens. */
function parseFrom(tokens: string[]): Watched | undefined {
  const root = tokens.shift()
  if (root === undefined || /^[.[\]]/.test(root)) return undefined
  if (!/^[A-Za-z_$]/.test(root)) return { literal: root }
  const parts: { by: 'member' | 'key'; of: Watched }[] = []
  while (tokens[0] === '.' || tokens[0] === '[') {
    const by = tokens.shift() === '.' ? 'member' : 'key'
    const of = by === 'member' ? { literal: tokens.shift() ?? '' } : parseFrom(tokens)
    if (of === undefined || (by === 'key' && tokens.shift() !== ']')) return undefined
    parts.push({ by, of })
  }
  return { root, parts }
}

/** The step and the frame in whose scope names are found, and the values of `block`, such as `number`. */
export interface WatchScope {
  readonly run: Pick<DebugRunAnswer, 'frames' | 'steps'>
  readonly at: number
  readonly frame: number
  readonly block: Readonly<Record<string, unknown>>
}

export type WatchedValue = Omit<Variable, 'name'>

/** Returns the value of an expression at a step. A state variable has a value only if the run accesses it. */
export function watchedAt(scope: WatchScope, watched: Watched): WatchedValue {
  const found = resolved(scope, watched)
  return 'stored' in found ? storedAt(scope, found.stored) : found
}

/** Returns the nearest step (`by` 1: forward) that writes the state variable, or at which the local one differs. */
export function changeFrom(scope: WatchScope, watched: Watched, by: 1 | -1): number | undefined {
  const { run, at, frame } = scope
  const now = resolved(scope, watched)
  const { address } = messageOf(scope)
  for (let i = at + by; i >= 0 && i < run.steps.length; i += by) {
    const { frame: own, variables, storage } = run.steps[i]!
    if ('stored' in now) {
      const isWrite = (one: StorageAccessAnswer) =>
        one.kind === 'write' && one.address === address && isWithin(one, now.stored)
      if (storage.some(isWrite)) return i
    } else if (own === frame && variables !== undefined) {
      if (JSON.stringify(resolved({ ...scope, at: i }, watched)) !== JSON.stringify(now)) return i
    }
  }
  return undefined
}

function resolved(scope: WatchScope, watched: Watched): WatchedValue | { readonly stored: string } {
  if ('literal' in watched) return { value: watched.literal }
  const { root } = watched
  const path = watched.parts.map(({ by, of }) => ({
    by,
    text: by === 'member' ? nameOf(of) : keyIn(scope, of),
  }))
  const globals: Readonly<Record<string, object>> = { msg: callerOf(scope), block: scope.block }
  const locals = localsAt(scope.run, scope.frame, scope.at) ?? []
  const local = [...locals, ...(messageOf(scope).immutables ?? [])].find(({ name }) => name === root)
  if (local !== undefined) return partOf({ ...local }, path)
  return root in globals ? partOf({ value: globals[root] }, path) : { stored: storedName(root, path) }
}

interface Part {
  readonly by: 'member' | 'key'
  readonly text: string
}

function nameOf(of: Watched): string {
  return 'literal' in of ? of.literal : of.root
}

/** Returns a key as text. A name without a value, such as an enum member, is the key itself. */
function keyIn(scope: WatchScope, of: Watched): string {
  if ('literal' in of) return of.literal
  const { value, type = '' } = watchedAt(scope, of)
  if (value === undefined) return of.parts.length === 0 ? of.root : '?'
  return type.startsWith('string') ? JSON.stringify(value) : String(value)
}

function messageOf({ run, frame }: WatchScope) {
  return run.frames[messageAround(run, frame)]!
}

/** Returns `msg.sender` and `msg.value`. A delegate call has the same as the call that made it. */
function callerOf({ run, frame }: WatchScope) {
  let at = messageAround(run, frame)
  for (
    let one = run.frames[at]!;
    one.call === 'DELEGATECALL' && one.parent !== undefined;
    one = run.frames[at]!
  ) {
    at = messageAround(run, one.parent)
  }
  const { from: sender, value } = run.frames[at]!
  return { sender, value: value === undefined ? undefined : String(BigInt(value)) }
}

function partOf(whole: WatchedValue, path: readonly Part[]): WatchedValue {
  let { value } = whole
  for (const { by, text } of path) {
    if (value === undefined || value === null) break
    const isLength = by === 'member' && text === 'length' && Array.isArray(value)
    value = isLength ? (value as readonly unknown[]).length + (whole.omitted ?? 0) : Object(value)[text]
  }
  if (value !== undefined && value !== null) return path.length === 0 ? whole : { value }
  return { reason: whole.reason ?? 'no such part is shown' }
}

/** Returns the `name` of accesses to a storage variable, with hex digits in lower case. */
function storedName(root: string, path: readonly Part[]): string {
  return lowered(root + path.map(({ by, text }) => (by === 'member' ? `.${text}` : `[${text}]`)).join(''))
}

function lowered(name: string): string {
  return name.replace(/0x[0-9a-fA-F]+/g, (hex) => hex.toLowerCase())
}

function isWithin({ name }: StorageAccessAnswer, outer: string): boolean {
  const own = name === undefined ? '' : lowered(name)
  return own === outer || own.startsWith(`${outer}.`) || own.startsWith(`${outer}[`)
}

/** Returns the value of a state variable after a step; before the first access, the value that this access replaces. */
function storedAt(scope: WatchScope, name: string): WatchedValue {
  const { address } = messageOf(scope)
  const parts = new Map<string, StorageAccessAnswer>()
  for (const [i, { storage }] of scope.run.steps.entries()) {
    for (const access of storage) {
      if (access.address !== address || !isWithin(access, name)) continue
      const part = lowered(access.name ?? '').slice(name.length)
      if (i <= scope.at) parts.set(part, access)
      else if (!parts.has(part)) parts.set(part, { ...access, value: access.before ?? access.value })
    }
  }
  const whole = parts.get('')
  if (parts.size === 0) return { reason: 'not accessed in this run' }
  if (whole !== undefined && parts.size === 1) return { value: whole.value, type: whole.type }
  return {
    value: Object.fromEntries(
      [...parts].map(([part, { value }]) => [part.replace(/^\./, '') || 'length', value]),
    ),
  }
}
