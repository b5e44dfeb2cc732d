import type { Hex } from '../../../bytes/hex.ts'
import type { RpcTransaction } from '../../../wire/encode.ts'
import type { RpcCallFrame } from '../../../wire/encodeTrace.ts'
import { useContracts } from '../../decode/contracts.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { Field } from '../../parts/Fields.tsx'
import { BlockLink, TransactionLink } from '../../parts/links.tsx'
import { ConstructorArguments } from '../../parts/Method.tsx'
import { Account } from '../../parts/Value.tsx'
import { callTrace, forkBlockNumber } from '../../source/requests.ts'
import { request, source } from '../../source/source.ts'

interface Created {
  readonly hash: Hex
  readonly creator: Hex
  /** Creation code, followed by the constructor arguments. */
  readonly input: Hex | undefined
}

interface CreatedByProps {
  address: Hex
  code: Hex
  block: string
  takesNothing: boolean
}

export function CreatedBy({ address, code, block, takesNothing }: CreatedByProps) {
  const asked = useLoad(() => creationOf(address).catch(() => null), [address, code])
  const created = loaded(asked.value)
  const known = useContracts(created ? [created.creator] : [], block)
  if (created === undefined) return null
  if (created === null) return <CreatedBefore address={address} />
  const { hash, creator, input } = created
  return (
    <Field {...FIELD}>
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

const FIELD = { name: 'created by', hint: 'the account that created the contract, and the transaction' }

function CreatedBefore({ address }: { address: Hex }) {
  const asked = useLoad(() => forkBlockWith(address), [address])
  const forkBlock = loaded(asked.value)
  if (forkBlock === undefined) return null
  return (
    <Field {...FIELD}>
      <span class="quiet">
        not known: the contract existed at block <BlockLink id={String(forkBlock)} />, where the chain was
        forked
      </span>
    </Field>
  )
}

/** Resolves to the number of the fork block if the account had code in that block. */
async function forkBlockWith(address: Hex): Promise<number | undefined> {
  const number = await forkBlockNumber(source())
  if (number === undefined) return undefined
  const code = await request<Hex>('eth_getCode', [address, `0x${number.toString(16)}`])
  return code === '0x' ? undefined : number
}

/** Resolves to the creation of a contract, or to `null` if no sealed transaction created it. */
async function creationOf(address: Hex): Promise<Created | null> {
  const found = await request<Omit<Created, 'input'> | null>('ots_getContractCreator', [address])
  if (found === null) return null
  const transaction = await request<RpcTransaction | null>('eth_getTransactionByHash', [found.hash])
  const isOwn = transaction?.to === null && transaction.from === found.creator
  const input = isOwn ? transaction.input : inputIn(await callTrace(found.hash), address)
  return { ...found, input }
}

function inputIn(frame: RpcCallFrame, address: Hex): Hex | undefined {
  if (frame.type.startsWith('CREATE') && frame.to === address) return frame.input
  for (const call of frame.calls ?? []) {
    const input = inputIn(call, address)
    if (input !== undefined) return input
  }
  return undefined
}
