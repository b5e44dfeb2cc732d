/** A call with calldata as it was entered, which changes nothing. */
import { useSignal } from '@preact/signals'
import type { Codec } from '../../../solidity/abi/codec.ts'
import type { Moment } from '../../moment.ts'
import type { Hex } from '../../source/answers.ts'
import { Called } from './ReadTab.tsx'

export function RawRead({
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
