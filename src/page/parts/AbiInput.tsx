/** Form fields for parameters of an ABI. Arrays and tuples have a field for each item, or one field for JSON. */
import { type Signal, useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import { names } from '../accounts/names.ts'
import { typeName, visible } from '../format.ts'
import {
  arrayOf,
  asItems,
  asJson,
  blank,
  type Entered,
  exampleOf,
  isComposite,
  MOST_ITEMS,
  parseInput,
  parseInputs,
} from '../input/abiInput.ts'
import { afterRender } from './accessibility.tsx'
import { Button, Select, TextField } from './controls.tsx'
import { ADDRESSES, Text } from './Value.tsx'
import './abiInput.css'

export interface FormParameter extends Parameter {
  /** Shown in the label instead of the type. */
  readonly hint?: string
  /** The value used if the field is empty. Without such a value, the parameter is required. */
  readonly whenEmpty?: string
}

export interface Arguments {
  readonly parameters: readonly FormParameter[]
  readonly entered: Signal<readonly Entered[]>
  /** Whether missing arguments are reported as errors. False until the form is submitted. */
  readonly isStrict: Signal<boolean>
  /** The parsed arguments. `undefined` while any of them is missing or invalid. */
  readonly values: readonly unknown[] | undefined
}

export function useArguments(parameters: readonly FormParameter[]): Arguments {
  const entered = useSignal<readonly Entered[]>(parameters.map(blank))
  const isStrict = useSignal(false)
  const filled = entered.value.map((one, i) => (one === '' ? (parameters[i]?.whenEmpty ?? '') : one))
  const all = parseInputs(parameters, filled, names.value)
  const values = all.kind === 'value' ? (all.value as readonly unknown[]) : undefined
  return { parameters, entered, isStrict, values }
}

/** Shows which arguments are missing, and focuses the first invalid field. */
export function reportMissing({ isStrict }: Arguments, form: Element): void {
  isStrict.value = true
  afterRender(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

export function ArgumentInputs({ parameters, entered, isStrict }: Arguments) {
  return (
    <>
      {parameters.map((parameter, i) => (
        <AbiInput
          key={i}
          parameter={parameter}
          entered={entered.value[i] ?? ''}
          onEntered={(one) => (entered.value = entered.value.with(i, one))}
          fallback={`argument ${i + 1}`}
          isStrict={isStrict.value}
        />
      ))}
    </>
  )
}

interface AbiInputProps {
  parameter: FormParameter
  entered: Entered
  onEntered: (entered: Entered) => void
  fallback: string
  isStrict: boolean
}

function AbiInput(props: AbiInputProps) {
  const { parameter, entered } = props
  const button = useId()
  /** Switches between fields and JSON. The focus stays on the button. */
  function onSwitch(to: Entered) {
    props.onEntered(to)
    afterRender(() => document.getElementById(button)?.focus())
  }
  const form = { ...props, button, onSwitch }
  if (typeof entered === 'string') return <TextInput {...form} entered={entered} />
  return isComposite(parameter) ? <Items {...form} entered={entered} /> : <TextInput {...form} entered="" />
}

interface FormProps<T extends Entered> extends AbiInputProps {
  entered: T
  /** The `id` of the button that switches between fields and JSON. */
  button: string
  onSwitch: (entered: Entered) => void
}

function TextInput({ parameter, entered, fallback, isStrict, ...form }: FormProps<string>) {
  const { type } = parameter
  const id = useId()
  const isMissing = isStrict && parameter.whenEmpty === undefined
  const problem = entered === '' && !isMissing ? undefined : problemOf(parameter, entered)
  const isJson = isComposite(parameter)
  const items = isJson ? asItems(parameter, entered === '' ? blank(parameter) : entered) : undefined
  const lines = entered.split('\n').length
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    form.onEntered(event.currentTarget.value)
  const shared = {
    id,
    value: entered,
    spellcheck: false,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : `${id}-said`,
  }
  return (
    <div class="abi-input">
      <label for={id}>
        <Title parameter={parameter} fallback={fallback} />
      </label>{' '}
      {items !== undefined && (
        <Button class="more" id={form.button} onClick={() => form.onSwitch(items)} text="as fields" />
      )}
      {type === 'bool' ? (
        <Select {...shared} options={BOOLEANS} onChosen={form.onEntered} />
      ) : isJson || type === 'string' || type === 'bytes' ? (
        <textarea
          {...shared}
          rows={Math.min(MOST_ROWS, Math.max(isJson ? 2 : 1, lines))}
          placeholder={isJson ? exampleOf(parameter) : undefined}
          onInput={onInput}
        />
      ) : (
        <TextField
          {...shared}
          list={type === 'address' ? ADDRESSES : undefined}
          placeholder={PLACEHOLDERS.find(([pattern]) => pattern.test(type))?.[1]}
          onInput={onInput}
        />
      )}
      {problem !== undefined && (
        <p class="abi-said" id={`${id}-said`}>
          <Text limit={400}>{problem}</Text>
        </p>
      )}
    </div>
  )
}

const MOST_ROWS = 12

const BOOLEANS = [
  ['', 'choose'],
  ['true', 'true'],
  ['false', 'false'],
] as const

const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^u?int/, '0, 1.5 ether, 0x2a'],
  [/^address/, '0x… or a name'],
  [/^bytes/, '0x… or "text"'],
]

function Items({ button, onSwitch, ...props }: FormProps<readonly Entered[]>) {
  const { parameter, entered, onEntered, fallback } = props
  const frame = useRef<HTMLFieldSetElement>(null)
  const array = arrayOf(parameter)
  const put = (i: number, item: Entered) => onEntered(entered.with(i, item))
  const itemsOf = () => [...frame.current!.querySelectorAll(':scope > .abi-item')]
  function add(item: Entered) {
    onEntered([...entered, item])
    afterRender(() =>
      itemsOf().at(-1)?.querySelector<HTMLElement>('input, select, textarea, button')?.focus(),
    )
  }
  function remove(i: number) {
    onEntered(entered.toSpliced(i, 1))
    afterRender(() => {
      const left = itemsOf()
      const beside = left[i] ?? left.at(-1) ?? frame.current!
      beside.querySelector<HTMLElement>(':scope > button')?.focus()
    })
  }
  return (
    <fieldset class="abi-items" ref={frame}>
      <legend>
        <Title parameter={parameter} fallback={fallback} />{' '}
        <Button
          class="more"
          id={button}
          onClick={() => onSwitch(asJson(parameter, entered))}
          text="as JSON"
        />
      </legend>
      {array === undefined
        ? parameter.components?.map((component, i) => (
            <AbiInput
              {...props}
              key={i}
              parameter={component}
              entered={entered[i] ?? ''}
              onEntered={(item) => put(i, item)}
              fallback={`${i}`}
            />
          ))
        : entered.map((one, i) => (
            <div class="abi-item" key={i}>
              <AbiInput
                {...props}
                parameter={array.item}
                entered={one}
                onEntered={(item) => put(i, item)}
                fallback={`${parameter.name || fallback}[${i}]`}
              />
              {array.length === undefined && (
                <Button
                  aria-label={`remove ${visible(parameter.name || fallback, 80)}[${i}]`}
                  title="remove"
                  onClick={() => remove(i)}
                  text="✕"
                />
              )}
            </div>
          ))}
      {array !== undefined && array.length === undefined && entered.length < MOST_ITEMS && (
        <Button onClick={() => add(blank(array.item))} text="add an item" />
      )}
    </fieldset>
  )
}

function Title({ parameter, fallback }: { parameter: FormParameter; fallback: string }) {
  return (
    <>
      <Text limit={80}>{parameter.name || fallback}</Text>{' '}
      <span class="type">{parameter.hint ?? <Text limit={60}>{typeName(parameter)}</Text>}</span>
    </>
  )
}

function problemOf(parameter: Parameter, entered: Entered): string | undefined {
  const answer = parseInput(parameter, entered, names.value)
  if (answer.kind === 'value') return undefined
  return answer.path === '' ? answer.message : `${answer.path}: ${answer.message}`
}
