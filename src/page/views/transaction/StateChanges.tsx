/** Shows the state changes of a transaction: balances, nonces, code and storage, before and after. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { RpcBlock } from '../../../wire/encode.ts'
import { useContracts } from '../../decode/contracts.ts'
import { withoutZeros } from '../../format.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { useKept } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Wei } from '../../parts/chain.tsx'
import { Bytes, Hint } from '../../parts/controls.tsx'
import { More } from '../../parts/Tabs.tsx'
import { TableHead } from '../../parts/tables.tsx'
import { Account, Text, Value } from '../../parts/Value.tsx'
import { request, sourceRun } from '../../source/source.ts'
import { type AccountChange, type Change, type StateDiff, stateChanges } from './stateChanges.ts'

const FIRST = 50

const COLUMNS = [{ name: 'state' }, { name: 'before' }, { name: 'after' }]

interface StateChangesProps {
  hash: string
  at: string
  parties: ReadonlyMap<string, string>
}

export function StateChanges({ hash, at, parties }: StateChangesProps) {
  const tracing = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const diff = useLoad(() => request<StateDiff>('debug_traceTransaction', [hash, tracing]), [hash])
  // The source run provides the names of storage slots. It takes longer than the diff, so the diff is shown first.
  const run = useLoad(() => sourceRun(hash), [hash])
  const named = loaded(run.value)
  return (
    <Answer asked={diff.value}>
      {(answer) => (
        <>
          {run.value.state === 'loading' && (
            <p class="loading" role="status">
              loading names of variables …
            </p>
          )}
          <Accounts changes={stateChanges(answer, named)} at={at} parties={parties} />
        </>
      )}
    </Answer>
  )
}

interface AccountsProps {
  changes: readonly AccountChange[]
  at: string
  parties: ReadonlyMap<string, string>
}

function Accounts({ changes, at, parties }: AccountsProps) {
  const block = useLoad(() => request<RpcBlock | null>('eth_getBlockByNumber', [at, false]), [at])
  const miner = loaded(block.value)?.miner
  const shown = useKept('accounts shown', FIRST)
  const visible = changes.slice(0, shown.value)
  const known = useContracts(
    visible.map(({ address }) => address),
    at,
  )
  if (changes.length === 0) return <Nothing>no state changes</Nothing>
  return (
    <>
      {visible.map((change) => (
        <section class="account-change" key={change.address}>
          <h2>
            <Account address={change.address} known={known.value} whole />{' '}
            <span class="quiet">
              {[
                parties.get(change.address),
                change.address === miner && 'fee recipient',
                change.kind !== 'changed' && change.kind,
              ]
                .filter(Boolean)
                .join(', ')}
            </span>
          </h2>
          <table class="change-table">
            <TableHead columns={COLUMNS} />
            <tbody>
              <Changed change={change} />
            </tbody>
          </table>
        </section>
      ))}
      <More count={changes.length} shown={shown} what="accounts" />
    </>
  )
}

function Changed({ change: { balance, nonce, code, storage } }: { change: AccountChange }) {
  const shown = useSignal(FIRST)
  return (
    <>
      <Row
        what="balance"
        change={balance}
        show={(amount, when) => (
          <>
            <Wei amount={amount} />
            {when === 'after' && (
              <div class="change-difference">
                <Difference amount={balance!.after - balance!.before} />
              </div>
            )}
          </>
        )}
      />
      <Row what="nonce" change={nonce} show={String} />
      <Row what="code" change={code} show={(hex, when) => <Code hex={hex} what={`the code ${when}`} />} />
      {storage.slice(0, shown.value).map((slot) => (
        <Slot key={slot.slot} slot={slot} />
      ))}
      {storage.length > shown.value && (
        <tr>
          <td colSpan={3}>
            <More count={storage.length} shown={shown} what="slots" />
          </td>
        </tr>
      )}
    </>
  )
}

function Code({ hex, what }: { hex: string; what: string }) {
  return hex === '0x' ? <span class="quiet">none</span> : <Bytes hex={hex} what={what} />
}

function Slot({ slot }: { slot: AccountChange['storage'][number] }) {
  if (slot.variables.length === 0) {
    const word = (hex: string) => <span class="id">{withoutZeros(hex)}</span>
    return <Row what={<>slot {word(slot.slot)}</>} change={slot} show={word} />
  }
  return (
    <>
      {slot.variables.map((variable) => (
        <Row
          key={variable.name}
          what={
            <>
              <Hint text={`slot ${slot.slot}`}>
                <Text limit={200}>{variable.name}</Text>
              </Hint>{' '}
              <span class="type">
                <Text limit={80}>{variable.type ?? ''}</Text>
              </span>
            </>
          }
          change={variable}
          show={(value) => <Value parameter={{ type: variable.type ?? '' }} value={value} />}
        />
      ))}
    </>
  )
}

interface RowProps<T> {
  what: ComponentChildren
  /** `undefined` if the value is unchanged, so that no row is rendered. */
  change: Change<T> | undefined
  show: (value: T, when: 'before' | 'after') => ComponentChildren
}

function Row<T>({ what, change, show }: RowProps<T>) {
  return (
    change && (
      <tr>
        <th scope="row">{what}</th>
        <td class="change-before">
          <div>{show(change.before, 'before')}</div>
        </td>
        <td class="change-after">
          <div>{show(change.after, 'after')}</div>
        </td>
      </tr>
    )
  )
}

function Difference({ amount }: { amount: bigint }) {
  return (
    <>
      {amount < 0n ? '−' : '+'}
      <Wei amount={amount < 0n ? -amount : amount} />
    </>
  )
}
