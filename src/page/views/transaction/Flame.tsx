/** The gas of calls as a flame graph: a row per depth, width by gas. The tree below is its text equivalent. */
import { grouped, visible } from '../../format.ts'
import { type CallNode, flameBoxes } from './callTree.ts'

const ROW_PX = 20
/** Deeper calls appear by zooming, or in the tree. */
const MOST_ROWS = 16
/** Rows of calls around the zoomed one. */
const MOST_AROUND = 3

interface FlameProps {
  nodes: readonly CallNode[]
  /** The call that takes the full width. */
  zoomed: number
  chosen: number
  nameOf: (node: CallNode) => string
  onChoose: (index: number) => void
  /** The `id` of the tree of the same calls. */
  tree: string
}

export function Flame({ nodes, zoomed, chosen, nameOf, onChoose, tree }: FlameProps) {
  const top = Math.max(0, nodes[zoomed]!.depth - MOST_AROUND)
  const all = flameBoxes(nodes, zoomed)
  const boxes = all.filter(({ row }) => row >= top && row < top + MOST_ROWS)
  const rows = boxes.reduce((most, { row }) => Math.max(most, row - top + 1), 0)
  const isCut = all.some(({ row }) => row >= top + MOST_ROWS)
  return (
    <figure class="flame">
      <svg
        width="100%"
        height={rows * ROW_PX}
        role="img"
        aria-details={tree}
        aria-label={`flame graph of the gas of ${nodes.length} calls; the tree below has the same as text`}
      >
        {boxes.map(({ index, row, left, width }) => {
          const node = nodes[index]!
          const name = visible(nameOf(node), 80)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard the tree below does the same.
            <svg
              key={index}
              x={`${left * 100}%`}
              y={(row - top) * ROW_PX}
              width={`${width * 100}%`}
              height={ROW_PX - 1}
              class={`flame-box ${node.isUndone ? 'flame-undone' : ''} ${index === chosen ? 'flame-chosen' : ''} flame-${row % 4}`}
              onClick={() => onChoose(index)}
            >
              <title>{`${name}: ${grouped(Number(node.frame.gasUsed))} gas, ${grouped(node.ownGas)} without its calls`}</title>
              <rect width="100%" height="100%" rx="2" />
              {width > 0.03 && (
                <text x="4" y={ROW_PX - 6}>
                  {name}
                </text>
              )}
            </svg>
          )
        })}
      </svg>
      <figcaption class="quiet">
        gas of each call; click to zoom{isCut && ' and see deeper calls'}
        {zoomed !== 0 && (
          <>
            {' '}
            <button type="button" class="more" onClick={() => onChoose(0)}>
              the whole transaction
            </button>
          </>
        )}
      </figcaption>
    </figure>
  )
}
