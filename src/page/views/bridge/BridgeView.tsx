/** The view *Bridge*: an L1 and its L2 beside each other, and the messages between them. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import { counted } from '../../../model/api/text.ts'
import type { RpcBridge, RpcBridgeMessage, RpcEpochs } from '../../../wire/bridgeMessages.ts'
import { bridge } from '../../live/bridge.ts'
import { changesAt, useLiveLoad } from '../../live/load.ts'
import { PENDING } from '../../moment.ts'
import { Answer, Loading, Nothing } from '../../parts/Answer.tsx'
import { More } from '../../parts/Tabs.tsx'
import { request } from '../../source/source.ts'
import { Epochs } from './Epochs.tsx'
import { Message } from './Message.tsx'
import { AccountOn } from './places.tsx'
import './bridge.css'

interface Messages {
  readonly total: Hex
  readonly messages: readonly RpcBridgeMessage[]
}

const FIRST_MESSAGES = 20
const EPOCHS = 5
/** The other chain may move while this one stands still, and this page has only the events of this one. */
const ASKED_EACH_MS = 2_000

export function BridgeView() {
  return (
    <>
      <h1>Bridge</h1>
      {bridge.value ? (
        <Bridge bridge={bridge.value} />
      ) : bridge.value === null ? (
        <Nothing>
          this chain has no bridge: an L2 has one if it is started with its L1 (<code>--l1</code>)
        </Nothing>
      ) : (
        <Loading />
      )}
    </>
  )
}

function Bridge({ bridge }: { bridge: RpcBridge }) {
  const shown = useSignal(FIRST_MESSAGES)
  const round = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) round.value++
    }, ASKED_EACH_MS)
    return () => clearInterval(timer)
  }, [])
  const changes = changesAt(PENDING) + round.value
  const epochs = useLiveLoad(() => request<RpcEpochs>('preseal_listEpochs', [{ limit: EPOCHS }]), [], changes)
  const messages = useLiveLoad(
    () => request<Messages>('preseal_getBridgeMessages', [{ limit: shown.value }]),
    [shown.value],
    changes,
  )
  return (
    <>
      <section aria-labelledby="epochs">
        <h2 id="epochs">Chains</h2>
        <Answer asked={epochs.value}>{(found) => <Epochs bridge={bridge} {...found} />}</Answer>
      </section>
      <section aria-labelledby="messages">
        <h2 id="messages">Messages</h2>
        <Answer asked={messages.value}>
          {({ total, messages }) =>
            messages.length === 0 ? (
              <NoMessages portal={bridge.portal} />
            ) : (
              <>
                <p class="quiet">{counted(Number(total), 'message')}, newest first</p>
                <ol class="messages">
                  {messages.map((message) => (
                    <Message key={`${message.id} ${message.steps[0]!.transactionHash}`} message={message} />
                  ))}
                </ol>
                <More count={Number(total)} shown={shown} what="messages" />
              </>
            )
          }
        </Answer>
      </section>
    </>
  )
}

function NoMessages({ portal }: { portal: string }) {
  return (
    <div class="nothing">
      <p>No message yet.</p>
      <ul>
        <li>
          A deposit: use viem’s <code>depositTransaction</code>, or send ether on L1 to the portal, whose
          sender then receives it on L2: <AccountOn layer="l1" address={portal} whole />
        </li>
        <li>
          A withdrawal: use viem’s <code>initiateWithdrawal</code> on L2.
        </li>
      </ul>
    </div>
  )
}
