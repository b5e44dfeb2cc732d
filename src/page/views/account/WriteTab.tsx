import { useSignal } from '@preact/signals'
import type { Hex } from '../../../bytes/hex.ts'
import type { Codec } from '../../../solidity/abi/codec.ts'
import { names } from '../../accounts/names.ts'
import { isReadOnly } from '../../environment.ts'
import { parseInput } from '../../input/abiInput.ts'
import { ArgumentInputs, type FormParameter, useArguments } from '../../parts/AbiInput.tsx'
import { Button } from '../../parts/controls.tsx'
import { SendForm } from '../../wallet/SendForm.tsx'
import { type Draft, keyOf, type Sender, senders } from '../../wallet/sender.ts'
import { type ContractFunction, calldata } from './account.ts'
import { Called, FunctionList } from './ReadTab.tsx'

interface WriteProps {
  address: Hex
  codecs: readonly Codec[]
}

const AMOUNT: FormParameter = { name: 'amount', type: 'uint256', hint: 'in wei, or with a unit' }
const VALUE: FormParameter = { ...AMOUNT, name: 'value', whenEmpty: '0' }
const DATA: FormParameter = { name: 'calldata', type: 'bytes', whenEmpty: '0x' }
const TO: FormParameter = { name: 'to', type: 'address' }

function draftOf(to: unknown, value: unknown, data: unknown): Draft {
  return { to: to as Hex, value: `0x${(value as bigint).toString(16)}`, data: data as Hex }
}

export function WriteTab({ functions, ...to }: WriteProps & { functions: readonly ContractFunction[] }) {
  return <FunctionList functions={functions} form={(one) => <WriteForm {...to} called={one} />} />
}

function WriteForm({ address, codecs, called }: WriteProps & { called: ContractFunction }) {
  const { inputs, isPayable } = called
  const args = useArguments(isPayable ? [...inputs, VALUE] : inputs)
  return (
    <SendForm
      args={args}
      draftOf={(values) => draftOf(address, isPayable ? values.at(-1) : 0n, calldata(called, values))}
      codecs={codecs}
    >
      <ArgumentInputs {...args} />
    </SendForm>
  )
}

export function RawTab({ address, codecs }: WriteProps) {
  const args = useArguments(isReadOnly ? [DATA] : [DATA, VALUE])
  const data = parseInput(DATA, args.entered.value[0] || '0x', names.value)
  const inputs = (
    <>
      <ArgumentInputs {...args} />
      <RawRead
        address={address}
        data={data.kind === 'value' ? (data.value as Hex) : undefined}
        codecs={codecs}
      />
    </>
  )
  if (isReadOnly) return <div class="call">{inputs}</div>
  return (
    <SendForm args={args} draftOf={([data, value]) => draftOf(address, value, data)} codecs={codecs}>
      {inputs}
    </SendForm>
  )
}

function RawRead({ data, ...at }: WriteProps & { data: Hex | undefined }) {
  const asked = useSignal<Hex | undefined>(undefined)
  return (
    <>
      <div>
        <Button disabled={data === undefined} onClick={() => (asked.value = data)} text="read" />
      </div>
      {asked.value !== undefined && <Called {...at} key={asked.value} data={asked.value} />}
    </>
  )
}

/** A form that transfers ether from the account if the page can send from the account, otherwise to the account. */
export function TransferTab({ address }: { address: Hex }) {
  const own = senders.value.find((one) => one.address.toLowerCase() === address)
  return <TransferForm key={own && keyOf(own)} address={address} from={own} />
}

function TransferForm({ address, from }: { address: Hex; from: Sender | undefined }) {
  const args = useArguments(from === undefined ? [AMOUNT] : [TO, AMOUNT])
  return (
    <SendForm
      from={from}
      verb="send ether"
      args={args}
      draftOf={(values) => draftOf(from === undefined ? address : values[0], values.at(-1), '0x')}
      codecs={[]}
    >
      {from === undefined && (
        <p class="quiet">The recipient is this account: no known sender signs for it.</p>
      )}
      <ArgumentInputs {...args} />
    </SendForm>
  )
}
