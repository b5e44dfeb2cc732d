/** Defines the forms of all kinds of faults, which docs/faults.md explains. */
import { type AnyFault, LOG_PROVIDERS } from '../../../faults/fault.ts'
import { type ActionField, choiceField, long, numberField, textField } from './fields.ts'

export interface FaultForm {
  readonly title: string
  readonly hint: string
  readonly fields?: readonly ActionField[]
  /** When the fault can happen: with a slice, a block's seal, or a request. `lasting` faults affect every request. */
  readonly occasion: 'slice' | 'block' | 'request' | 'lasting'
}

const METHOD = long(textField('method', 'method, or its beginning and *', '', 'any'))

export const AFTER_REORG = [
  ['keep', 'stay in the new blocks'],
  ['wait', 'wait again'],
  ['drop', 'are dropped'],
] as const

export const FAULT_FORMS: Readonly<Record<string, FaultForm>> = {
  omitSlice: {
    title: 'a slice never comes',
    hint: 'pending has nothing new, and equals latest until the next block begins; the slice is still sealed',
    occasion: 'slice',
  },
  delaySlice: {
    title: 'a slice comes late',
    hint: 'this slice and the following ones appear this many slices later, or never if the block is sealed before',
    fields: [numberField('slices', 'slices later', '1')],
    occasion: 'slice',
  },
  duplicateSlice: {
    title: 'a slice is sent twice',
    hint: 'subscriptions send its content again',
    occasion: 'slice',
  },
  absentPending: {
    title: 'pending is absent',
    hint: 'for this many slices, pending equals latest, and no slice appears',
    fields: [numberField('slices', 'for slices', '2')],
    occasion: 'slice',
  },
  stalePending: {
    title: 'pending is stale',
    hint: 'for this many slices, pending does not change, and may be behind latest',
    fields: [numberField('slices', 'for slices', '4')],
    occasion: 'slice',
  },
  dropTransaction: {
    title: 'a pre-confirmed transaction is dropped',
    hint: 'the sealed block lacks it: its receipt disappears',
    fields: [
      long(textField('hash', 'hash', '', 'the last of the block')),
      choiceField('lands', 'included in', [
        ['next', 'the next block'],
        ['never', 'no block'],
      ]),
    ],
    occasion: 'block',
  },
  sealDifferently: {
    title: 'a block is sealed differently',
    hint: 'the order of its transactions, or its timestamp, differs from the pre-confirmed block',
    fields: [
      choiceField('order', 'order of the senders', [
        ['reversed', 'reversed'],
        ['', 'as it was'],
      ]),
      numberField('laterSeconds', 'seconds later', '', 'at its time'),
    ],
    occasion: 'block',
  },
  reorg: {
    title: 'blocks are reorganised',
    hint: 'right after a seal, the newest blocks are replaced',
    fields: [
      numberField('depth', 'blocks', '1'),
      choiceField('transactions', 'their transactions', AFTER_REORG),
    ],
    occasion: 'block',
  },
  withholdBatches: {
    title: 'batches are withheld',
    hint: 'this many blocks of the L1 have no batches: safe and finalized of the L2 stay behind',
    fields: [numberField('l1Blocks', 'blocks of the L1', '5')],
    occasion: 'block',
  },
  missL1Slots: {
    title: 'the L1 stops',
    hint: 'the L1 makes no blocks in this many slots, and the L2 continues with the same L1 origin',
    fields: [numberField('slots', 'slots', '5')],
    occasion: 'block',
  },
  latency: {
    title: 'responses come late',
    hint: 'each response is delayed by this many milliseconds',
    fields: [numberField('ms', 'milliseconds', '200'), METHOD],
    occasion: 'lasting',
  },
  timeout: {
    title: 'a request gets no response',
    hint: 'either the response was lost (the request was executed), or the request (it was not)',
    fields: [
      METHOD,
      choiceField('lost', 'lost', [
        ['answer', 'the response'],
        ['request', 'the request'],
      ]),
    ],
    occasion: 'request',
  },
  rpcError: {
    title: 'a request gets an error',
    hint: 'it fails with this JSON-RPC error, and is not executed',
    fields: [
      { ...METHOD, initial: 'eth_sendTransaction' },
      numberField('code', 'code', '-32000'),
      long(textField('message', 'message', 'txpool is full')),
    ],
    occasion: 'request',
  },
  httpStatus: {
    title: 'a request gets an HTTP error',
    hint: 'as by a proxy or rate limit: 429, 503; over WebSocket it is an error',
    fields: [
      METHOD,
      numberField('status', 'status', '429'),
      numberField('retryAfterSeconds', 'Retry-After in s', '', 'as usual'),
    ],
    occasion: 'request',
  },
  logRange: {
    title: 'logs over too many blocks are refused',
    hint: 'eth_getLogs fails with the error of a provider',
    fields: [
      choiceField(
        'provider',
        'error of',
        LOG_PROVIDERS.map((name) => [name, name] as const),
      ),
      numberField('blocks', 'most blocks', '', 'its own limit'),
    ],
    occasion: 'lasting',
  },
  contextLag: {
    title: 'calls see an older block than their state',
    hint: 'a call at pending has number and time of an earlier block',
    fields: [numberField('blocks', 'blocks before', '1')],
    occasion: 'lasting',
  },
  cutWebSockets: {
    title: 'WebSockets are cut',
    hint: 'all connections close after a slice, including that of this page, which reconnects',
    fields: [numberField('code', 'close code', '', 'none')],
    occasion: 'slice',
  },
} satisfies { readonly [Kind in AnyFault['kind']]: FaultForm }

export const GROUPS: readonly (readonly [name: string, occasions: readonly FaultForm['occasion'][]])[] = [
  ['slices and connections', ['slice']],
  ['sealed blocks', ['block']],
  ['requests', ['request', 'lasting']],
]

interface WhenForm {
  readonly label: string
  readonly fields: readonly ActionField[]
  readonly fits: readonly FaultForm['occasion'][]
}

const ALL = ['slice', 'block', 'request', 'lasting'] as const

export const WHEN_FORMS: Readonly<Record<string, WhenForm>> = {
  times: { label: 'the next times', fields: [numberField('times', 'how many', '1')], fits: ALL },
  always: { label: 'each time, until removed', fields: [], fits: ALL },
  block: {
    label: 'in one block',
    fields: [numberField('block', 'block'), numberField('slice', 'slice', '', 'the first')],
    fits: ['slice'],
  },
  seal: { label: 'in one block', fields: [numberField('block', 'block')], fits: ['block'] },
  probability: { label: 'by chance', fields: [numberField('probability', 'probability', '0.1')], fits: ALL },
}

/** Returns the names of the `WHEN_FORMS` that suit a kind of fault. The first is the default. */
export function whensOf({ occasion }: FaultForm): string[] {
  const fit = Object.keys(WHEN_FORMS).filter((name) => WHEN_FORMS[name]!.fits.includes(occasion))
  return occasion === 'lasting' ? ['always', ...fit.filter((name) => name !== 'always')] : fit
}

/** Returns the parameter of `preseal_addFault`. `entered` has the input of each field, keyed by field name. */
export function faultOf(kind: string, when: string, entered: Readonly<Record<string, string>>): object {
  const entry = (field: ActionField) => {
    const typed = (entered[field.name] ?? field.initial ?? field.choices?.[0]?.[0] ?? '').trim()
    return field.isNumber && typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed
  }
  const members = (fields: readonly ActionField[] = []) =>
    Object.fromEntries(fields.map((field) => [field.name, entry(field)]).filter(([, value]) => value !== ''))
  return {
    kind,
    ...members(FAULT_FORMS[kind]!.fields),
    when: when === 'always' ? when : members(WHEN_FORMS[when]!.fields),
  }
}

/** Describes a planned fault, such as `slices later: 1; once`. */
export function detailsOf(fault: Readonly<Record<string, unknown>>): string {
  const { id: _, kind, when, ...members } = fault
  const labels = new Map(FAULT_FORMS[String(kind)]?.fields?.map((field) => [field.name, field]))
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
