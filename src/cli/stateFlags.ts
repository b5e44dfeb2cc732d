/** The flags of state files: what is loaded, and what is dumped when. */
import { InvalidFlag } from './flagTable.ts'
import type { Invocation } from './invocation.ts'

export interface StateFlags {
  readonly state?: string
  readonly loadState?: string
  readonly dumpState?: string
  readonly stateInterval?: string
}

/** Returns the state files that the flags name. Throws `InvalidFlag` for flags that do not go together. */
export function stateFilesOf({
  state,
  loadState,
  dumpState,
  stateInterval,
}: StateFlags): Pick<Invocation, 'load' | 'dump'> {
  const other = loadState === undefined ? dumpState && '--dump-state' : '--load-state'
  if (state !== undefined && other !== undefined) {
    throw new InvalidFlag(`${other}: expected nothing beside --state, which loads and dumps`)
  }
  const dumped = state ?? dumpState
  if (stateInterval !== undefined && dumped === undefined) {
    throw new InvalidFlag('--state-interval: expected --state or --dump-state beside it')
  }
  const loaded = state ?? loadState
  const [toLoad, toDump] = state === undefined ? ['--load-state', '--dump-state'] : ['--state', '--state']
  return {
    load:
      loaded === undefined ? undefined : { file: loaded, flag: toLoad!, mayBeMissing: state !== undefined },
    dump:
      dumped === undefined ? undefined : { file: dumped, flag: toDump!, everyMs: intervalOf(stateInterval) },
  }
}

const MAX_INTERVAL_SECONDS = 86_400

function intervalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds <= MAX_INTERVAL_SECONDS) return seconds * 1_000
  throw new InvalidFlag(
    `--state-interval: expected seconds (above 0, at most ${MAX_INTERVAL_SECONDS}), got "${text}"`,
  )
}
