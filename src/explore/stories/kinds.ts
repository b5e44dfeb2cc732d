/** The kinds of faults: where each can happen, and how it is brought about. */
import type { Address } from '../../bytes/hex.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { chosenAt } from '../../faults/devnetFaults.ts'
import type { FaultForm } from '../../faults/faultJson.ts'
import { grouped } from '../../model/collections/grouped.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { isRead, type Requests } from './requests.ts'
import type { FaultKind, StoryFault } from './storyText.ts'

/** The circumstances of a step, from which follows which faults can happen. */
export interface Place {
  /** The senders of the transactions that the slice of this tick can include, in their usual order. */
  readonly ready: readonly Address[]
  /** The transactions of the block that this tick seals. */
  readonly sealed: readonly Pick<Transaction, 'hash' | 'from'>[]
  /** The depths of reorgs that remove transactions. Empty if nothing happened in the step before. */
  readonly depths: readonly number[]
  /** The same for reorgs of the L1 beside an L2. */
  readonly depthsOnL1: readonly number[]
  /** The sequencing window, if this tick seals a block of an L2 with an L1. */
  readonly window: number | undefined
  /** The methods that the app requests in this step. */
  readonly requests: readonly string[]
  /** Whether connections can be cut, and something happened in the step before. */
  readonly hasPort: boolean
  readonly ticksPerBlock: number
}

/** The parts of a devnet on which faults act. */
export interface Stage {
  readonly devnet: Devnet
  readonly requests: Requests
  readonly place: Place
  /** Chooses the transactions of the slice of the next tick. */
  choose: ((ready: readonly Transaction[]) => readonly Transaction[]) | undefined
  note(text: string): void
}

/** Ends a fault that has not happened, and returns whether it has. */
export type End = () => boolean | Promise<boolean>

interface Kind {
  /** The arguments with which the fault can happen in a step. */
  choices(place: Place): readonly (readonly string[])[]
  begin(stage: Stage, args: readonly string[]): End | Promise<End>
}

const ONCE = { times: 1 } as const
/** The name for a slice without transactions. */
const NONE = 'none'

/** A fault of the slice of a tick, tried if the slice can have transactions. */
function ofSlice(form: (ticksPerBlock: number) => FaultForm): Kind {
  return {
    choices: ({ ready }) => (ready.length > 0 ? [[]] : []),
    begin: (stage) => planned(stage, { ...form(Math.max(1, stage.place.ticksPerBlock)), when: ONCE }),
  }
}

function ofRequest(isPossible: (method: string) => boolean, begin: Kind['begin']): Kind {
  return {
    choices: ({ requests }) => requests.filter(isPossible).map((method) => [method]),
    begin,
  }
}

/** A reorg of the chain that `chainOf` returns. */
function reorgOf(
  depthsAt: (place: Place) => readonly number[],
  chainOf: (stage: Stage) => Devnet | undefined,
): Kind {
  return {
    choices: (place) =>
      depthsAt(place).flatMap((depth) =>
        ['keep', 'wait', 'drop'].map((transactions) => [String(depth), transactions]),
      ),
    async begin(stage, [depth, transactions]) {
      const chain = chainOf(stage)
      if (chain === undefined || Number(depth) > chain.wires.context.chain.removable) return () => false
      await chain.faults.reorg({ depth: Number(depth), transactions: transactions as 'keep' })
      return () => true
    },
  }
}

const isAny = () => true

export const KINDS: Readonly<Record<FaultKind, Kind>> = {
  slice: {
    choices: ({ ready }) =>
      selections(ready).map((indices) => (indices.length === 0 ? [NONE] : indices.map(String))),
    begin(stage, args) {
      const indices = args[0] === NONE ? [] : args.map(Number)
      let happened = false
      stage.devnet.wires.context.observer?.onCommand('chooseSlice', indices)
      stage.choose = (ready) => {
        const chosen = chosenAt(ready, indices)
        happened = chosen.length !== ready.length || chosen.some((transaction, i) => transaction !== ready[i])
        return chosen
      }
      return () => happened
    },
  },
  lost: ofSlice(() => ({ kind: 'omitSlice' })),
  late: ofSlice(() => ({ kind: 'delaySlice', slices: 1 })),
  repeated: ofSlice(() => ({ kind: 'duplicateSlice' })),
  absent: ofSlice((slices) => ({ kind: 'absentPending', slices })),
  stale: ofSlice((slices) => ({ kind: 'stalePending', slices })),
  dropped: {
    choices: ({ sealed }) =>
      ['never', 'next'].flatMap((lands) => sealed.slice(0, MOST).map((_, i) => [lands, String(i + 1)])),
    begin(stage, [lands, index]) {
      const hash = stage.place.sealed[Number(index) - 1]?.hash
      return hash === undefined
        ? () => false
        : planned(stage, { kind: 'dropTransaction', lands, hash, when: ONCE })
    },
  },
  reordered: {
    choices: ({ sealed }) => (grouped(sealed, ({ from }) => from).size > 1 ? [[]] : []),
    begin: (stage) => planned(stage, { kind: 'sealDifferently', order: 'reversed', when: ONCE }),
  },
  reorg: reorgOf(
    ({ depths }) => depths,
    ({ devnet }) => devnet,
  ),
  reorgL1: reorgOf(
    ({ depthsOnL1 }) => depthsOnL1,
    ({ devnet }) => devnet.l1,
  ),
  withheld: {
    choices: ({ window }) =>
      window === undefined
        ? []
        : [...new Set([SHORT, window])].filter((count) => count <= LONGEST).map((count) => [String(count)]),
    begin: (stage, [l1Blocks]) =>
      planned(stage, { kind: 'withholdBatches', l1Blocks: Number(l1Blocks), when: ONCE }),
  },
  slow: ofRequest(isAny, ({ requests, note }, [method = '']) => {
    const end = requests.slow(method)
    return () => noted(end(), () => note(`${method} is answered one step later`))
  }),
  refused: ofRequest(isAny, (stage, [method]) =>
    planned(stage, { kind: 'httpStatus', method, status: 503, when: ONCE }, `${method} is refused (503)`),
  ),
  lagging: ofRequest(isRead, ({ requests, note }, [method = '']) => {
    const end = requests.lag(method)
    return () => noted(end(), () => note(`${method} is answered by a replica that lags one step`))
  }),
  unanswered: {
    choices: ({ requests }) =>
      requests.flatMap((method) => (isRead(method) ? [[method]] : [[method], [method, 'request']])),
    begin: (stage, [method, lost = 'answer']) =>
      planned(
        stage,
        { kind: 'timeout', method, lost, when: ONCE },
        `${method} is never answered${lost === 'request' ? ', and does not arrive' : ''}`,
      ),
  },
  cut: {
    choices: ({ hasPort }) => (hasPort ? [[]] : []),
    begin({ devnet, note }) {
      const count = devnet.faults.cutWebSockets()
      return () => noted(count > 0, () => note('the WebSocket connections are cut'))
    },
  },
}

/** The usual number of L1 blocks without batches, and the longest sequencing window that ends in a story. */
const [SHORT, LONGEST] = [2, 8]

/** Returns all faults of `kinds` that can happen at a place, in the order in which they are tried. */
export function faultsAt(place: Place, kinds: readonly FaultKind[]): readonly StoryFault[] {
  return kinds.flatMap((kind) => KINDS[kind].choices(place).map((args) => ({ kind, args })))
}

function noted(happened: boolean, note: () => void): boolean {
  if (happened) note()
  return happened
}

/** Plans a fault of the devnet. `text` describes it if the devnet reports no event of the chain. */
async function planned({ devnet, note }: Stage, form: FaultForm, text?: string): Promise<End> {
  const id = await devnet.faults.add(form)
  return async () => {
    const isPlanned = devnet.faults.list().some((fault) => fault.id === id)
    if (isPlanned) await devnet.faults.remove(id)
    else if (text !== undefined) note(text)
    return !isPlanned
  }
}

/** The number of transactions up to which all selections of a slice are tried, and each is dropped. */
const MOST = 3

/**
 * Returns the selections of ready transactions that a slice can include, except the usual one, as numbers from 1: all
 * that keep the order of each sender. Of more than three, only few are tried.
 */
function selections(senders: readonly Address[]): number[][] {
  const all = senders.map((_, i) => i + 1)
  if (all.length === 0) return []
  if (all.length > MOST) {
    const reversed = [...grouped(all, (index) => senders[index - 1]).values()].reverse().flat()
    const lacking = all.map((left) => all.filter((index) => index !== left))
    return [[], ...lacking, reversed].filter(isPossible(senders))
  }
  const found: number[][] = []
  const extend = (chosen: number[]) => {
    if (chosen.length < all.length || chosen.some((index, i) => index !== i + 1)) found.push(chosen)
    for (const index of all) if (!chosen.includes(index)) extend([...chosen, index])
  }
  extend([])
  return found.filter(isPossible(senders))
}

/** Returns whether each sender's transactions are chosen from the first on, in their order. */
function isPossible(senders: readonly Address[]): (chosen: readonly number[]) => boolean {
  return (chosen) =>
    [...grouped(chosen, (index) => senders[index - 1]).entries()].every(([sender, indices]) => {
      const own = senders.flatMap((other, i) => (other === sender ? [i + 1] : []))
      return indices.every((index, i) => index === own[i])
    })
}
