/** Hands on the chain: blocks, time, snapshots, accounts, reorganisations, faults. */
import { Nothing } from '../../parts/Answer.tsx'
import { isReadOnly } from '../../served.ts'
import { source } from '../../source/index.ts'
import { Action } from './Action.tsx'
import { FaultControls } from './FaultControls.tsx'
import { RhythmControls } from './RhythmControls.tsx'
import { SnapshotControls } from './SnapshotControls.tsx'
import { address, ether, hash, wholeNumber } from './values.ts'
import './controls.css'

export function ControlsView() {
  return (
    <>
      <h1>Controls</h1>
      {isReadOnly ? <Nothing>this page only reads: it was started with --read-only-page</Nothing> : <All />}
    </>
  )
}

function All() {
  return (
    <>
      <h2>Blocks</h2>
      <div class="actions">
        <RhythmControls />
        <Action
          title="Mine"
          hint="seals blocks at once; what waits is in the first"
          fields={[
            { name: 'blocks', label: 'blocks', initial: '1' },
            { name: 'seconds', label: 'seconds between them', initial: '1' },
          ]}
          button="mine"
          run={async ({ blocks = '', seconds = '' }) => {
            await ask(
              'anvil_mine',
              wholeNumber(blocks, 'the number of blocks'),
              wholeNumber(seconds, 'the time'),
            )
            return `block ${Number(await ask<string>('eth_blockNumber'))} is the newest`
          }}
        />
        <Action
          title="Reorganise"
          hint="replaces the newest blocks; their transactions are kept, wait again, or are dropped"
          fields={[
            { name: 'depth', label: 'blocks', initial: '1' },
            { name: 'transactions', label: 'transactions', choices: ['keep', 'wait', 'drop'] },
          ]}
          button="reorganise"
          run={async ({ depth = '', transactions }) => {
            await ask('preseal_reorg', {
              depth: Number(wholeNumber(depth, 'the number of blocks')),
              transactions,
            })
            return `${depth} replaced`
          }}
        />
        <Action
          title="Drop a waiting transaction"
          hint="removes it from the pool; without a hash all that wait"
          fields={[{ name: 'hash', label: 'hash', placeholder: 'all' }]}
          button="drop"
          run={async (values) => {
            if (values.hash === '') await ask('anvil_dropAllTransactions')
            else await ask('anvil_dropTransaction', hash(values.hash!))
            return values.hash === '' ? 'nothing waits' : 'dropped'
          }}
        />
      </div>
      <h2>Time</h2>
      <div class="actions">
        <Action
          title="Advance"
          hint="moves the clock of the chain forward"
          fields={[{ name: 'seconds', label: 'seconds', initial: '3600' }]}
          button="advance"
          run={async ({ seconds = '' }) => {
            const offset = await ask<string>('evm_increaseTime', wholeNumber(seconds, 'the time'))
            return `the clock is ${Number(offset)} s ahead in all`
          }}
        />
        <Action
          title="Time of the next block"
          hint="in seconds since 1970"
          fields={[{ name: 'seconds', label: 'timestamp', placeholder: '1767225600' }]}
          button="set"
          run={async ({ seconds = '' }) => {
            await ask('evm_setNextBlockTimestamp', wholeNumber(seconds, 'a timestamp'))
            return `the next block has ${seconds}`
          }}
        />
        <SnapshotControls />
      </div>
      <h2>Accounts</h2>
      <div class="actions">
        <Action
          title="Deal ether"
          hint="sets the balance of an account"
          fields={[
            { name: 'account', label: 'account', placeholder: '0x…' },
            { name: 'amount', label: 'balance in ETH', initial: '100' },
          ]}
          button="set balance"
          run={async ({ account = '', amount = '' }) => {
            await ask('anvil_setBalance', address(account), ether(amount))
            return `${account} has ${amount} ETH`
          }}
        />
        <Action
          title="Deal a token"
          hint="sets the balance of an ERC-20 token, in its smallest unit"
          fields={[
            { name: 'token', label: 'token', placeholder: '0x…' },
            { name: 'account', label: 'account', placeholder: '0x…' },
            { name: 'amount', label: 'balance', initial: '1000' },
          ]}
          button="set balance"
          run={async ({ token = '', account = '', amount = '' }) => {
            const balance = wholeNumber(amount, 'a balance')
            await ask('anvil_dealERC20', address(account), address(token, 'a token'), balance)
            return `${account} has ${amount}`
          }}
        />
        <Action
          title="Impersonate"
          hint="lets an account send without its key, or ends that"
          fields={[
            { name: 'account', label: 'account', placeholder: '0x…' },
            { name: 'what', label: 'what', choices: ['begin', 'end'] },
          ]}
          button="apply"
          run={async ({ account = '', what }) => {
            const method = what === 'end' ? 'anvil_stopImpersonatingAccount' : 'anvil_impersonateAccount'
            await ask(method, address(account))
            return what === 'end' ? `${account} needs its key again` : `${account} can send`
          }}
        />
      </div>
      <FaultControls />
    </>
  )
}

function ask<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  return source().request<T>(method, params)
}
