/** State changes of a transaction: balances, nonces, code and storage, before and after. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { RpcBlock } from '../../../wire/encode.ts'
import { useContracts } from '../../decode/contracts.ts'
import { withoutZeros } from '../../format.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { useKept } from '../../navigation.ts'
import { Account } from '../../parts/Account.tsx'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Wei } from '../../parts/amounts.tsx'
import { Bytes } from '../../parts/Fields.tsx'
import { Hint } from '../../parts/Hint.tsx'
import { TableHead } from '../../parts/Table.tsx'
import { More } from '../../parts/Tabs.tsx'
import { Text, Value } from '../../parts/Value.tsx'
import { sourceRun } from '../../source/requests.ts'
import { request } from '../../source/source.ts'
import { type AccountChange, type SlotChange, type StateDiff, stateChanges } from './stateChanges.ts'

const FIRST = 50

interface StateChangesProps {
  hash: string
  at: string
  /** Roles of accounts in the transaction. */
  parties: ReadonlyMap<string, string>
}

export function StateChanges({ hash, at, parties }: StateChangesProps) {
  const tracing = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const diff = useLoad(() => request<StateDiff>('debug_traceTransaction', [hash, tracing]), [hash])
  // Slower; names slots if artifacts are known.
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
            <TableHead names={['state', 'before', 'after']} />
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
      {balance !== undefined && (
        <Row
          what="balance"
          before={<Wei amount={balance.before} />}
          after={
            <>
              <Wei amount={balance.after} />
              <div class="change-difference">
                <Difference amount={balance.after - balance.before} />
              </div>
            </>
          }
        />
      )}
      {nonce !== undefined && <Row what="nonce" before={nonce.before} after={nonce.after} />}
      {code !== undefined && (
        <Row
          what="code"
          before={<Code hex={code.before} what="the code before" />}
          after={<Code hex={code.after} what="the code after" />}
        />
      )}
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

function Slot({ slot: { slot, before, after, variables } }: { slot: SlotChange }) {
  if (variables.length === 0) {
    return (
      <Row
        what={
          <>
            slot <span class="id">{withoutZeros(slot)}</span>
          </>
        }
        before={<span class="id">{withoutZeros(before)}</span>}
        after={<span class="id">{withoutZeros(after)}</span>}
      />
    )
  }
  return (
    <>
      {variables.map((variable) => (
        <Row
          key={variable.name}
          what={
            <>
              <Hint text={`slot ${slot}`}>
                <Text limit={200}>{variable.name}</Text>
              </Hint>{' '}
              <span class="type">
                <Text limit={80}>{variable.type ?? ''}</Text>
              </span>
            </>
          }
          before={<Value parameter={{ type: variable.type ?? '' }} value={variable.before} />}
          after={<Value parameter={{ type: variable.type ?? '' }} value={variable.after} />}
        />
      ))}
    </>
  )
}

interface RowProps {
  what: ComponentChildren
  before: ComponentChildren
  after: ComponentChildren
}

function Row({ what, before, after }: RowProps) {
  return (
    <tr>
      <th scope="row">{what}</th>
      <td class="change-before">
        <div>{before}</div>
      </td>
      <td class="change-after">
        <div>{after}</div>
      </td>
    </tr>
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
