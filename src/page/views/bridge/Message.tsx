/** A deposit or a withdrawal: what it transfers, its transactions on both chains, and what comes next. */
import type { ComponentChildren } from 'preact'
import type { RpcBridgeMessage } from '../../../wire/bridgeMessages.ts'
import { absolute, grouped } from '../../format.ts'
import type { Layer } from '../../live/bridge.ts'
import { Time, Wei } from '../../parts/chain.tsx'
import { AccountOn, BlockOn, TransactionOn } from './places.tsx'

type Step = RpcBridgeMessage['steps'][number]

/** All steps of a message, each with the chain of its transaction. */
const WAYS = {
  deposit: [
    ['deposited', 'l1'],
    ['derived', 'l2'],
  ],
  withdrawal: [
    ['initiated', 'l2'],
    ['proposed', 'l1'],
    ['proven', 'l1'],
    ['finalized', 'l1'],
  ],
} as const

export function Message({ message }: { message: RpcBridgeMessage }) {
  const { kind, from, to, steps } = message
  const way = WAYS[kind]
  const [start, end]: readonly Layer[] = kind === 'deposit' ? ['l1', 'l2'] : ['l2', 'l1']
  return (
    <li class="message">
      <p class="message-head">
        <b>{kind === 'deposit' ? 'Deposit' : 'Withdrawal'}</b> <Amount message={message} />
        <span>
          from <AccountOn layer={start!} address={from} />
        </span>
        <span>
          {to === null ? (
            'creates a contract'
          ) : (
            <>
              to <AccountOn layer={end!} address={to} />
            </>
          )}
        </span>
        <Status message={message} />
      </p>
      <ol class={`way way-${kind}`} aria-label={`steps of the ${kind}`}>
        {way.map(([name, layer]) => {
          const step = steps.find((one) => one.name === name)
          // No step follows on a removed one.
          if (step === undefined && message.status === 'removed') return null
          return <StepPlace key={name} name={name} layer={layer} step={step} />
        })}
      </ol>
      <Next message={message} />
    </li>
  )
}

function Amount({ message: { value, mint, token } }: { message: RpcBridgeMessage }) {
  const minted = mint === null || mint === value ? undefined : mint
  return (
    <span>
      {token !== null ? (
        <>
          <span class="number">{grouped(BigInt(token.amount))}</span> of{' '}
          <AccountOn layer="l1" address={token.l1} />
        </>
      ) : (
        <Wei amount={value} />
      )}
      {minted !== undefined && (
        <>
          , mints <Wei amount={minted} />
        </>
      )}
    </span>
  )
}

interface StepProps {
  name: string
  layer: Layer
  step: Step | undefined
}

function StepPlace({ name, layer, step }: StepProps) {
  const isFailed = step?.status === 'failed'
  const look = step === undefined ? 'missing' : isFailed ? 'failed' : step.state
  return (
    <li class={`step step-${layer} step-${look}`}>
      <span class="step-layer">{layer.toUpperCase()}</span>
      <span class="step-name">
        {name}
        {isFailed && ', failed'}
        {step?.state === 'removed' && ', removed'}
        {step?.state === 'preconfirmed' && ', pre-confirmed'}
      </span>
      {step === undefined ? (
        <span class="quiet">not yet</span>
      ) : (
        <>
          <TransactionOn layer={layer} hash={step.transactionHash} />
          <span class="quiet">
            block{' '}
            {step.state === 'removed' ? (
              Number(step.blockNumber)
            ) : (
              <BlockOn layer={layer} number={step.blockNumber} />
            )}
            , <Time seconds={step.timestamp} />
          </span>
        </>
      )}
    </li>
  )
}

const LOOKS: Readonly<Record<RpcBridgeMessage['status'], readonly [look: string, words: string]>> = {
  'waiting-for-l2': ['waiting', 'waiting for the L2'],
  success: ['sealed', 'success'],
  failed: ['failed', 'failed'],
  removed: ['reorged', 'removed by a reorg'],
  'waiting-to-prove': ['waiting', 'waiting to prove'],
  'ready-to-prove': ['preconfirmed', 'ready to prove'],
  'waiting-to-finalize': ['waiting', 'waiting to finalize'],
  'ready-to-finalize': ['preconfirmed', 'ready to finalize'],
  finalized: ['sealed', 'finalized'],
}

function Status({ message: { status } }: { message: RpcBridgeMessage }) {
  const [look, words] = LOOKS[status]
  return <span class={`state state-${look} message-status`}>{words}</span>
}

/** Explains what is missing until the message arrives, and when it can happen. */
function Next({ message }: { message: RpcBridgeMessage }) {
  const text = nextOf(message)
  return text && <p class="message-next">{text}</p>
}

function nextOf({ status, nextStepAt, steps }: RpcBridgeMessage): ComponentChildren {
  switch (status) {
    case 'waiting-for-l2':
      return 'Next: an L2 block with this L1 block as its origin. Each L2 block takes at most one more L1 block.'
    case 'waiting-to-prove':
      if (steps[0]!.state === 'preconfirmed')
        return 'Next: the L2 block is sealed, and its output root is proposed on L1.'
      return nextStepAt === null ? (
        'Its output root is not proposed on L1: the proposal was refused or dropped. The proposal of a later L2 block is enough.'
      ) : (
        <>
          Next: the L1 block with the proposal of the output root, <When seconds={nextStepAt} />.
        </>
      )
    case 'ready-to-prove':
      return (
        <>
          Next: prove it on L1, for example with viem’s <code>proveWithdrawal</code>.
        </>
      )
    case 'waiting-to-finalize':
      return (
        <>
          Next: the proof matures, <When seconds={nextStepAt!} />. Then it can be finalized.
        </>
      )
    case 'ready-to-finalize':
      return (
        <>
          Next: finalize it on L1, for example with viem’s <code>finalizeWithdrawal</code>.
        </>
      )
    case 'success':
    case 'failed':
    case 'removed':
    case 'finalized':
      return undefined
  }
}

function When({ seconds }: { seconds: string }) {
  return (
    <>
      <b>
        <Time seconds={seconds} />
      </b>{' '}
      <span class="quiet">({absolute(Number(seconds) * 1_000)})</span>
    </>
  )
}
