/** Entries of a stack trace while it is made: the outermost first, the last says what failed. */
import type { SourceRange } from '../opcodes.ts'
import type { FunctionKind, SourceFile, SourceFunction } from '../source/sourceModel.ts'
import type { Decoded } from './decoded.ts'
import type { RecordedMessage } from './recorder.ts'
import type { FailureKind, SolidityFrame, SourcePosition } from './stackTrace.ts'

/**
 * What an entry is: a failure, or on the way to it
 * - `call`: a function that called another,
 * - `internal`: one that the compiler wrote,
 * - `unrecognized`: a contract that is not known.
 */
export type EntryKind = FailureKind | 'call' | 'internal' | 'unrecognized'

export interface Entry {
  readonly kind: EntryKind
  readonly frame: SolidityFrame
  /** Where it is; `undefined`: in no source. */
  readonly place: Place | undefined
  readonly functionKind: FunctionKind | undefined
  /** Of a failure: the message that failed. */
  readonly message?: RecordedMessage
  /** Of a failure in code that is known. */
  readonly decoded?: Decoded
}

/** Entries, the outermost first; the last is a failure. */
export type Entries = readonly Entry[]

export interface Place {
  readonly file: SourceFile
  readonly range: SourceRange
}

/** What fails: the entry is made for the message that did. */
export function failure(kind: FailureKind, decoded: Decoded, where: Where): Entry {
  return { ...entry(kind, decoded, where), message: decoded.message, decoded }
}

/** Where an entry is: in which function and, if that is known, at which range. */
export interface Where {
  readonly place: Place | undefined
  readonly function: string | undefined
  readonly functionKind: FunctionKind | undefined
  /** The place that people are shown, where it is another. */
  readonly shown?: Place | undefined
  /** Without a place: the file, if it is known. */
  readonly file?: SourceFile | undefined
}

/** Returns an entry in the contract whose code ran. */
export function entry(kind: EntryKind, decoded: Decoded, where: Where): Entry {
  const { contract, message, isCreation } = decoded
  const frame: SolidityFrame = {
    contract: where.functionKind === 'freeFunction' ? undefined : contract.name,
    function: where.function,
    isModifier: where.functionKind === 'modifier',
    position: positionOf(where.shown ?? where.place),
    file: (where.place?.file ?? where.file)?.path,
    address: isCreation ? undefined : message.frame.to,
  }
  return { kind, frame, place: where.place, functionKind: where.functionKind }
}

/** Returns an entry for a message whose contract is not known. */
export function unknown(kind: EntryKind, message: RecordedMessage): Entry {
  const { to: address } = message.frame
  const frame = { contract: undefined, function: undefined, isModifier: false, position: undefined, address }
  const told = { kind, frame, place: undefined, functionKind: undefined }
  return kind === 'unrecognized' ? told : { ...told, message }
}

/** Returns the name that frames have for a function. */
export function nameOf({ kind, name }: SourceFunction): string {
  return NAMES[kind] ?? name
}

/** Those that have none in the source: in the brackets that tell them from functions with such names. */
const NAMES: Partial<Readonly<Record<FunctionKind, string>>> = {
  constructor: 'constructor',
  fallback: '<fallback>',
  receive: '<receive>',
}

function positionOf(place: Place | undefined): SourcePosition | undefined {
  const at = place?.file.lines?.at(place.range.start)
  return at && { file: place!.file.path, ...at }
}

/** Returns the number of the line of a place; `undefined` without the text. */
export function lineOf({ file, range }: Place): number | undefined {
  return file.lines?.lineAt(range.start)
}
