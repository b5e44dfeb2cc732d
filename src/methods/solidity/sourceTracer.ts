/** Runs as their Solidity sources tell them: the tracer `soliditySource`. What it is made of is loaded when somebody asks for it. */

import type { Hash } from '../../bytes/hex.ts'
import { traceAt } from '../../engine/trace/traceBlock.ts'
import { traceCall } from '../../engine/trace/traceRun.ts'
import type { TracerMaker } from '../../engine/trace/tracer.ts'
import type { Call } from '../../model/execution/call.ts'
import type { Selector } from '../../model/selector.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { DebugOptions, DebugRun } from '../../solidity/debug/debugRun.ts'
import { whenFetched } from '../../state/whenFetched.ts'
import { replayOf, traced, tracedCall } from '../trace/replay.ts'

/** Returns what makes the tracer. Throws a `Problem` where no artifacts are known. */
export async function sourceTracer(
  { artifacts }: RpcContext,
  options: DebugOptions,
): Promise<TracerMaker<DebugRun>> {
  if (artifacts === undefined || !(await artifacts.load())) {
    throw new Problem({ kind: 'unsupported', detail: NO_ARTIFACTS })
  }
  const { debugTracer } = await import('../../solidity/debug/debugTracer.ts')
  return (budget) => debugTracer(options, artifacts.find, budget)
}

/** Runs the included transaction with that hash once more. Throws a `Problem`. */
export async function debugTransaction(
  context: RpcContext,
  hash: Hash,
  options: DebugOptions,
): Promise<DebugRun> {
  const found = context.chain.find(hash)
  if (found === undefined) throw new Problem({ kind: 'unknownTransaction', hash })
  const tracer = await sourceTracer(context, options)
  return whenFetched(
    async () => traced(await traceAt(replayOf(context, found.block), found.index, tracer)),
    context.work,
  )
}

/** Runs a call. Throws a `Problem`. */
export async function debugCall(
  context: RpcContext,
  call: Call,
  at: Selector,
  options: DebugOptions,
): Promise<DebugRun> {
  const tracer = await sourceTracer(context, options)
  return whenFetched(async () => {
    const { evm, scene } = context.environment(at)
    return tracedCall(await traceCall(evm, scene, call, tracer))
  }, context.work)
}

const NO_ARTIFACTS =
  'a run is told by its Solidity sources, and no artifacts are known; compile in a project of Foundry or Hardhat, or give artifacts by devnet.artifacts.add, the option artifacts, or --artifacts'
