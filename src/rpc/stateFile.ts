/** State files: all of a chain written down, and read into a devnet in place of what it had. */
import type { Chain } from '../chain/chain.ts'
import { chainOf } from '../chain/chainOf.ts'
import type { Kept } from '../chain/history.ts'
import type { Block } from '../model/block/block.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import type { Address, Hash } from '../model/bytes/hex.ts'
import { type ForkSchedule, uniformSchedule } from '../model/hardfork/forkSchedule.ts'
import { HARDFORKS, type Hardfork } from '../model/hardfork/hardfork.ts'
import type { SavedHead, SavedRecord, WholeBlock } from '../model/savedChain.ts'
import { Pool } from '../pool/pool.ts'
import { NO_CHEATS } from '../sequencer/cheats.ts'
import { breathe } from '../sequencer/clock.ts'
import { flawInFields } from '../sequencer/import/flawInHeader.ts'
import { MarkRebuilder, markRecords } from '../sequencer/markRecords.ts'
import type { Mark } from '../sequencer/marks.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { encodeForkConfig } from '../wire/forkConfig.ts'
import { InvalidValue, shown } from '../wire/parser.ts'
import { lineAt } from '../wire/stateFile/lineAt.ts'
import { LoadFailed } from '../wire/stateFile/loadFailed.ts'
import { parseAnvilState } from '../wire/stateFile/parseAnvilState.ts'
import { readStateFile, type StatePart } from '../wire/stateFile/readStateFile.ts'
import { writeStateFile } from '../wire/stateFile/writeStateFile.ts'

interface Home {
  readonly sequencer: Sequencer
  readonly chain: Chain
}

/** The state file of now, in pieces that are made when they are asked for; what happens meanwhile is not in it. */
export function dumpState({ sequencer }: Pick<Home, 'sequencer'>): Generator<Uint8Array> {
  return dumpMark(sequencer, sequencer.marks.now)
}

/** The state file of `mark`, which the sequencer can go to. */
export function dumpMark({ schedule, blockSettings }: Sequencer, mark: Mark): Generator<Uint8Array> {
  const { coinbase, randaoSeed } = blockSettings
  return writeStateFile(allRecords({ kind: 'head', schedule, coinbase, randaoSeed }, mark))
}

function* allRecords(head: SavedHead, mark: Mark): Generator<SavedRecord> {
  yield head
  yield* markRecords(mark)
}

/**
 * Reads a state file, ours or anvil's, beside the chain, and puts what it says in the chain's place. Answers the newest
 * block. Throws `LoadFailed`, and then nothing has changed.
 */
export async function loadState(home: Home, source: ByteSource, limit?: number): Promise<Block> {
  const { sequencer } = home
  return sequencer.clock.inTurn(
    () => readMark(home, source, limit),
    async (mark) => {
      await sequencer.marks.load(mark)
      return mark.chain.history.latest.block
    },
  )
}

/** What a state file, ours or anvil's, says, for the sequencer to go to. Throws `LoadFailed`. */
export async function readMark(
  { sequencer, chain }: Home,
  source: ByteSource,
  limit?: number,
): Promise<Mark> {
  const { schedule } = sequencer
  const keep = chain.options
  const rebuilder = new MarkRebuilder(keep)
  for await (const part of readStateFile(source, limit)) {
    switch (part.kind) {
      case 'anvil':
        return anvilMark(part, schedule, keep)
      case 'head':
        requireRules(part.head.schedule, schedule)
        break
      case 'records':
        addAll(rebuilder, part)
        // Questions that come meanwhile are answered.
        await breathe()
        break
      case 'end': {
        const mark = rebuilder.finish()
        if ('chain' in mark) return mark
        throw new LoadFailed(part.line, mark.expected, mark.received)
      }
    }
  }
  throw new Error('a state file has an end, or is refused')
}

function addAll(rebuilder: MarkRebuilder, { records }: Extract<StatePart, { kind: 'records' }>): void {
  for (const { line, record } of records) {
    const misfit = rebuilder.add(record)
    if (misfit !== undefined) throw new LoadFailed(line, misfit.expected, misfit.received)
  }
}

function anvilMark(
  { value, text }: Extract<StatePart, { kind: 'anvil' }>,
  schedule: ForkSchedule,
  keep: Kept,
): Mark {
  try {
    const blocks = parseAnvilState(value, schedule)
    requireFields(blocks, schedule)
    const chain = chainOf(blocks, keep)
    const nowMs = Number(chain.history.latest.block.header.timestamp) * 1_000
    return { chain, pool: new Pool().contents, clock: { nowMs, lastTickMs: nowMs }, cheats: NO_CHEATS }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    const { path, expected } = error
    throw new LoadFailed(lineAt(text, path).line, expected, shown(error.value), path)
  }
}

/** anvil writes down no hardfork: what its blocks have tells it. */
function requireFields(blocks: readonly WholeBlock[], schedule: ForkSchedule): void {
  for (const { block } of blocks) {
    const { header } = block
    const rules = schedule.at(header)
    const flaw = flawInFields(rules, header)
    if (flaw === undefined) continue
    const expected = `headers as under ${rules.hardfork}, the hardfork of this devnet (option hardfork)`
    throw new InvalidValue('blocks', expected, `block ${header.number}, which differs in ${flaw.field}`)
  }
}

function requireRules(theirs: ForkSchedule, ours: ForkSchedule): void {
  if (configText(theirs) === configText(ours)) return
  const wanted = `the rules of this devnet (${rulesText(ours)})`
  throw new LoadFailed(1, wanted, `${rulesText(theirs)}; make a devnet with ${optionsText(theirs)}`, 'config')
}

function configText(schedule: ForkSchedule): string {
  return JSON.stringify(encodeForkConfig(schedule))
}

function rulesText(schedule: ForkSchedule): string {
  return `chain id ${schedule.chainId}, ${uniformHardfork(schedule) ?? 'hardforks as in config'}`
}

function optionsText(schedule: ForkSchedule): string {
  const hardfork = uniformHardfork(schedule)
  return hardfork === undefined
    ? 'genesis: { config, alloc: {} }, with the config of this line'
    : `chainId: ${schedule.chainId}, hardfork: '${hardfork}'`
}

/** The one hardfork that holds from the beginning, if no other ever does, and none is as another chain has it. */
function uniformHardfork(schedule: ForkSchedule): Hardfork | undefined {
  const last = schedule.forks.at(-1)!.hardfork
  const hardfork = HARDFORKS.find((name) => name === last)
  if (hardfork === undefined) return undefined
  return configText(uniformSchedule(hardfork, schedule.chainId)) === configText(schedule)
    ? hardfork
    : undefined
}

/** What a state file says of its chain, as options for a devnet into which it can be loaded. */
export interface StateOptions {
  readonly chainId: number
  /** `undefined`: several, one after the other. */
  readonly hardfork: Hardfork | undefined
  /** The same two as a genesis.json, whose block 0 is as good as any: the file has its own. */
  readonly genesis: object
  readonly coinbase: Address
  readonly randaoSeed: Hash
}

/** What the beginning of a state file says; `undefined` for one of anvil, which says nothing. Throws `LoadFailed`. */
export async function stateOptions(source: ByteSource): Promise<StateOptions | undefined> {
  for await (const part of readStateFile(source)) {
    if (part.kind !== 'head') return undefined
    const { schedule, coinbase, randaoSeed } = part.head
    return {
      chainId: Number(schedule.chainId),
      hardfork: uniformHardfork(schedule),
      genesis: { config: encodeForkConfig(schedule), alloc: {} },
      coinbase,
      randaoSeed,
    }
  }
  return undefined
}
