/** The faults that can be planned: in words, and what a reader may say of each. docs/faults.md says what clients should do about them. */
import { type AnyFault, LOG_PROVIDERS } from '../../../model/fault.ts'

export interface FaultField {
  /** The member of the fault. */
  readonly name: string
  readonly label: string
  /** What it is at first; empty where it may be left out. */
  readonly initial?: string
  readonly placeholder?: string
  /** Values with what they mean; otherwise a whole number or text is typed. */
  readonly choices?: readonly (readonly [value: string, label: string])[]
  readonly isNumber?: boolean
}

export interface FaultForm {
  readonly title: string
  readonly hint: string
  readonly fields: readonly FaultField[]
  /** Where it can happen: at a slice, at the seal of a block, or with a request. `lasting` ones go on with each request. */
  readonly occasion: 'slice' | 'block' | 'request' | 'lasting'
}

const number = (name: string, label: string, initial = '', placeholder = ''): FaultField => ({
  name,
  label,
  initial,
  placeholder,
  isNumber: true,
})
const text = (name: string, label: string, initial = '', placeholder = ''): FaultField => ({
  name,
  label,
  initial,
  placeholder,
})
const METHOD = text('method', 'method, or its beginning and *', '', 'any')

/** What becomes of the transactions of blocks that are reorganised away. */
export const AFTER_REORG = [
  ['keep', 'are in the new blocks, too'],
  ['wait', 'wait again'],
  ['drop', 'are dropped'],
] as const

const FORMS: { readonly [Kind in AnyFault['kind']]: FaultForm } = {
  omitSlice: {
    title: 'a slice never comes',
    hint: 'pending has nothing new, and is latest until the next block begins; what was in the slice is sealed all the same',
    fields: [],
    occasion: 'slice',
  },
  delaySlice: {
    title: 'a slice comes late',
    hint: 'the slice and those behind it are shown so many slices later, or not at all if the block is sealed before',
    fields: [number('slices', 'slices later', '1')],
    occasion: 'slice',
  },
  duplicateSlice: {
    title: 'a slice is told twice',
    hint: 'subscriptions send what is in it once more',
    fields: [],
    occasion: 'slice',
  },
  absentPending: {
    title: 'pending is absent',
    hint: 'for so many slices pending is latest, and no slice is shown',
    fields: [number('slices', 'for slices', '2')],
    occasion: 'slice',
  },
  stalePending: {
    title: 'pending is stale',
    hint: 'for so many slices pending stays as it is, and may be behind latest',
    fields: [number('slices', 'for slices', '4')],
    occasion: 'slice',
  },
  dropTransaction: {
    title: 'a pre-confirmed transaction is dropped',
    hint: 'the sealed block lacks it: it had a receipt, and has none',
    fields: [
      text('hash', 'hash', '', 'the last of the block'),
      {
        name: 'lands',
        label: 'it is in',
        choices: [
          ['next', 'the next block'],
          ['never', 'no block'],
        ],
      },
    ],
    occasion: 'block',
  },
  sealDifferently: {
    title: 'a block is sealed differently',
    hint: 'its transactions have another order, or it another time, than was pre-confirmed',
    fields: [
      {
        name: 'order',
        label: 'order of the senders',
        choices: [
          ['reversed', 'reversed'],
          ['', 'as it was'],
        ],
      },
      number('laterSeconds', 'seconds later', '', 'at its time'),
    ],
    occasion: 'block',
  },
  reorg: {
    title: 'blocks are reorganised',
    hint: 'right behind the seal the newest blocks are replaced by others',
    fields: [
      number('depth', 'blocks', '1'),
      { name: 'transactions', label: 'their transactions', choices: AFTER_REORG },
    ],
    occasion: 'block',
  },
  latency: {
    title: 'answers come late',
    hint: 'each answer comes so many milliseconds later',
    fields: [number('ms', 'milliseconds', '200'), METHOD],
    occasion: 'lasting',
  },
  timeout: {
    title: 'a request is never answered',
    hint: 'what was lost is the answer (it was done), or the request (it was not)',
    fields: [
      METHOD,
      {
        name: 'lost',
        label: 'lost is',
        choices: [
          ['answer', 'the answer'],
          ['request', 'the request'],
        ],
      },
    ],
    occasion: 'request',
  },
  rpcError: {
    title: 'a request gets an error',
    hint: 'it is refused with this error of JSON-RPC, and not done',
    fields: [
      { ...METHOD, initial: 'eth_sendTransaction' },
      number('code', 'code', '-32000'),
      text('message', 'message', 'txpool is full'),
    ],
    occasion: 'request',
  },
  httpStatus: {
    title: 'a request is refused by HTTP',
    hint: 'as by a proxy or a limit of requests: 429, 503; over WebSocket it is an error',
    fields: [
      METHOD,
      number('status', 'status', '429'),
      number('retryAfterSeconds', 'Retry-After in s', '', 'as usual'),
    ],
    occasion: 'request',
  },
  logRange: {
    title: 'logs over too many blocks are refused',
    hint: 'eth_getLogs gets the error of a provider',
    fields: [
      {
        name: 'provider',
        label: 'in the words of',
        choices: LOG_PROVIDERS.map((name) => [name, name] as const),
      },
      number('blocks', 'most blocks', '', 'its own limit'),
    ],
    occasion: 'lasting',
  },
  contextLag: {
    title: 'calls see an older block than their state',
    hint: 'a call at pending has the number and the time of a block so many blocks before',
    fields: [number('blocks', 'blocks before', '1')],
    occasion: 'lasting',
  },
  cutWebSockets: {
    title: 'WebSockets are cut',
    hint: 'all connections are closed behind a slice, that of this page, too: it connects again by itself',
    fields: [number('code', 'close code', '', 'none')],
    occasion: 'slice',
  },
}

/** By kind. */
export const FAULT_FORMS: Readonly<Record<string, FaultForm>> = FORMS

export const GROUPS: readonly (readonly [name: string, occasions: readonly FaultForm['occasion'][]])[] = [
  ['slices and connections', ['slice']],
  ['sealed blocks', ['block']],
  ['requests', ['request', 'lasting']],
]

/** When a fault happens: a form of `when`, in words, and the numbers it takes. */
interface WhenForm {
  readonly label: string
  readonly fields: readonly FaultField[]
  readonly fits: readonly FaultForm['occasion'][]
}

const ALL = ['slice', 'block', 'request', 'lasting'] as const

export const WHEN_FORMS: Readonly<Record<string, WhenForm>> = {
  times: { label: 'at the next occasions', fields: [number('times', 'how many', '1')], fits: ALL },
  always: { label: 'each time, until it is taken back', fields: [], fits: ALL },
  block: {
    label: 'in one block',
    fields: [number('block', 'block'), number('slice', 'slice', '', 'the first')],
    fits: ['slice'],
  },
  seal: { label: 'in one block', fields: [number('block', 'block')], fits: ['block'] },
  probability: { label: 'by chance', fields: [text('probability', 'probability', '0.1')], fits: ALL },
}

/** Returns the ways in which a fault of this kind can happen, the usual one first. */
export function whensOf({ occasion }: FaultForm): string[] {
  const fit = Object.keys(WHEN_FORMS).filter((name) => WHEN_FORMS[name]!.fits.includes(occasion))
  return occasion === 'lasting' ? ['always', ...fit.filter((name) => name !== 'always')] : fit
}

/** Returns the fault of what was entered, by the names of fields, as `preseal_addFault` takes it. */
export function faultOf(kind: string, when: string, entered: Readonly<Record<string, string>>): object {
  const entry = (field: FaultField) => {
    const typed = (entered[field.name] ?? field.initial ?? field.choices?.[0]?.[0] ?? '').trim()
    return field.isNumber && /^-?\d+$/.test(typed) ? Number(typed) : typed
  }
  const members = (fields: readonly FaultField[]) =>
    Object.fromEntries(fields.map((field) => [field.name, entry(field)]).filter(([, value]) => value !== ''))
  const form = FAULT_FORMS[kind]!
  const given = members(WHEN_FORMS[when]!.fields)
  // A number that is not whole; what is none is refused in the devnet's words.
  if (given.probability !== undefined) given.probability = Number(given.probability)
  return {
    kind,
    ...members(form.fields),
    when: when === 'always' ? 'always' : given,
  }
}

/** Returns what a planned fault does, in words: `slices later: 1; once`. */
export function detailsOf(fault: Readonly<Record<string, unknown>>): string {
  const { id: _, kind, when, ...members } = fault
  const labels = new Map(FAULT_FORMS[String(kind)]?.fields.map((field) => [field.name, field]))
  const said = Object.entries(members).map(([name, value]) => {
    const field = labels.get(name)
    const chosen = field?.choices?.find(([one]) => one === value)?.[1]
    return `${field?.label.split(',')[0] ?? name}: ${chosen ?? (typeof value === 'string' ? value : JSON.stringify(value))}`
  })
  return [...said, whenText(when)].filter((part) => part !== '').join('; ')
}

function whenText(when: unknown): string {
  if (when === undefined) return ''
  if (when === 'always') return 'each time'
  const { times, block, slice, probability } = when as Readonly<Record<string, number | string>>
  if (times !== undefined) return Number(times) === 1 ? 'once' : `${Number(times)} times`
  if (block !== undefined)
    return `in block ${Number(block)}${slice === undefined ? '' : `, slice ${Number(slice)}`}`
  return probability === undefined ? JSON.stringify(when) : `with a probability of ${probability}`
}
