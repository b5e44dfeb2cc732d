/** The lower part of a form that sends a transaction: sender, gas estimate, simulation, and the transactions sent. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Hex } from '../../bytes/hex.ts'
import type { Codec } from '../../solidity/abi/codec.ts'
import { named } from '../accounts/names.ts'
import { decodeResult } from '../decode/decode.ts'
import { rpcUrl } from '../environment.ts'
import { quantity, shortened, visible } from '../format.ts'
import { changesAt, loaded, useLiveLoad, useLoad } from '../live/load.ts'
import { PENDING } from '../moment.ts'
import { type Arguments, reportMissing } from '../parts/AbiInput.tsx'
import { Problem } from '../parts/Answer.tsx'
import { Count, StateBadge, TransactionLink } from '../parts/chain.tsx'
import { Button, Bytes, Select, TextField } from '../parts/controls.tsx'
import { CopyAs } from '../parts/Decoded.tsx'
import { Failure, StackTrace } from '../parts/Failure.tsx'
import { Text, Values } from '../parts/Value.tsx'
import { type Explained, request } from '../source/source.ts'
import {
  choose,
  connect,
  connected,
  type Draft,
  discoverWallets,
  keyOf,
  type Sender,
  send,
  sender,
  senders,
  type Wallet,
  wallets,
} from './wallet.ts'
import './wallet.css'

/** Milliseconds without typing after which the gas estimate is requested. */
const PAUSE_MS = 300
const NEVER = new Promise<never>(() => {})
const MOST_SENT = 5

interface SendFormProps {
  args: Arguments
  draftOf: (values: readonly unknown[]) => Draft
  codecs: readonly Codec[]
  /** The account to send from. Default: the account that the user has chosen. */
  from?: Sender | undefined
  verb?: string
  children: ComponentChildren
}

export function SendForm({ args, draftOf, codecs, from, verb = 'send', children }: SendFormProps) {
  const by = from ?? sender.value
  const draft = args.values && draftOf(args.values)
  const sent = useSignal<readonly Hex[]>([])
  const answered = useSignal<Answered | undefined>(undefined)
  const isBusy = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  /** Identifies the draft, because results of an earlier draft must not be shown. */
  const about = draft && by && `${keyOf(by)} ${draft.to} ${draft.value} ${draft.data}`
  const answer = answered.value?.about === about ? answered.value : undefined
  const { isReal, result } = answer ?? {}

  /** Sends or simulates the draft. With `gas`, sends the draft even if it would fail. */
  async function run(event: Event, isReal: boolean, gas?: Hex) {
    event.preventDefault()
    if (isBusy.value) return
    if (draft === undefined || by === undefined) return reportMissing(args, form.current!)
    answered.value = undefined
    isBusy.value = true
    try {
      if (isReal)
        sent.value = [await send(by, { ...draft, ...(gas && { gas }) }, rpcUrl()), ...sent.value].slice(
          0,
          MOST_SENT,
        )
      else {
        const output = await request<Hex>('eth_call', [{ from: by.address, ...draft }, 'pending'])
        answered.value = { about: about!, isReal, result: output }
      }
    } catch (error) {
      answered.value = { about: about!, isReal, result: error as Error }
    } finally {
      isBusy.value = false
    }
  }
  const sendAnyway = (event: Event, gas: Hex) => void run(event, true, gas)
  return (
    <form class="send" ref={form} onSubmit={(event) => void run(event, true)}>
      {children}
      {from === undefined && <SenderChoice />}
      <div class="send-buttons">
        <Button aria-disabled={isBusy.value} onClick={(event) => void run(event, false)} text="simulate" />
        <Button type="submit" class="primary" aria-disabled={isBusy.value} text={verb} />
        {/* After a failed request, no estimate is shown, because the estimate would fail, too. */}
        {draft !== undefined && by !== undefined && !(result instanceof Error) && (
          <Estimate key={about} from={by.address} draft={draft} codecs={codecs} onSend={sendAnyway} />
        )}
      </div>
      {result instanceof Error ? (
        <Refused error={result} codecs={codecs} onSend={sendAnyway}>
          {isReal ? 'Not sent:' : 'It would fail:'}
        </Refused>
      ) : (
        result && <Simulated input={draft!.data} output={result} codecs={codecs} />
      )}
      {draft !== undefined && <CopyAs call={{ kind: 'send', from: by?.address, ...draft }} codecs={codecs} />}
      {sent.value.map((hash) => (
        <SentTransaction key={hash} hash={hash} />
      ))}
    </form>
  )
}

/** The result of a simulated or sent draft. `about` identifies the draft, `isReal` is true if it was sent. */
interface Answered {
  readonly about: string
  readonly isReal: boolean
  readonly result: Hex | Error
}

interface RefusalProps {
  codecs: readonly Codec[]
  onSend: (event: Event, gas: Hex) => void
}

const USUAL_GAS = '1000000'

/** Shows why a transaction would fail. A form sends the transaction anyway, with a gas limit that the user enters. */
function Refused({ error, codecs, onSend, children }: RefusalProps & { error: Error; children: string }) {
  const gas = useSignal(USUAL_GAS)
  const limit = gas.value.trim()
  const isNumber = /^\d{1,15}$/.test(limit)
  return (
    <div class="send-estimate">
      <span class="quiet">{children}</span>
      <Failure error={error} codecs={codecs} />
      <p class="send-buttons">
        <label>
          gas limit <TextField inputMode="numeric" of={gas} aria-invalid={!isNumber} />
        </label>
        <Button
          aria-disabled={!isNumber}
          onClick={(event) => isNumber && onSend(event, quantity(BigInt(limit)))}
          text="send all the same"
        />
      </p>
    </div>
  )
}

interface EstimateProps extends RefusalProps {
  from: Hex
  draft: Draft
}

function Estimate({ from, draft, ...refusal }: EstimateProps) {
  const [hasPaused, setHasPaused] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasPaused(true), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [])
  const { value: asked } = useLoad(
    () => (hasPaused ? request<Hex>('eth_estimateGas', [{ from, ...draft }, 'pending']) : NEVER),
    [hasPaused],
  )
  switch (asked.state) {
    case 'loading':
      return <span class="quiet">estimating …</span>
    case 'here':
      return (
        <span class="quiet">
          about <Count value={asked.value} /> gas
        </span>
      )
    case 'failed':
      return (
        <Refused error={asked.error} {...refusal}>
          It would fail:
        </Refused>
      )
  }
}

function Simulated({ input, output, codecs }: { input: Hex; output: Hex; codecs: readonly Codec[] }) {
  const values = decodeResult(input, output, codecs)
  return (
    <div class="result" role="status">
      <p class="quiet">
        {output === '0x' ? 'It would succeed without a return value.' : 'It would succeed and return:'}
      </p>
      {values === undefined
        ? output !== '0x' && <Bytes hex={output} what="the returned bytes" />
        : values.length > 0 && <Values values={values} />}
    </div>
  )
}

function SenderChoice() {
  const problem = useSignal<Error | undefined>(undefined)
  useEffect(discoverWallets, [])
  const waiting = wallets.value.filter(({ id }) => !connected.value.get(id)?.length)
  async function add(wallet: Wallet) {
    problem.value = undefined
    try {
      const [address] = await connect(wallet)
      if (address !== undefined) choose(keyOf({ wallet, address }))
    } catch (error) {
      problem.value = error as Error
    }
  }
  return (
    <div class="sender">
      <label>
        from{' '}
        <Select
          value={sender.value === undefined ? '' : keyOf(sender.value)}
          options={senders.value.length === 0 ? [['', 'no sender']] : senders.value.map(optionOf)}
          onChosen={choose}
        />
      </label>
      {waiting.map((wallet) => (
        <Button
          key={wallet.id}
          onClick={() => void add(wallet)}
          text={<>connect {<Text limit={40}>{wallet.name}</Text>}</>}
        />
      ))}
      {problem.value && <Problem error={problem.value} />}
    </div>
  )
}

function optionOf(one: Sender): readonly [key: string, title: string] {
  const { address, wallet } = one
  const name =
    wallet === undefined
      ? named.value.find((each) => each.address === address)?.name
      : visible(wallet.name, 40)
  return [keyOf(one), `${name ?? ''} ${shortened(address)}`.trim()]
}

/** Shows a sent transaction, and follows it until it is sealed or dropped. */
function SentTransaction({ hash }: { hash: string }) {
  const last = useRef<Explained>(undefined)
  const asked = useLiveLoad(
    async () => {
      const isOver = last.current?.status === 'sealed' || last.current?.status === 'dropped'
      if (!isOver) last.current = await request<Explained>('preseal_explain', [hash])
      return last.current
    },
    [hash],
    changesAt(PENDING),
  )
  const { status = 'unknown', reason, failure, stackTrace } = loaded(asked.value) ?? {}
  return (
    <div class="sent" role="status">
      <TransactionLink hash={hash} /> <StateBadge state={status === 'unknown' ? 'accepted' : status} />{' '}
      {failure !== undefined && <StateBadge state="failed" />}{' '}
      <span class="quiet">{status !== 'unknown' && <Text limit={500}>{failure ?? reason ?? ''}</Text>}</span>
      {stackTrace && <StackTrace trace={stackTrace} />}
    </div>
  )
}
