/** Forms that send transactions: a form for each state-changing function, for raw calldata, and for ether. */
import { useSignal } from '@preact/signals'
import type { Hex } from '../../../bytes/hex.ts'
import type { Codec } from '../../../solidity/abi/codec.ts'
import type { Parameter } from '../../../solidity/abi/decoded.ts'
import { isReadOnly } from '../../environment.ts'
import type { Moment } from '../../moment.ts'
import { SendForm } from '../../wallet/SendForm.tsx'
import { type Draft, senders } from '../../wallet/sender.ts'
import { type ContractFunction, calldata } from './account.ts'
import { ArgumentInputs, Called, FunctionDetails, FunctionList, useArguments } from './ReadTab.tsx'

interface WriteProps {
  address: Hex
  codecs: readonly Codec[]
}

const VALUE: Parameter = { name: 'value', type: 'uint256' }
const VALUE_HINT = 'in wei, or with a unit'

export function WriteTab({ functions, ...to }: WriteProps & { functions: readonly ContractFunction[] }) {
  return (
    <FunctionList functions={functions}>
      {(isShown) =>
        functions.map((one) => (
          <FunctionDetails
            key={one.signature}
            called={one}
            isShown={isShown(one)}
            form={() => <WriteForm {...to} called={one} />}
          />
        ))
      }
    </FunctionList>
  )
}

function WriteForm({ address, codecs, called }: WriteProps & { called: ContractFunction }) {
  const args = useArguments(called.inputs)
  const value = useValue()
  const draft: Draft | undefined =
    args.values && (called.isPayable ? value.amount : '0x0') === undefined
      ? undefined
      : args.values && {
          to: address,
          value: called.isPayable ? value.amount! : '0x0',
          data: calldata(called, args.values),
        }
  return (
    <SendForm
      draft={draft}
      codecs={codecs}
      onIncomplete={() => {
        args.isStrict.value = true
        value.args.isStrict.value = true
      }}
    >
      <ArgumentInputs {...args} />
      {called.isPayable && <ArgumentInputs {...value.args} hint={VALUE_HINT} />}
    </SendForm>
  )
}

/** The value of a call: zero unless entered. */
function useValue(parameter = VALUE) {
  const args = useArguments([parameter])
  const isNone = args.entered.value[0] === ''
  const amount: Hex | undefined = isNone ? '0x0' : hexOf(args.values?.[0])
  return { args: { ...args, isStrict: args.isStrict }, amount }
}

function hexOf(value: unknown): Hex | undefined {
  return typeof value === 'bigint' ? `0x${value.toString(16)}` : undefined
}

const DATA: Parameter = { name: 'calldata', type: 'bytes' }

/** A call with raw calldata: read, or sent. */
export function RawTab({
  address,
  codecs,
  moment,
  changes,
}: WriteProps & { moment: Moment; changes: number }) {
  const args = useArguments([DATA])
  const value = useValue()
  const isNone = args.entered.value[0] === ''
  const data = isNone ? '0x' : (args.values?.[0] as Hex | undefined)
  const read = <RawRead address={address} data={data} codecs={codecs} moment={moment} changes={changes} />
  if (isReadOnly)
    return (
      <div class="call">
        <ArgumentInputs {...args} />
        {read}
      </div>
    )
  return (
    <SendForm
      draft={
        data === undefined || value.amount === undefined
          ? undefined
          : { to: address, value: value.amount, data }
      }
      codecs={codecs}
      onIncomplete={() => {
        args.isStrict.value = true
      }}
    >
      <ArgumentInputs {...args} />
      <ArgumentInputs {...value.args} hint={VALUE_HINT} />
      {read}
    </SendForm>
  )
}

/** Reads with raw calldata. */
function RawRead({
  data,
  ...at
}: {
  address: string
  data: Hex | undefined
  codecs: readonly Codec[]
  moment: Moment
  changes: number
}) {
  const asked = useSignal<Hex | undefined>(undefined)
  return (
    <>
      <div>
        <button
          type="button"
          disabled={data === undefined}
          onClick={() => {
            asked.value = data
          }}
        >
          read
        </button>
      </div>
      {asked.value !== undefined && <Called {...at} key={asked.value} data={asked.value} />}
    </>
  )
}

/** A transfer of ether from an account, or to it. */
const TO: Parameter = { name: 'to', type: 'address' }
const AMOUNT: Parameter = { name: 'amount', type: 'uint256' }

export function TransferTab({ address }: { address: Hex }) {
  const own = senders.value.find((one) => one.address.toLowerCase() === address)
  return own === undefined ? <TransferTo address={address} /> : <TransferFrom from={own} />
}

function TransferFrom({ from }: { from: (typeof senders.value)[number] }) {
  const to = useArguments([TO])
  const amount = useArguments([AMOUNT])
  return (
    <SendForm
      from={from}
      verb="send ether"
      codecs={[]}
      draft={to.values && amount.values && transfer(to.values[0] as Hex, amount.values[0] as bigint)}
      onIncomplete={() => {
        to.isStrict.value = true
        amount.isStrict.value = true
      }}
    >
      <ArgumentInputs {...to} />
      <ArgumentInputs {...amount} hint={VALUE_HINT} />
    </SendForm>
  )
}

function TransferTo({ address }: { address: Hex }) {
  const args = useArguments([AMOUNT])
  return (
    <SendForm
      verb="send ether"
      codecs={[]}
      draft={args.values && transfer(address, args.values[0] as bigint)}
      onIncomplete={() => {
        args.isStrict.value = true
      }}
    >
      <p class="quiet">The recipient is this account: no known sender signs for it.</p>
      <ArgumentInputs {...args} hint={VALUE_HINT} />
    </SendForm>
  )
}

function transfer(to: Hex, amount: bigint) {
  return { to, value: `0x${amount.toString(16)}` as Hex, data: '0x' as Hex }
}
