/** The arguments of a function, as a reader enters them. */
import { type Signal, useSignal } from '@preact/signals'
import type { Parameter } from '../../../solidity/abi/decoded.ts'
import { names } from '../../accounts/names.ts'
import { allMeant, blank, type Entered } from '../../input/abiInput.ts'
import { AbiInput } from '../../parts/AbiInput.tsx'
import { ADDRESSES } from '../../parts/KnownAddresses.tsx'

export interface Arguments {
  readonly parameters: readonly Parameter[]
  readonly entered: Signal<readonly Entered[]>
  /** Whether what is missing is said, too. */
  readonly isStrict: Signal<boolean>
  /** The values; `undefined` while one is missing or wrong. */
  readonly values: readonly unknown[] | undefined
}

export function useArguments(parameters: readonly Parameter[]): Arguments {
  const entered = useSignal<readonly Entered[]>(parameters.map(blank))
  const isStrict = useSignal(false)
  const all = allMeant(parameters, entered.value, names.value)
  return {
    parameters,
    entered,
    isStrict,
    values: all.kind === 'value' ? (all.value as readonly unknown[]) : undefined,
  }
}

/** `hint` says what is expected of each, in the place of its type. */
export function ArgumentInputs({ parameters, entered, isStrict, hint }: Arguments & { hint?: string }) {
  return (
    <>
      {parameters.map((parameter, i) => (
        <AbiInput
          key={i}
          parameter={parameter}
          entered={entered.value[i] ?? ''}
          onEntered={(one) => {
            entered.value = entered.value.with(i, one)
          }}
          names={names.value}
          addresses={ADDRESSES}
          fallback={`argument ${i + 1}`}
          isStrict={isStrict.value}
          hint={hint}
        />
      ))}
    </>
  )
}
