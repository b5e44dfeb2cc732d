/** A transfer of ether from an account, or to it. */
import type { Parameter } from '../../../solidity/abi/decoded.ts'
import type { Hex } from '../../source/answers.ts'
import { SendForm } from '../../wallet/SendForm.tsx'
import { senders } from '../../wallet/sender.ts'
import { ArgumentInputs, useArguments } from './Arguments.tsx'
import { VALUE_HINT } from './WriteTab.tsx'

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
      <p class="quiet">To this account: nobody signs for it here.</p>
      <ArgumentInputs {...args} hint={VALUE_HINT} />
    </SendForm>
  )
}

function transfer(to: Hex, amount: bigint) {
  return { to, value: `0x${amount.toString(16)}` as Hex, data: '0x' as Hex }
}
