/** The functions of a contract: a line for each, its form where a reader opens it, and a field that finds one of many. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Nothing } from '../../parts/Answer.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Text } from '../../parts/Text.tsx'
import { type ContractFunction, declared, isMeant } from './functions.ts'

/** So many are seen at a glance. */
const FEW = 8

/** `children` says what is shown; a function that is left out keeps what was entered for it. */
export function FunctionList({
  functions,
  children,
}: {
  functions: readonly ContractFunction[]
  children: (isShown: (one: ContractFunction) => boolean) => ComponentChildren
}) {
  const wanted = useSignal('')
  const isShown = (one: ContractFunction) => isMeant(one, wanted.value)
  const count = functions.filter(isShown).length
  return (
    <>
      {functions.length > FEW && (
        <label class="function-filter">
          find a function{' '}
          <input
            type="text"
            value={wanted.value}
            placeholder="a part of its name, or its selector"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => {
              wanted.value = currentTarget.value
            }}
          />
        </label>
      )}
      {children(isShown)}
      {count === 0 && <Nothing>no function is called like that</Nothing>}
    </>
  )
}

/** The form is made when it is first opened: an ABI may have any number of functions. */
export function FunctionDetails({
  called,
  isShown,
  form,
}: {
  called: ContractFunction
  isShown: boolean
  form: () => ComponentChildren
}) {
  const wasOpened = useSignal(false)
  return (
    <details
      class="function"
      hidden={!isShown}
      onToggle={({ currentTarget }) => {
        wasOpened.value ||= currentTarget.open
      }}
    >
      <summary>
        <strong>
          <Text limit={100}>{called.name}</Text>
        </strong>
        <span class="declared">
          <Text>{declared(called)}</Text>
        </span>
        {called.isPayable && <span class="quiet"> payable</span>}
      </summary>
      {wasOpened.value && (
        <>
          <p class="quiet">
            selector <code>{called.selector}</code> <Copy text={called.selector} what="the selector" />
          </p>
          {form()}
        </>
      )}
    </details>
  )
}
