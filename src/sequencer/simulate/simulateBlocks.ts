/**
 * Makes blocks that nobody else ever sees (eth_simulateV1), with geth's choices where the specification has none: the same
 * headers, roots and hashes as if they had been made, on a world that may be otherwise.
 */
import type { Moment } from '../../chain/moment.ts'
import type { Evms } from '../../evm/evms.ts'
import type { SimulationRules } from '../../evm/precompileMoves.ts'
import { DEFAULT_CALL_GAS } from '../../evm/runCall.ts'
import type { Hash } from '../../model/bytes/hex.ts'
import type { Simulation } from '../../model/execution/simulation.ts'
import type { Work } from '../../model/work/work.ts'
import { type LayoutFlaw, layOut } from '../block/layOut.ts'
import { type BlockRequestFlaw, type SimulatedBlock, simulateBlock } from './simulateBlock.ts'
import { positionAfter, simulatedHeader } from './simulatedHeader.ts'

/** Gas of all calls of a simulation together: what geth and RETH let one question use. */
const SIMULATION_GAS = DEFAULT_CALL_GAS

/** What a simulation begins with. */
export interface SimulationBase {
  readonly evms: Evms
  /** What the simulation is a part of. */
  readonly work: Work
  /** The block that the first one comes after, and the state that it left. */
  readonly base: Moment
  /** The hash of a block before the base. */
  blockHash(number: bigint): Hash | undefined
  readonly rules: SimulationRules
}

/** Why there are no such blocks: which of those that were asked for cannot be, by its index. */
export type SimulationFlaw = LayoutFlaw | (BlockRequestFlaw & { readonly index: number })

/** The blocks of `simulation`, one on the other, or the first thing that is wrong with it. */
export async function simulateBlocks(
  { evms, work, base, blockHash: hashBefore, rules }: SimulationBase,
  simulation: Simulation,
): Promise<readonly SimulatedBlock[] | SimulationFlaw> {
  const row = layOut(base.block.header, simulation.blocks)
  if ('kind' in row) return row
  const blocks: SimulatedBlock[] = []
  const { number: baseNumber } = base.block.header
  const blockHash = (number: bigint): Hash | undefined => {
    if (number < baseNumber) return hashBefore(number)
    return number === baseNumber ? base.block.hash : blocks[Number(number - baseNumber) - 1]?.block.hash
  }
  let { block: parent, state } = base
  let budget = SIMULATION_GAS
  const mode = { ...simulation, rules }
  for (const laidOut of row) {
    await work.pause()
    const { request, index } = laidOut
    const position = positionAfter(evms.schedule, parent.header, laidOut)
    const evm = evms.at(position).for(work)
    const header = simulatedHeader(evm.rules, parent, position, request.override, simulation.isValidated)
    const made = await simulateBlock({ evm, header, blockHash, request, mode, budget }, state)
    if ('kind' in made) return { ...made, index }
    blocks.push(made)
    ;({ block: parent, state } = made)
    budget -= parent.header.gasUsed
  }
  return blocks
}
