/** An input for a parameter of an ABI: a field for each value, lists and tuples with a field for each item or as JSON. */
import { useId, useRef } from 'preact/hooks'
import type { Parameter } from '../../solidity/abi/decoded.ts'
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
  meant,
  type Names,
} from '../input/abiInput.ts'
import { afterRender } from './accessibility.tsx'
import { Text } from './Value.tsx'
import './abiInput.css'

interface AbiInputProps {
  parameter: Parameter
  entered: Entered
  onEntered: (entered: Entered) => void
  names: Names
  /** The `id` of a `datalist` of addresses. */
  addresses?: string | undefined
  /** The label of a parameter without a name. */
  fallback: string
  /** Whether missing input is reported, too. */
  isStrict: boolean
  /** Replaces the type in the label. */
  hint?: string | undefined
}

export function AbiInput(props: AbiInputProps) {
  const { parameter, entered } = props
  const way = useId()
  if (!isComposite(parameter)) return <Leaf {...props} entered={typeof entered === 'string' ? entered : ''} />
  /** Switches between fields and JSON; the button keeps the focus. */
  function change(to: Entered) {
    props.onEntered(to)
    afterRender(() => document.getElementById(way)?.focus())
  }
  return typeof entered === 'string' ? (
    <JsonInput {...props} entered={entered} way={way} onWay={change} />
  ) : (
    <Items {...props} entered={entered} way={way} onWay={change} />
  )
}

interface Way {
  /** The `id` of the button that changes between fields and JSON. */
  way: string
  onWay: (entered: Entered) => void
}

function Leaf({
  parameter,
  entered,
  onEntered,
  names,
  addresses,
  fallback,
  isStrict,
  hint,
}: AbiInputProps & { entered: string }) {
  const id = useId()
  const { type } = parameter
  const said = saidOf(parameter, entered, names, isStrict)
  const shared = {
    id,
    value: entered,
    spellcheck: false,
    'aria-invalid': said !== undefined,
    'aria-describedby': said === undefined ? undefined : `${id}-said`,
  }
  return (
    <div class="abi-input">
      <label for={id}>
        <Title parameter={parameter} fallback={fallback} {...(hint && { hint })} />
      </label>
      {type === 'bool' ? (
        <select {...shared} onChange={({ currentTarget }) => onEntered(currentTarget.value)}>
          <option value="">choose</option>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : type === 'string' || type === 'bytes' ? (
        <textarea
          {...shared}
          rows={Math.min(MOST_ROWS, entered.split('\n').length)}
          onInput={({ currentTarget }) => onEntered(currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          type="text"
          autocomplete="off"
          list={type === 'address' ? addresses : undefined}
          placeholder={PLACEHOLDERS.find(([pattern]) => pattern.test(type))?.[1]}
          onInput={({ currentTarget }) => onEntered(currentTarget.value)}
        />
      )}
      <Said id={`${id}-said`} text={said} />
    </div>
  )
}

const MOST_ROWS = 12

const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^u?int/, '0, 1.5 ether, 0x2a'],
  [/^address/, '0x… or a name'],
  [/^bytes/, '0x… or "text"'],
]

function JsonInput({
  parameter,
  entered,
  onEntered,
  names,
  fallback,
  isStrict,
  way,
  onWay,
}: AbiInputProps & Way & { entered: string }) {
  const id = useId()
  const said = saidOf(parameter, entered, names, isStrict)
  const items = asItems(parameter, entered === '' ? blank(parameter) : entered)
  return (
    <div class="abi-input">
      <label for={id}>
        <Title parameter={parameter} fallback={fallback} />
      </label>{' '}
      {items !== undefined && (
        <button type="button" class="more" id={way} onClick={() => onWay(items)}>
          as fields
        </button>
      )}
      <textarea
        id={id}
        rows={Math.min(MOST_ROWS, Math.max(2, entered.split('\n').length))}
        value={entered}
        spellcheck={false}
        placeholder={exampleOf(parameter)}
        aria-invalid={said !== undefined}
        aria-describedby={said === undefined ? undefined : `${id}-said`}
        onInput={({ currentTarget }) => onEntered(currentTarget.value)}
      />
      <Said id={`${id}-said`} text={said} />
    </div>
  )
}

function Items({ way, onWay, ...props }: AbiInputProps & Way & { entered: readonly Entered[] }) {
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
      const beside: Element | undefined = left[i] ?? left.at(-1) ?? frame.current!
      beside.querySelector<HTMLElement>(':scope > button')?.focus()
    })
  }
  return (
    <fieldset class="abi-items" ref={frame}>
      <legend>
        <Title parameter={parameter} fallback={fallback} />{' '}
        <button type="button" class="more" id={way} onClick={() => onWay(asJson(parameter, entered))}>
          as JSON
        </button>
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
                <button
                  type="button"
                  aria-label={`remove ${visible(parameter.name || fallback, 80)}[${i}]`}
                  title="remove"
                  onClick={() => remove(i)}
                >
                  ✕
                </button>
              )}
            </div>
          ))}
      {array !== undefined && array.length === undefined && entered.length < MOST_ITEMS && (
        <button type="button" onClick={() => add(blank(array.item))}>
          add an item
        </button>
      )}
    </fieldset>
  )
}

function Title({ parameter, fallback, hint }: { parameter: Parameter; fallback: string; hint?: string }) {
  return (
    <>
      <Text limit={80}>{parameter.name || fallback}</Text>{' '}
      <span class="type">{hint ?? <Text limit={60}>{typeName(parameter)}</Text>}</span>
    </>
  )
}

function Said({ id, text }: { id: string; text: string | undefined }) {
  return text === undefined ? null : (
    <p class="abi-said" id={id}>
      <Text limit={400}>{text}</Text>
    </p>
  )
}

function saidOf(parameter: Parameter, entered: Entered, names: Names, isStrict: boolean): string | undefined {
  if (entered === '' && !isStrict) return undefined
  const answer = meant(parameter, entered, names)
  if (answer.kind === 'value') return undefined
  return answer.path === '' ? answer.message : `${answer.path}: ${answer.message}`
}
