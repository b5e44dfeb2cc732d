/** The gas of calls as a flame graph: a row for each depth, wide boxes used much. The tree below it has the same as text. */
import { grouped } from '../../format/quantity.ts'
import { visible } from '../../format/untrusted.ts'
import { type CallNode, flameBoxes } from './callTree.ts'

const ROW_PX = 20
/** Deeper calls are in the tree only. */
const MOST_ROWS = 40

export function Flame({
  nodes,
  zoomed,
  chosen,
  nameOf,
  onChoose,
}: {
  nodes: readonly CallNode[]
  /** The call that takes the whole width. */
  zoomed: number
  chosen: number
  nameOf: (node: CallNode) => string
  onChoose: (index: number) => void
}) {
  if (nodes.length < 2) return null
  const boxes = flameBoxes(nodes, zoomed).filter(({ row }) => row < MOST_ROWS)
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1
  return (
    <figure class="flame">
      <svg
        width="100%"
        height={rows * ROW_PX}
        role="img"
        aria-label={`flame graph of the gas of ${nodes.length} calls; the tree has the same as text`}
      >
        {boxes.map(({ index, row, left, width }) => {
          const node = nodes[index]!
          const name = visible(nameOf(node), 80)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard the tree below does the same.
            <svg
              key={index}
              x={`${left * 100}%`}
              y={row * ROW_PX}
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
        gas of each call; a click takes it to the whole width
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
