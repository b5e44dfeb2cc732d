/** `devnet.debug` and the tracer `soliditySource` on a fork of a network, and of runs that are too long to keep. */

import { toFunctionSelector } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fromHex } from '../../src/bytes/hex.ts'
import { TRACE_BYTES, traceCall } from '../../src/engine/trace/traceRun.ts'
import { createDevnet, type DebugOptions, type DebugRun, type Devnet } from '../../src/index.ts'
import { DebugTracer } from '../../src/solidity/debug/debugTracer.ts'
import { debugged, framesIn, knowing, placed, storageIn } from '../support/compilers/debugged.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'
import { address, callOf, machine, sceneOf } from '../support/engines/scenes.ts'

const BOX = compiled({
  'Box.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Ledger {
  mapping(address => uint256) public kept;
  function keep(uint256 amount) external returns (uint256) { kept[msg.sender] += amount; return kept[msg.sender]; }
}
contract Box {
  Ledger ledger;
  uint64[] sizes;
  string note = "a text that is longer than one word of thirty-two bytes";
  constructor(Ledger at) { ledger = at; sizes.push(4); sizes.push(5); }
  function put(uint64 size) external returns (uint256) {
    sizes[1] += size;
    return ledger.keep(bytes(note).length + sizes[0]);
  }
  function spin() external { for (;;) note = "again"; }
}`,
})

/** A devnet that stands for the network, with a box. */
async function network() {
  const devnet = await knowing(BOX)
  const ledger = await placed(devnet, BOX, 'Ledger')
  return { devnet, box: await placed(devnet, BOX, 'Box', [ledger.address]) }
}

async function forkOf(devnet: Devnet): Promise<Devnet> {
  const { url } = await devnet.listen({ port: 0 })
  const fork = await createDevnet({ fork: { url, cache: false }, rhythm: 'manual' })
  onTestFinished(() => fork.close())
  const { input, output } = BOX
  fork.artifacts.add({ input, output })
  return fork
}

const TOLD = [
  'ledger: ',
  'note: a text that is longer than one word of thirty-two bytes',
  'sizes[1]: 5 → 8',
  'kept[',
]

describe('on a fork of a network', () => {
  it('a transaction and a call are told as on the network, with values that have to be fetched', async () => {
    const { devnet, box } = await network()
    const fork = await forkOf(devnet)
    const call = { ...box, abi: box.abi as never, functionName: 'put', args: [3n] }
    const called = await fork.debug(call as never)
    expect(called.gaps).toEqual([])
    for (const text of TOLD) expect(storageIn(called).join('\n')).toContain(text)
    const there = await devnet.debug(call as never)
    expect(framesIn(called)).toEqual(framesIn(there))
    expect(called.steps).toEqual(there.steps)

    const onFork = await debugged(fork, box, 'put', [3n])
    const onNetwork = await debugged(devnet, box, 'put', [3n])
    expect(onFork.steps).toEqual(onNetwork.steps)
    expect(onFork.frames.map(({ function: name }) => name)).toEqual(['put', 'keep'])
  })

  it('the tracer is answered here for a transaction of the fork, in the same words', async () => {
    const { devnet, box } = await network()
    const trace = async (on: Devnet) => {
      const written = { ...box, functionName: 'put', args: [3n], gas: 500_000n, until: 'accepted' }
      const { hash } = await on.write(written as never)
      await on.mine()
      const options = { tracer: 'soliditySource', tracerConfig: {} }
      return (await on.request({ method: 'debug_traceTransaction', params: [hash, options] })) as object
    }
    const fork = await forkOf(devnet)
    const [own, others] = [await trace(fork), await trace(devnet)]
    expect(own).toEqual(others)
    expect(JSON.stringify(own)).toContain('sizes[1]')
  })
})

describe('a run that is too long to keep', () => {
  const AT = address(0xb0c5)
  const spin = callOf({ to: AT, data: fromHex(toFunctionSelector('spin()')), gas: 200_000n })
  const contract = contractOf(BOX, 'Box')
  const code = fromHex(`0x${contract.output.evm!.deployedBytecode!.object}`)
  const told = (options: DebugOptions, bytes: number) =>
    traceCall(machine(), sceneOf([{ address: AT, code }]), spin, (budget) => {
      budget.take(budget.bytes - bytes)
      return new DebugTracer(options, () => ({ kind: 'contract', contract }), budget)
    })

  it('ends at what traces may take, and is told as far as the limit of steps', async () => {
    const whole = (await told({}, TRACE_BYTES)) as DebugRun
    expect(whole.steps.length).toBeGreaterThan(100)
    expect(await told({}, 5_000)).toEqual({ kind: 'traceTooLarge', bytes: TRACE_BYTES })
    const cut = (await told({ limit: 5 }, 5_000)) as DebugRun
    expect([cut.isCut, cut.steps.length, cut.status]).toEqual([true, 5, 'reverted'])
    expect(cut.steps).toEqual(whole.steps.slice(0, 5))
  })
})
