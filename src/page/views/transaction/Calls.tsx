/** The calls of a transaction: as a tree, as a flame graph of their gas, and the chosen one in full. */
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { decodeCall, decodeError, decodeResult } from '../../decode/decode.ts'
import { type ContractsByAddress, codecsFor, useContracts } from '../../decode/index.ts'
import { errorText, lineOf } from '../../decode/words.tsx'
import { grouped } from '../../format/quantity.ts'
import { useAsked } from '../../live/asked.ts'
import { Account } from '../../parts/Account.tsx'
import { Answer } from '../../parts/Answer.tsx'
import { Count, Wei } from '../../parts/amounts.tsx'
import { Bytes } from '../../parts/Bytes.tsx'
import { EventList } from '../../parts/EventList.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { More } from '../../parts/More.tsx'
import { SourceExcerpt } from '../../parts/SourceText.tsx'
import { Text } from '../../parts/Text.tsx'
import { Values } from '../../parts/Value.tsx'
import { consoleLine } from './ConsoleLines.tsx'
import {
  afterKey,
  type CallFrame,
  type CallNode,
  callNodes,
  isConsole,
  type TreeState,
  toggled,
  visibleNodes,
} from './callTree.ts'
import { Flame } from './Flame.tsx'
import { callTrace } from './runs.ts'

/** Rows that are shown before a reader asks for more. */
const FIRST_ROWS = 200
/** Trees of more calls begin with those closed that lie deeper than the second level. */
const MOST_OPEN = 60

export function Calls({ hash, root, at }: { hash: string; root: CallFrame | undefined; at: string }) {
  const asked = useAsked(() => (root === undefined ? callTrace(hash) : Promise.resolve(root)), [hash, root])
  return <Answer asked={asked.value}>{(frame) => <Tree root={frame} at={at} />}</Answer>
}

function Tree({ root, at }: { root: CallFrame; at: string }) {
  const nodes = useMemo(() => callNodes(root), [root])
  const state = useSignal<TreeState>({ chosen: 0, closed: closedAtFirst(nodes) })
  const zoomed = useSignal(0)
  const rows = useSignal(FIRST_ROWS)
  const list = useRef<HTMLDivElement>(null)
  const addresses = useMemo(
    () => [...new Set(nodes.flatMap(({ frame: { to } }) => to ?? []))].slice(0, 300),
    [nodes],
  )
  const known = useContracts(addresses, at)
  const shown = visibleNodes(nodes, state.value.closed)

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
      <Flame
        nodes={nodes}
        zoomed={zoomed.value}
        chosen={state.value.chosen}
        nameOf={(node) => nameOf(node.frame, known.value)}
        onChoose={(index) => {
          zoomed.value = index
          state.value = { chosen: index, closed: opened(state.value.closed, nodes, index) }
        }}
      />
      <p class="tree-actions">
        <button type="button" onClick={() => choose({ ...state.value, closed: new Set() })}>
          open all
        </button>{' '}
        <button type="button" onClick={() => choose({ chosen: 0, closed: all(nodes) })}>
          close all
        </button>{' '}
        <button
          type="button"
          onClick={() => {
            zoomed.value = state.value.chosen
          }}
        >
          zoom to the chosen call
        </button>{' '}
        <span class="quiet">{grouped(nodes.length)} calls; arrow keys walk through them</span>
      </p>
      <div class="call-panes">
        <div class="call-tree" role="tree" aria-label="calls" ref={list} onKeyDown={onKeyDown}>
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
                <Row node={node} known={known.value} />
              </div>
            )
          })}
        </div>
        <Chosen
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

/** Opens what is around a call. */
function opened(closed: ReadonlySet<number>, nodes: readonly CallNode[], index: number): ReadonlySet<number> {
  const next = new Set(closed)
  for (let at = nodes[index]!.parent; at !== undefined; at = nodes[at]!.parent) next.delete(at)
  return next
}

/** Returns what a call is called: `Shop.buy`, `console.log`, `transfer`. */
function nameOf(frame: CallFrame, known: ContractsByAddress): string {
  const { to, input, type } = frame
  if (isConsole(frame)) return 'console.log'
  const contract = to === undefined ? undefined : (known.get(to)?.info.name ?? undefined)
  const where = contract ?? (to === undefined ? '' : `${to.slice(0, 8)}…`)
  if (type.startsWith('CREATE')) return `new ${where}`
  if (input === '0x') return `${where}.receive`
  const call = decodeCall(input, codecsFor(to, known))
  return `${where}.${call?.name ?? input.slice(0, 10)}`
}

function Row({ node: { frame }, known }: { node: CallNode; known: ContractsByAddress }) {
  const { type, gasUsed, value, error, input, output, to, logs } = frame
  const codecs = codecsFor(to, known)
  const call = isConsole(frame) || type.startsWith('CREATE') ? undefined : decodeCall(input, codecs)
  return (
    <>
      <span class="tree-kind">{KINDS[type] ?? type.toLowerCase()}</span>{' '}
      <span class="tree-name">
        <Text limit={120}>{nameOf(frame, known)}</Text>
      </span>
      {isConsole(frame) ? (
        <span class="quiet">
          {' '}
          <Text limit={200}>{consoleLine(input)}</Text>
        </span>
      ) : (
        call !== undefined && (
          <span class="quiet">
            (<Text limit={160}>{call.args.map(({ value: each }) => lineOf(each, 44)).join(', ')}</Text>)
          </span>
        )
      )}
      {value !== undefined && BigInt(value) > 0n && (
        <>
          {' '}
          <Wei amount={value} />
        </>
      )}{' '}
      <span class="tree-gas">
        <Count value={gasUsed} />
      </span>
      {logs !== undefined && (
        <span class="quiet"> {logs.length === 1 ? '1 event' : `${logs.length} events`}</span>
      )}
      {error !== undefined && (
        <span class="tree-error">
          {' '}
          ✗ <Text limit={200}>{errorOf(error, output, codecs)}</Text>
        </span>
      )}
    </>
  )
}

function errorOf(
  error: string,
  output: CallFrame['output'],
  codecs: Parameters<typeof decodeError>[1],
): string {
  return output === undefined ? error : errorText(decodeError(output, codecs))
}

const KINDS: Readonly<Record<string, string>> = {
  CALL: 'call',
  STATICCALL: 'static',
  DELEGATECALL: 'delegate',
  CALLCODE: 'callcode',
  CREATE: 'create',
  CREATE2: 'create2',
  SELFDESTRUCT: 'destruct',
}

/** The chosen call: all that is known of it. */
function Chosen({
  node: { frame, ownGas },
  parent,
  known,
  at,
}: {
  node: CallNode
  parent: CallNode | undefined
  known: ContractsByAddress
  at: string
}) {
  const { from, to, value, gas, gasUsed, input, output, error, source, logs } = frame
  const codecs = codecsFor(to, known)
  const call = isConsole(frame) ? undefined : decodeCall(input, codecs)
  const result = error === undefined && output !== undefined ? decodeResult(input, output, codecs) : undefined
  const failure = error !== undefined && output !== undefined ? decodeError(output, codecs) : undefined
  return (
    <section class="chosen-call" aria-label="the chosen call">
      <h2>
        <Text limit={120}>{nameOf(frame, known)}</Text>
      </h2>
      <Fields>
        <Field name="kind">{frame.type.toLowerCase()}</Field>
        <Field name="from">
          <Account address={from} known={known} />
        </Field>
        {to !== undefined && (
          <Field name="to">
            <Account address={to} known={known} />
          </Field>
        )}
        {value !== undefined && (
          <Field name="value">
            <Wei amount={value} />
          </Field>
        )}
        <Field name="gas used" hint="with that of its calls">
          <Count value={gasUsed} /> of <Count value={gas} />, <Count value={ownGas} />{' '}
          <span class="quiet">without its calls</span>
        </Field>
        {error !== undefined && (
          <Field name="failed">
            <Text>{failure === undefined ? error : errorText(failure)}</Text>
          </Field>
        )}
      </Fields>
      {isConsole(frame) ? (
        <p>
          <Text limit={2_000}>{consoleLine(input)}</Text>
        </p>
      ) : (
        <>
          {(call === undefined || call.args.length > 0) && (
            <h3>{frame.type.startsWith('CREATE') ? 'code and arguments' : 'arguments'}</h3>
          )}
          {call === undefined ? <Bytes hex={input} what="the input" /> : <Values values={call.args} />}
          {output !== undefined && !frame.type.startsWith('CREATE') && (
            <>
              {(result === undefined || result.length > 0) && <h3>returned</h3>}
              {result !== undefined ? (
                <Values values={result} />
              ) : failure?.kind === 'custom' ? (
                <Values values={failure.error.args} />
              ) : (
                <Bytes hex={output} what="what was returned" />
              )}
            </>
          )}
        </>
      )}
      {logs !== undefined && (
        <>
          <h3>events</h3>
          <EventList
            logs={logs.map((log) => ({
              ...log,
              blockNumber: null,
              transactionHash: null,
              logIndex: log.index,
            }))}
            at={at}
          />
        </>
      )}
      {source !== undefined && (
        <>
          <h3>
            <Text>{`${source.file}:${source.line}`}</Text>
          </h3>
          <SourceExcerpt
            key={`${source.file} ${source.line}`}
            address={codeAddress(parent?.frame ?? frame)}
            path={source.file}
            at={at}
            line={source.line}
          />
        </>
      )}
    </section>
  )
}

/** The account whose code ran in a call. */
function codeAddress({ from, to }: CallFrame): string {
  return to ?? from
}
