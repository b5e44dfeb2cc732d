/** The JSON Schema of JSON fixtures, made of the schema that checks them. */
import { createRequire } from 'node:module'
import type * as v from 'valibot'
import { definitions, fixtureSchema } from '../../src/testing/fixtureSchema.ts'
import { formatted } from '../generated.ts'

const { toJsonSchema } = createRequire(import.meta.url)('@valibot/to-json-schema')

export const SCHEMA_FILE = 'fixtures/fixture.schema.json'

export function fixtureSchemaFile(): string {
  const schema = toJsonSchema(fixtureSchema, {
    target: 'draft-2020-12',
    // Converts the last schema of a pipe, which is the most specific one.
    typeMode: 'output',
    definitions,
    overrideSchema: ({
      valibotSchema,
    }: {
      valibotSchema: { options?: readonly v.GenericSchema[]; type: string }
    }) => (valibotSchema.type === 'lazy' ? { anyOf: valibotSchema.options!.map(referenceTo) } : undefined),
  })
  return formatted(SCHEMA_FILE, JSON.stringify(schema))
}

function referenceTo(schema: v.GenericSchema): object {
  const [name] = Object.entries(definitions).find(([, definition]) => definition === schema)!
  return { $ref: `#/$defs/${name}` }
}
