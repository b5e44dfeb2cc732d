import { jsonIn } from '../model/api/text.ts'
import type { Member, TypedData, Types } from '../model/transaction/typedData.ts'
import { arrayOf, entriesOf, InvalidValue, type Parser, recordOf } from './parser.ts'

export const parseTypedData: Parser<TypedData> = (value, path) => {
  const record = recordOf(typeof value === 'string' ? (jsonIn(value) ?? value) : value, path, EXPECTED)
  const types = parseTypes(record.types, `${path}.types`)
  const { primaryType } = record
  const isKnown =
    typeof primaryType === 'string' && (Object.hasOwn(types, primaryType) || primaryType === 'EIP712Domain')
  if (!isKnown) {
    throw new InvalidValue(`${path}.primaryType`, `one of ${Object.keys(types).join(', ')}`, primaryType)
  }
  return {
    types,
    primaryType,
    domain: recordOf(record.domain ?? {}, `${path}.domain`, 'an object'),
    message: recordOf(record.message ?? {}, `${path}.message`, 'an object'),
  }
}

const EXPECTED = 'typed data: an object {types, primaryType, domain, message} or its JSON (EIP-712)'

function parseTypes(value: unknown, path: string): Types {
  // The record has no prototype, because a type may have a name such as `toString`.
  const types: Record<string, readonly Member[]> = Object.create(null)
  for (const [name, members] of entriesOf(
    value,
    path,
    'an object from the names of structs to their members',
  )) {
    types[name] = arrayOf(parseMember, 'an array of members')(members, `${path}.${name}`)
  }
  return types
}

const parseMember: Parser<Member> = (value, path) => {
  const { name, type } = recordOf(value, path, 'a member: {name, type}')
  if (typeof name !== 'string') throw new InvalidValue(`${path}.name`, 'a string', name)
  if (typeof type !== 'string') throw new InvalidValue(`${path}.type`, 'a string', type)
  return { name, type }
}
