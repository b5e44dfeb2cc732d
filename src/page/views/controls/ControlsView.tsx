import { names } from '../../accounts/names.ts'
import { isReadOnly, isReport } from '../../environment.ts'
import { absolute, grouped } from '../../format.ts'
import { changesAt, useLiveLoad } from '../../live/load.ts'
import { LATEST } from '../../moment.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { KnownAddresses } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { Action } from './Action.tsx'
import { ExportControls, RhythmControls, SnapshotControls, WaitingControls } from './ChainControls.tsx'
import { FaultControls } from './FaultForm.tsx'
import { AFTER_REORG } from './faultForms.ts'
import {
  accountField,
  address,
  choiceField,
  ether,
  long,
  textField,
  timestamp,
  wholeNumber,
} from './fields.ts'
import './controls.css'

const ACCOUNT = accountField('account', 'account')

const KEYS = [
  ['begin', 'no key needed'],
  ['end', 'key needed'],
] as const

const WHY_NOT = isReport
  ? 'the session has ended: the chain cannot be changed'
  : 'this page is read-only: the devnet was started with --read-only-page'

export function ControlsView() {
  return (
    <>
      <h1>Controls</h1>
      {isReadOnly ? <Nothing>{WHY_NOT}</Nothing> : <All />}
    </>
  )
}

function All() {
  const clock = useLiveLoad(() => ask<{ readonly time: number }>('preseal_getRhythm'), [], changesAt(LATEST))
  const now = clock.value.state === 'here' && (
    <>
      ; it is <time>{absolute(Math.floor(clock.value.value.time / 1_000) * 1_000)}</time>
    </>
  )
  return (
    <>
      <KnownAddresses />
      <h2>Blocks</h2>
      <div class="actions">
        <RhythmControls />
        <Action
          title="Mine"
          hint="seals blocks at once; the first contains the waiting transactions"
          fields={[textField('blocks', 'blocks', '1'), textField('seconds', 'seconds between', '1')]}
          button="mine"
          run={async ({ blocks = '', seconds = '' }) => {
            const count = wholeNumber(blocks, 'the number of blocks')
            await ask('anvil_mine', count, wholeNumber(seconds, 'the time'))
            return `block ${Number(await ask<string>('eth_blockNumber'))} is the newest`
          }}
        />
      </div>
      <h2>Going back, and saving</h2>
      <div class="actions">
        <Action
          title="Reorganise"
          hint="replaces the newest sealed blocks by the same number of others"
          fields={[
            textField('depth', 'blocks', '1'),
            long(choiceField('transactions', 'their transactions', AFTER_REORG)),
          ]}
          button="reorganise"
          run={async ({ depth = '', transactions }) => {
            const count = Number(wholeNumber(depth, 'the number of blocks'))
            const newest = Number(await ask<string>('eth_blockNumber'))
            await ask('preseal_reorg', { depth: count, transactions })
            return count === 1
              ? `block ${newest} was replaced`
              : `blocks ${newest - count + 1} to ${newest} were replaced`
          }}
        />
        <WaitingControls />
        <SnapshotControls />
        <ExportControls />
      </div>
      <h2>Time</h2>
      <div class="actions">
        <Action
          title="Advance"
          hint={<>moves the clock of the chain forward{now}</>}
          fields={[textField('seconds', 'seconds', '3600')]}
          button="advance"
          run={async ({ seconds = '' }) => {
            const offset = await ask<string>('evm_increaseTime', wholeNumber(seconds, 'the time'))
            return `the clock is ${grouped(Number(offset))} s ahead in total`
          }}
        />
        <Action
          title="Time of the next block"
          hint="later blocks continue from there"
          fields={[long(textField('time', 'date, or seconds since 1970', '', '2030-01-31 12:00:00'))]}
          button="set"
          run={async ({ time = '' }) => {
            const at = timestamp(time)
            await ask('evm_setNextBlockTimestamp', at)
            return `the next block is dated ${absolute(Number(at) * 1_000)}`
          }}
        />
      </div>
      <h2>Accounts</h2>
      <div class="actions">
        <Action
          title="Deal ether"
          hint="sets the balance of an account"
          fields={[ACCOUNT, textField('amount', 'balance in ETH', '100')]}
          button="set balance"
          run={async ({ account = '', amount = '' }) => {
            await ask('anvil_setBalance', addressOf(account), ether(amount))
            return `${account} has ${amount} ETH`
          }}
        />
        <Action
          title="Deal a token"
          hint="sets the balance of an ERC-20 token, in its smallest unit"
          fields={[accountField('token', 'token'), ACCOUNT, textField('amount', 'balance', '1000')]}
          button="set balance"
          run={async ({ token = '', account = '', amount = '' }) => {
            const balance = wholeNumber(amount, 'a balance')
            await ask('anvil_dealERC20', addressOf(account), addressOf(token, 'a token'), balance)
            return `${account} has ${amount}`
          }}
        />
        <Action
          title="Impersonate"
          hint="lets an account send without its key, by eth_sendTransaction"
          fields={[ACCOUNT, long(choiceField('what', 'from now on', KEYS))]}
          button="apply"
          run={async ({ account = '', what }) => {
            const method = what === 'end' ? 'anvil_stopImpersonatingAccount' : 'anvil_impersonateAccount'
            await ask(method, addressOf(account))
            return what === 'end' ? `${account} needs its key again` : `${account} can send`
          }}
        />
      </div>
      <FaultControls />
    </>
  )
}

function addressOf(text: string, what?: string): string {
  return address(names.value.get(text.toLowerCase()) ?? text, what)
}

function ask<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  return request<T>(method, params)
}
