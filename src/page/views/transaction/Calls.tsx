/** The calls of a transaction as a tree and a flame graph of their gas, with details of the chosen call. */
import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { useContracts } from '../../decode/contracts.ts'
import { grouped } from '../../format.ts'
import { keepAs, takeKept, useKept } from '../../navigation.ts'
import { More } from '../../parts/Tabs.tsx'
import { CallRow, ChosenCall, nameOf } from './CallDetails.tsx'
import {
  afterKey,
  type CallNode,
  callNodes,
  hasFlame,
  type TreeState,
  toggled,
  visibleNodes,
} from './callTree.ts'
import { Flame } from './Flame.tsx'

const FIRST_ROWS = 200
/** Larger trees start with only two levels open. */
const MOST_OPEN = 60

/** Returns the saved state of the tree. */
function keptState(): TreeState | undefined {
  const kept = takeKept('calls') as
    | { readonly chosen: number; readonly closed: readonly number[] }
    | undefined
  return kept && { chosen: kept.chosen, closed: new Set(kept.closed) }
}

export function Calls({ root, at }: { root: RpcCallFrame; at: string }) {
  const nodes = useMemo(() => callNodes(root), [root])
  const state = useSignal<TreeState>(
    useMemo(() => keptState() ?? { chosen: 0, closed: closedAtFirst(nodes) }, []),
  )
  useEffect(() => keepAs('calls', () => ({ ...state.value, closed: [...state.value.closed] })), [])
  const zoomed = useSignal(0)
  const rows = useKept('calls shown', FIRST_ROWS)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const addresses = useMemo(
    () => [...new Set(nodes.flatMap(({ frame: { to } }) => to ?? []))].slice(0, 300),
    [nodes],
  )
  const known = useContracts(addresses, at)
  const shown = visibleNodes(nodes, state.value.closed)
  const isFlame = useMemo(() => hasFlame(nodes), [nodes])

  function choose(next: TreeState) {
    state.value = next
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
    const next = afterKey(event.key, state.value, nodes)
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
          chosen={state.value.chosen}
          nameOf={(node) => nameOf(node.frame, known.value)}
          onChoose={(index) => {
            zoomed.value = index
            state.value = { chosen: index, closed: opened(state.value.closed, nodes, index) }
          }}
        />
      )}
      <p class="tree-actions">
        {nodes.length > 1 && (
          <>
            <button type="button" onClick={() => choose({ ...state.value, closed: new Set() })}>
              open all
            </button>{' '}
            <button type="button" onClick={() => choose({ chosen: 0, closed: all(nodes) })}>
              close all
            </button>{' '}
          </>
        )}
        {isFlame && (
          <button
            type="button"
            onClick={() => {
              zoomed.value = state.value.chosen
            }}
          >
            zoom to the chosen call
          </button>
        )}{' '}
        <span class="quiet">
          {nodes.length === 1 ? 'one call' : `${grouped(nodes.length)} calls; arrow keys walk through them`}
        </span>
      </p>
      <div class="call-panes">
        <div class="call-tree" role="tree" id={id} aria-label="calls" ref={list} onKeyDown={onKeyDown}>
          {shown.slice(0, rows.value).map((index) => {
            const node = nodes[index]!
            const isParent = node.children.length > 0
            const isChosen = index === state.value.chosen
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to the keys, for all of its items.
              <div
                key={index}
                role="treeitem"
                data-index={index}
                class={node.isUndone ? 'tree-call tree-call-undone' : 'tree-call'}
                aria-level={node.depth + 1}
                aria-expanded={isParent ? !state.value.closed.has(index) : undefined}
                aria-selected={isChosen}
                tabIndex={isChosen ? 0 : -1}
                style={{ paddingLeft: `${Math.min(node.depth, 24) * 1.1 + 0.25}rem` }}
                onClick={() => choose({ ...state.value, chosen: index })}
                onDblClick={() => isParent && choose(toggled(state.value, index))}
              >
                <span
                  class="tree-twist"
                  aria-hidden="true"
                  onClick={(event) => {
                    if (!isParent) return
                    event.stopPropagation()
                    choose({ ...toggled(state.value, index), chosen: index })
                  }}
                >
                  {isParent ? (state.value.closed.has(index) ? '▸' : '▾') : ''}
                </span>
                <CallRow node={node} known={known.value} />
              </div>
            )
          })}
        </div>
        <ChosenCall
          node={nodes[state.value.chosen]!}
          parent={nodes[nodes[state.value.chosen]!.parent ?? -1]}
          known={known.value}
          at={at}
        />
      </div>
      <More count={shown.length} shown={rows} what="calls" />
    </>
  )
}

function closedAtFirst(nodes: readonly CallNode[]): ReadonlySet<number> {
  if (nodes.length <= MOST_OPEN) return new Set()
  return new Set(
    nodes.filter(({ depth, children }) => depth >= 2 && children.length > 0).map(({ index }) => index),
  )
}

function all(nodes: readonly CallNode[]): ReadonlySet<number> {
  return new Set(nodes.filter(({ children }) => children.length > 0).map(({ index }) => index))
}

/** Opens the ancestors of a call. */
function opened(closed: ReadonlySet<number>, nodes: readonly CallNode[], index: number): ReadonlySet<number> {
  const next = new Set(closed)
  for (let at = nodes[index]!.parent; at !== undefined; at = nodes[at]!.parent) next.delete(at)
  return next
}
