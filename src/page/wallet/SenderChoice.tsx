/** Lets a reader choose who sends. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { named } from '../accounts/names.ts'
import { shortened } from '../format/hex.ts'
import { visible } from '../format/untrusted.ts'
import { Problem } from '../parts/Answer.tsx'
import { Text } from '../parts/Text.tsx'
import { connect, connected, discoverWallets, wallets } from './providers.ts'
import { choose, keyOf, type Sender, sender, senders } from './sender.ts'
import type { Wallet } from './wallet.ts'

export function SenderChoice() {
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
        <select
          value={sender.value === undefined ? '' : keyOf(sender.value)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {senders.value.length === 0 && <option value="">nobody signs here</option>}
          {senders.value.map((one) => (
            <option key={keyOf(one)} value={keyOf(one)}>
              {titleOf(one)}
            </option>
          ))}
        </select>
      </label>
      {waiting.map((wallet) => (
        <button type="button" key={wallet.id} onClick={() => void add(wallet)}>
          connect <Text limit={40}>{wallet.name}</Text>
        </button>
      ))}
      {problem.value && <Problem error={problem.value} />}
    </div>
  )
}

function titleOf({ address, wallet }: Sender): string {
  const name =
    wallet === undefined ? named.value.find((one) => one.address === address)?.name : visible(wallet.name, 40)
  return `${name ?? ''} ${shortened(address)}`.trim()
}
