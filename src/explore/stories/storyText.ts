/** Stories as values and as text, such as `act 1; lost; tick; tick 2; reorg 1 wait; tick`. */
import { proposal } from '../../model/api/text.ts'

/** The kinds of faults in stories, in the order in which they are tried. */
export const FAULT_KINDS = [
  'slice',
  'lost',
  'late',
  'repeated',
  'absent',
  'stale',
  'dropped',
  'reordered',
  'reorg',
  'reorgL1',
  'withheld',
  'slow',
  'refused',
  'lagging',
  'unanswered',
  'cut',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** A fault, with the words that follow its name in the text: `reorg 1 wait` has the arguments `1` and `wait`. */
export interface StoryFault {
  readonly kind: FaultKind
  readonly args: readonly string[]
}

/** An act (its number, from 1) or a tick, and the faults that happen immediately before it or in it. */
export interface Move {
  readonly act?: number
  readonly faults: readonly StoryFault[]
}

/** The order of acts, ticks and faults. Parsed by `story`. */
export type Story = readonly Move[]

/** Parses the text of a story, as an error of `everyStory` shows it. Throws a `TypeError` that names the wrong part. */
export function story(text: string): Story {
  const moves: Move[] = []
  let faults: StoryFault[] = []
  for (const part of text.split(';')) {
    const [name = '', ...args] = part.trim().split(/\s+/)
    if (name === 'act') {
      moves.push({ act: countOf(args, part), faults })
      faults = []
    } else if (name === 'tick') {
      const count = args.length === 0 ? 1 : countOf(args, part)
      for (let i = 0; i < count; i++) moves.push({ faults: i === 0 ? faults : [] })
      faults = []
    } else if (name !== '') faults.push({ kind: kindOf(name), args })
  }
  if (faults.length > 0) throw new TypeError(`story: expected an act or a tick after "${textOf(faults[0]!)}"`)
  return moves
}

function countOf([word, ...rest]: readonly string[], part: string): number {
  if (rest.length === 0 && /^[1-9]\d{0,3}$/.test(word ?? '')) return Number(word)
  throw new TypeError(
    `story: expected "act 1" or "tick 2", with a number from 1 to 9999, got "${part.trim()}"`,
  )
}

function kindOf(name: string): FaultKind {
  const found = FAULT_KINDS.find((kind) => kind === name)
  if (found !== undefined) return found
  throw new TypeError(
    `story: expected an act, a tick or a fault, got "${name}"; ${proposal(name, ['act', 'tick', ...FAULT_KINDS])}`,
  )
}

/** Returns the text that `story` parses. */
export function storyText(moves: Story): string {
  const parts: string[] = []
  let ticks = 0
  const endTicks = () => {
    if (ticks > 0) parts.push(ticks === 1 ? 'tick' : `tick ${ticks}`)
    ticks = 0
  }
  for (const { act, faults } of moves) {
    if (act !== undefined || faults.length > 0) endTicks()
    parts.push(...faults.map(textOf))
    if (act === undefined) ticks++
    else parts.push(`act ${act}`)
  }
  endTicks()
  return parts.join('; ')
}

/** Returns a story without faults: acts with `gap()` ticks between them, and `ticks` after the last. */
export function calmStory(acts: number, gap: () => number, ticks: number): Story {
  const tick = (count: number): Move[] => Array.from({ length: count }, () => ({ faults: [] }))
  const acted = Array.from({ length: acts }, (_, i) => [
    ...(i === 0 ? [] : tick(gap())),
    { act: i + 1, faults: [] },
  ])
  return [...acted.flat(), ...tick(ticks)]
}

export function textOf({ kind, args }: StoryFault): string {
  return [kind, ...args].join(' ')
}

/** Returns a story without ticks at its end, which are rarely needed, because every story ends with ticks. */
export function withoutLastTicks(moves: Story): Story {
  return moves.slice(0, moves.findLastIndex(({ act, faults }) => act !== undefined || faults.length > 0) + 1)
}

export function faultCount(moves: Story): number {
  return moves.reduce((sum, { faults }) => sum + faults.length, 0)
}
