/** Makes the blocks of eth_simulateV1. Behaves like geth where the specification leaves a choice. */

import type { Hash } from '../../bytes/hex.ts'
import type { Moment } from '../../chain/moment.ts'
import type { Evms } from '../../engine/evm.ts'
import type { SimulationRules } from '../../engine/precompiles/precompileMoves.ts'
import { DEFAULT_CALL_GAS } from '../../engine/run/runCall.ts'
import type { Simulation } from '../../model/execution/call.ts'
import type { Work } from '../../work/work.ts'
import { type LayoutFlaw, layOut } from '../block/layOut.ts'
import { type BlockRequestFlaw, type SimulatedBlock, simulateBlock } from './simulateBlock.ts'
import { positionAfter, simulatedHeader } from './simulatedTransaction.ts'

/** Gas limit of all calls of a simulation together, as in geth and reth. */
const SIMULATION_GAS = DEFAULT_CALL_GAS

export interface SimulationBase {
  readonly evms: Evms
  readonly work: Work
  /** The parent of the first block. */
  readonly base: Moment
  blockHash(number: bigint): Hash | undefined
  readonly rules: SimulationRules
}

/** The reason why a simulation is impossible. `index` is the index of the requested block with the flaw. */
export type SimulationFlaw = LayoutFlaw | (BlockRequestFlaw & { readonly index: number })

/** Returns the blocks of `simulation`, each run on the state after the previous one, or why it is invalid. */
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
