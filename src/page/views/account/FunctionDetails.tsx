/** A function, and its form where a reader opens it. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Text } from '../../parts/Text.tsx'
import { type ContractFunction, declared } from './functions.ts'

/** The form is made when it is first opened: an ABI may have any number of functions. */
export function FunctionDetails({
  called,
  form,
}: {
  called: ContractFunction
  form: () => ComponentChildren
}) {
  const wasOpened = useSignal(false)
  return (
    <details
      class="function"
      onToggle={({ currentTarget }) => {
        wasOpened.value ||= currentTarget.open
      }}
    >
      <summary>
        <Text>{declared(called)}</Text>
        {called.isPayable && <span class="quiet"> payable</span>}
      </summary>
      {wasOpened.value && form()}
    </details>
  )
}
