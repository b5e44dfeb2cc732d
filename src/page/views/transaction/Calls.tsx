/** Shows the calls of a transaction as a tree, their gas as a flame graph, and the details of the chosen call. */
import { useSignal } from '@preact/signals'
import { useId, useMemo, useRef } from 'preact/hooks'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { useContracts } from '../../decode/contracts.ts'
import { grouped, visible } from '../../format.ts'
import { useKept } from '../../navigation.ts'
import { Button } from '../../parts/controls.tsx'
import { More } from '../../parts/Tabs.tsx'
import { CallRow, ChosenCall, nameOf } from './CallDetails.tsx'
import {
  afterKey,
  type CallNode,
  callNodes,
  flameBoxes,
  hasFlame,
  type TreeState,
  toggled,
  visibleNodes,
} from './callTree.ts'

const FIRST_ROWS = 200
/** A tree with more calls is collapsed below its second level. */
const MOST_OPEN = 60

interface CallsProps {
  root: RpcCallFrame
  at: string
  /** The call that is chosen at first: the outermost, or the innermost of the last calls that failed. */
  first?: 'outermost' | 'failed'
}

export function Calls({ root, at, first = 'outermost' }: CallsProps) {
  const nodes = useMemo(() => callNodes(root), [root])
  const chosenAtFirst = first === 'failed' ? failedCall(nodes) : 0
  const kept = useKept('calls', {
    chosen: chosenAtFirst,
    closed: [...opened(new Set(closedAtFirst(nodes)), nodes, chosenAtFirst)],
  })
  const state: TreeState = { chosen: kept.value.chosen, closed: new Set(kept.value.closed) }
  const zoomed = useSignal(0)
  const rows = useKept('calls shown', FIRST_ROWS)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const addresses = useMemo(
    () => [...new Set(nodes.flatMap(({ frame: { to } }) => to ?? []))].slice(0, 300),
    [nodes],
  )
  const known = useContracts(addresses, at)
  const shown = visibleNodes(nodes, state.closed)
  const isFlame = useMemo(() => hasFlame(nodes), [nodes])

  function put({ chosen, closed }: TreeState) {
    kept.value = { chosen, closed: [...closed] }
  }
  function choose(next: TreeState) {
    put(next)
    const row = visibleNodes(nodes, next.closed).indexOf(next.chosen)
    if (row >= rows.value) rows.value = row + 50
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(`[data-index="${next.chosen}"]`)
        ?.focus({ preventScroll: false }),
    )
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = afterKey(event.key, state, nodes)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <>
      {isFlame && (
        <Flame
          nodes={nodes}
          zoomed={zoomed.value}
          tree={id}
          chosen={state.chosen}
          nameOf={(node) => nameOf(node.frame, known.value)}
          onChoose={(index) => {
            zoomed.value = index
            put({ chosen: index, closed: opened(state.closed, nodes, index) })
          }}
        />
      )}
      <p class="tree-actions">
        {nodes.length > 1 && (
          <>
            <Button onClick={() => choose({ ...state, closed: new Set() })} text="open all" />{' '}
            <Button
              onClick={() => choose({ chosen: 0, closed: new Set(parentsFrom(0, nodes)) })}
              text="close all"
            />{' '}
          </>
        )}
        {isFlame && <Button onClick={() => (zoomed.value = state.chosen)} text="zoom to the chosen call" />}{' '}
        <span class="quiet">
          {nodes.length === 1 ? 'one call' : `${grouped(nodes.length)} calls; arrow keys walk through them`}
        </span>
      </p>
      <div class="call-panes">
        <div class="call-tree" role="tree" id={id} aria-label="calls" ref={list} onKeyDown={onKeyDown}>
          {shown.slice(0, rows.value).map((index) => {
            const node = nodes[index]!
            const isParent = node.children.length > 0
            const isChosen = index === state.chosen
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to the keys, for all of its items.
              <div
                key={index}
                role="treeitem"
                data-index={index}
                class={node.isUndone ? 'tree-call tree-call-undone' : 'tree-call'}
                aria-level={node.depth + 1}
                aria-expanded={isParent ? !state.closed.has(index) : undefined}
                aria-selected={isChosen}
                tabIndex={isChosen ? 0 : -1}
                style={{ paddingLeft: `${Math.min(node.depth, 24) * 1.1 + 0.25}rem` }}
                onClick={() => choose({ ...state, chosen: index })}
                onDblClick={() => isParent && choose(toggled(state, index))}
              >
                <span
                  class="tree-twist"
                  aria-hidden="true"
                  onClick={(event) => {
                    if (!isParent) return
                    event.stopPropagation()
                    choose({ ...toggled(state, index), chosen: index })
                  }}
                >
                  {isParent ? (state.closed.has(index) ? '▸' : '▾') : ''}
                </span>
                <CallRow node={node} known={known.value} />
              </div>
            )
          })}
        </div>
        <ChosenCall
          node={nodes[state.chosen]!}
          parent={nodes[nodes[state.chosen]!.parent ?? -1]}
          known={known.value}
          at={at}
        />
      </div>
      <More count={shown.length} shown={rows} what="calls" />
    </>
  )
}

/** Returns the index of the call whose failure made its callers fail. */
function failedCall(nodes: readonly CallNode[]): number {
  let failed = nodes[0]
  for (let next = failed; next !== undefined; ) {
    failed = next
    const last = nodes[next.children.at(-1) ?? -1]
    next = last?.frame.error === undefined ? undefined : last
  }
  return failed?.index ?? 0
}

function closedAtFirst(nodes: readonly CallNode[]): number[] {
  return nodes.length <= MOST_OPEN ? [] : parentsFrom(2, nodes)
}

/** Returns the indexes of the calls that have inner calls, at `depth` or deeper. */
function parentsFrom(depth: number, nodes: readonly CallNode[]): number[] {
  return nodes.filter((node) => node.depth >= depth && node.children.length > 0).map(({ index }) => index)
}

/** Returns `closed` without the ancestors of a call, so that the call is visible. */
function opened(closed: ReadonlySet<number>, nodes: readonly CallNode[], index: number): ReadonlySet<number> {
  const next = new Set(closed)
  for (let at = nodes[index]!.parent; at !== undefined; at = nodes[at]!.parent) next.delete(at)
  return next
}

const ROW_PX = 20
/** Maximum number of rows of the flame graph. Deeper calls can be seen by zooming in, or in the tree. */
const MOST_ROWS = 16
/** Maximum number of rows above the zoomed call. */
const MOST_AROUND = 3

interface FlameProps {
  nodes: readonly CallNode[]
  /** Index of the call that has the full width of the graph. */
  zoomed: number
  chosen: number
  nameOf: (node: CallNode) => string
  onChoose: (index: number) => void
  /** The `id` of the tree, which is the text equivalent of the graph. */
  tree: string
}

/** A flame graph with a row per call depth and widths by gas. The tree below lists the same calls as text. */
function Flame({ nodes, zoomed, chosen, nameOf, onChoose, tree }: FlameProps) {
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
            <Button class="more" onClick={() => onChoose(0)} text="the whole transaction" />
          </>
        )}
      </figcaption>
    </figure>
  )
}
