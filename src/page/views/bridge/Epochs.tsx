/** The newest L1 blocks, each with the L2 blocks that are derived from it. */
import { counted, pagePaths } from '../../../model/api/text.ts'
import type { RpcBridge, RpcEpochBlock, RpcEpochs } from '../../../wire/bridgeMessages.ts'
import type { Layer } from '../../live/bridge.ts'
import { Time } from '../../parts/chain.tsx'
import { Hint } from '../../parts/controls.tsx'
import { BlockOn, Place } from './places.tsx'

type Heads = RpcEpochs['l1']

/** The attributes deposit, which each L2 block has. */
const OWN_DEPOSITS = { l1: 0, l2: 1 } as const

const NAMES = { l1: 'L1', l2: 'L2' } as const

export function Epochs({ bridge, l1, l2, epochs }: RpcEpochs & { bridge: RpcBridge }) {
  return (
    <div class="epochs">
      <div class="epoch epoch-heads">
        <HeadsLine bridge={bridge} layer="l1" heads={l1} />
        <HeadsLine bridge={bridge} layer="l2" heads={l2} />
      </div>
      <ol>
        {epochs.map((epoch) => (
          <li key={epoch.number} class="epoch">
            <div class="epoch-origin">
              <BlockChip layer="l1" block={epoch} heads={l1} />
              <span class="quiet">
                <Time seconds={epoch.timestamp} />
              </span>
            </div>
            <div class="epoch-derived">
              {epoch.blocks.length === 0 ? (
                <span class="quiet">no L2 block has this L1 origin yet</span>
              ) : (
                <>
                  {Number(epoch.blockCount) > epoch.blocks.length && (
                    <span class="quiet">{Number(epoch.blockCount) - epoch.blocks.length} before,</span>
                  )}
                  {epoch.blocks.toReversed().map((block) => (
                    <BlockChip key={block.number} layer="l2" block={block} heads={l2} />
                  ))}
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}

function HeadsLine({ bridge, layer, heads }: { bridge: RpcBridge; layer: Layer; heads: Heads }) {
  const { latest, safe, finalized } = heads
  return (
    <p>
      <b>{NAMES[layer]}</b>, chain {Number(bridge[layer].chainId)}{' '}
      <span class="quiet">
        {layer === bridge.chain && 'this page; '}
        {layer === 'l2' ? <Hint text={MEANINGS.latest}>unsafe</Hint> : 'latest'}{' '}
        <BlockOn layer={layer} number={latest} />,{' '}
        <Hint text={layer === 'l2' ? MEANINGS.safe : MEANINGS.safeL1}>safe</Hint>{' '}
        <BlockOn layer={layer} number={safe} />,{' '}
        <Hint text={layer === 'l2' ? MEANINGS.finalized : MEANINGS.finalizedL1}>finalized</Hint>{' '}
        <BlockOn layer={layer} number={finalized} />
      </span>
    </p>
  )
}

const MEANINGS = {
  latest: 'the newest sealed block of the L2; its batch is not on L1 yet',
  safe: 'the newest L2 block whose L1 origin has a next L1 block, which would have its batch',
  finalized: 'the newest L2 block whose batch is in a finalized L1 block',
  safeL1: 'the newest L1 block that the consensus of L1 regards as safe',
  finalizedL1: 'the newest L1 block that cannot be removed any more',
} as const

interface ChipProps {
  layer: Layer
  block: RpcEpochBlock
  heads: Heads
}

/** A block: its number, and how many transactions it has besides the L1 attributes. */
function BlockChip({ layer, block, heads }: ChipProps) {
  const number = Number(block.number)
  const state = stateOf(layer, number, heads)
  const count = Number(block.transactionCount) - OWN_DEPOSITS[layer]
  const transactions = count > 0 ? `, ${counted(count, 'transaction')}` : ''
  return (
    <Place
      layer={layer}
      path={pagePaths.block(String(number))}
      class={`block-chip block-${layer} block-${state}`}
      title={`${state}${transactions}`}
    >
      <span class="unseen">{NAMES[layer]} block </span>
      {number}
      {count > 0 && (
        <span class="block-count" aria-hidden="true">
          +{count}
        </span>
      )}
    </Place>
  )
}

function stateOf(layer: Layer, number: number, { latest, safe, finalized }: Heads): string {
  if (number <= Number(finalized)) return 'finalized'
  if (number <= Number(safe)) return 'safe'
  if (number > Number(latest)) return 'open'
  return layer === 'l1' ? 'sealed' : 'unsafe'
}
