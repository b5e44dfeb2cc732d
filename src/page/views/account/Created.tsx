/** Who created a contract, in which transaction and with which arguments. */
import { useContracts } from '../../decode/index.ts'
import { useAsked } from '../../live/asked.ts'
import { Account } from '../../parts/Account.tsx'
import { ConstructorArguments } from '../../parts/Creation.tsx'
import { Field } from '../../parts/Fields.tsx'
import { TransactionLink } from '../../parts/links.tsx'
import type { CallFrame, Hex, TransactionAnswer } from '../../source/answers.ts'
import { source } from '../../source/index.ts'
import { callTrace } from '../../source/runs.ts'

interface Created {
  readonly hash: Hex
  readonly creator: Hex
  /** Code and arguments. */
  readonly input: Hex | undefined
}

/** `block`: the block at which its code is known. */
export function CreatedBy({
  address,
  code,
  block,
  takesNothing,
}: {
  address: Hex
  code: Hex
  block: string
  /** Its constructor is known to have no parameters. */
  takesNothing: boolean
}) {
  const asked = useAsked(() => creationOf(address).catch(() => null), [address, code])
  const created = asked.value.state === 'here' ? asked.value.value : null
  const known = useContracts(created === null ? [] : [created.creator], block)
  if (created === null) return null
  const { hash, creator, input } = created
  return (
    <Field name="created by" hint="the account that created the contract, and the transaction">
      <Account address={creator} known={known.value} /> <span class="quiet">in</span>{' '}
      <TransactionLink hash={hash} />
      {input !== undefined && !takesNothing && (
        <details>
          <summary>constructor arguments</summary>
          <ConstructorArguments input={input} created={address} at={block} />
        </details>
      )}
    </Field>
  )
}

/** Resolves with the creation of a contract; `null` where no sealed transaction created it. */
async function creationOf(address: Hex): Promise<Created | null> {
  const found = await source().request<Omit<Created, 'input'> | null>('ots_getContractCreator', [address])
  if (found === null) return null
  const transaction = await source().request<TransactionAnswer | null>('eth_getTransactionByHash', [
    found.hash,
  ])
  const isOwn = transaction?.to === null && transaction.from === found.creator
  const input = isOwn ? transaction.input : inputIn(await callTrace(found.hash), address)
  return { ...found, input }
}

function inputIn(frame: CallFrame, address: Hex): Hex | undefined {
  if (frame.type.startsWith('CREATE') && frame.to === address) return frame.input
  for (const call of frame.calls ?? []) {
    const input = inputIn(call, address)
    if (input !== undefined) return input
  }
  return undefined
}
