/**
 * The OpenRPC specification of ethereum/execution-apis, read from its folder `src/`: methods, their
 * parameters, and the JSON Schema of each result. Its own build joins the same files (`tools/specgen`).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'
import { type Difference, excerpt } from './compare.ts'

/** Folders with a list of methods in each file. */
const METHODS = ['eth', 'debug', 'txpool', 'testing', 'engine/openrpc/methods']
/** Folders with named schemas in each file. */
const SCHEMAS = ['schemas', 'engine/openrpc/schemas']
/** A failing `oneOf` has the errors of all its schemas. */
const MOST_DIFFERENCES = 12

interface MethodFile {
  readonly name: string
  readonly params?: readonly { readonly name: string; readonly required?: boolean }[]
  readonly result?: { readonly schema: object }
}

export interface SpecifiedMethod {
  readonly name: string
  readonly params: readonly { readonly name: string; readonly isRequired: boolean }[]
}

export class Specification {
  readonly methods: ReadonlyMap<string, SpecifiedMethod>
  readonly #ajv = new Ajv({ strict: false, allErrors: true })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(methods: readonly MethodFile[], schemas: object) {
    this.methods = new Map(
      methods.map(({ name, params = [] }) => [
        name,
        { name, params: params.map(({ name, required }) => ({ name, isRequired: required === true })) },
      ]),
    )
    const results = Object.fromEntries(methods.map(({ name, result }) => [name, result?.schema ?? {}]))
    this.#ajv.addSchema({ $id: 'openrpc', components: { schemas }, results })
  }

  /** The same, if the specification has the method. */
  check(method: string | undefined, result: unknown): Difference[] | undefined {
    return method !== undefined && this.methods.has(method) ? this.differences(method, result) : undefined
  }

  differences(method: string, result: unknown): Difference[] {
    const validate = this.#validator(method)
    if (validate(result)) return []
    return (validate.errors ?? []).slice(0, MOST_DIFFERENCES).map((error) => difference(error, result))
  }

  #validator(method: string): ValidateFunction {
    const known = this.#validators.get(method)
    if (known !== undefined) return known
    const validate = this.#ajv.compile({ $ref: `openrpc#/results/${method}` })
    this.#validators.set(method, validate)
    return validate
  }
}

export function readSpecification(folder: string): Specification | undefined {
  if (!existsSync(join(folder, 'schemas'))) return undefined
  const methods = METHODS.flatMap((name) => filesIn(folder, name)).flatMap((file) => file as MethodFile[])
  const schemas = Object.assign({}, ...SCHEMAS.flatMap((name) => filesIn(folder, name)))
  return new Specification(methods, schemas)
}

function filesIn(folder: string, name: string): object[] {
  return readdirSync(join(folder, name))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(join(folder, name, file), 'utf8')) as object)
}

function difference({ instancePath, message, params }: ErrorObject, result: unknown): Difference {
  const { additionalProperty } = params as { additionalProperty?: string }
  const found = instancePath
    .split('/')
    .slice(1)
    .reduce((value, key) => (value as Record<string, unknown>)?.[key], result)
  return {
    path: `$.result${instancePath.replaceAll('/', '.')}`,
    expected: additionalProperty === undefined ? (message ?? '') : `no property ${additionalProperty}`,
    got: excerpt(found),
  }
}
