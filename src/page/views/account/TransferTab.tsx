/** A transfer of ether from an account, or to it. */
import type { Parameter } from '../../../abi/decoded.ts'
import type { Hex } from '../../source/answers.ts'
import { SendForm } from '../../wallet/SendForm.tsx'
import { senders } from '../../wallet/sender.ts'
import { ArgumentInputs, useArguments } from './Arguments.tsx'

const TO: Parameter = { name: 'to', type: 'address' }
const AMOUNT: Parameter = { name: 'amount', type: 'uint256' }

export function TransferTab({ address }: { address: Hex }) {
  const own = senders.value.find((one) => one.address.toLowerCase() === address)
  return own === undefined ? <TransferTo address={address} /> : <TransferFrom from={own} />
}

function TransferFrom({ from }: { from: (typeof senders.value)[number] }) {
  const args = useArguments([TO, AMOUNT])
  return (
    <SendForm
      from={from}
      verb="send ether"
      codecs={[]}
      draft={args.values && transfer(args.values[0] as Hex, args.values[1] as bigint)}
      onIncomplete={() => {
        args.isStrict.value = true
      }}
    >
      <p class="quiet">From this account. An amount without a unit is in wei.</p>
      <ArgumentInputs {...args} />
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
      <p class="quiet">To this account: nobody signs for it here. An amount without a unit is in wei.</p>
      <ArgumentInputs {...args} />
    </SendForm>
  )
}

function transfer(to: Hex, amount: bigint) {
  return { to, value: `0x${amount.toString(16)}` as Hex, data: '0x' as Hex }
}
