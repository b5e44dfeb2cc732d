/**
 * Fixtures: what tests begin with, built once in a process, and handed to each test on a fork of its own.
 *
 *     defineFixture(build) ─ first use ─> a devnet, built and never touched again ─ each use ─> a fork, and the values
 *
 * A fork costs microseconds, so a test neither shares a chain with others nor has to bring it back to where it was.
 */
import type { Devnet, DevnetOptions } from '../index.ts'
import { namesOf, proposal, requireOptions } from '../model/knownNames.ts'
import type { Base } from './fixtureCache.ts'
import { frozen } from './frozen.ts'
import { isWithoutClass, kindOf } from './kindOf.ts'

type Rhythm = NonNullable<DevnetOptions['rhythm']>

/** What a fixture may return: values by their names, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing
export type Values = object | void

export interface FixtureOptions {
  /** Options of the chain that it is built on when it is used; by default those of `createDevnet`, under the manual clock. */
  readonly devnet?: DevnetOptions | undefined
  /**
   * Whether it is kept on disk, so that the next process loads what this one built: in the given folder, or with `true` in
   * `node_modules/.cache/preseal`.
   */
  readonly cache?: boolean | string | undefined
  /**
   * What the fixture is made of beside its own text and options: contracts, amounts, functions. Where it is kept on disk, it
   * is built anew when one of them changes.
   */
  readonly inputs?: readonly unknown[] | undefined
  /** What error messages and files call it; by default the name of the function. */
  readonly name?: string | undefined
}

/** Prepares a devnet. Made by `defineFixture`. */
export interface Fixture<V extends Values> {
  /** Builds it on `devnet`, as `preseal --fixture FILE` does with what FILE exports. Answers the values. */
  (devnet: Devnet): Promise<V>
  /**
   * A fork that nobody else sees, on which the fixture was built, and what it returned. It is built when it is first used;
   * those who come meanwhile wait for it. The fork is `manual` unless this or the fixture's options say something else.
   */
  use(options?: { readonly rhythm?: Rhythm | undefined }): Promise<Used<V>>
  /** A fixture that is built on a fork of this one, and returns the values of both. */
  extend<W extends Values>(
    build: (devnet: Devnet, values: V) => W | Promise<W>,
    options?: Omit<FixtureOptions, 'devnet'>,
  ): Fixture<Both<V, W>>
}

/** What `use` answers. */
export type Used<V extends Values> = (V extends object ? V : unknown) & { readonly devnet: Devnet }

/** The values of a fixture and of its extension. */
export type Both<V extends Values, W extends Values> = W extends object ? (V extends object ? V & W : W) : V

/**
 * A fixture: `build` puts on a devnet what tests begin with, and returns what they need to know, as an object. Plain data
 * in it is frozen, for all who use it share it.
 */
export function defineFixture<V extends Values>(
  build: (devnet: Devnet) => V | Promise<V>,
  options: FixtureOptions = {},
): Fixture<V> {
  return fixtureOf(new Recipe(build, options))
}

/** The same for what is not written as code: `source` says what it is made of. */
export function fixtureFrom<V extends Values>(
  source: () => unknown,
  build: (devnet: Devnet) => V | Promise<V>,
  options: FixtureOptions,
): Fixture<V> {
  return fixtureOf(new Recipe(build, options, { source }))
}

function fixtureOf<V extends Values>(recipe: Recipe<V>): Fixture<V> {
  const fixture = Object.assign((devnet: Devnet) => recipe.on(devnet), {
    async use(options: { readonly rhythm?: Rhythm | undefined } = {}) {
      requireOptions(`fixture ${recipe.name}: use`, options, USE_OPTIONS)
      const { rhythm = recipe.rhythm } = options
      const { devnet, values } = await recipe.base()
      return { ...values, devnet: devnet.fork({ rhythm }) } as unknown as Used<V>
    },
    extend<W extends Values>(
      build: (devnet: Devnet, values: V) => W | Promise<W>,
      options: FixtureOptions = {},
    ) {
      return fixtureOf(new Recipe<Both<V, W>>(build as never, options, { below: recipe }))
    },
  })
  // As any function has one: error messages tell it, and those of a fixture that is made of this one.
  Object.defineProperty(fixture, 'name', { value: recipe.name })
  recipes.set(fixture, recipe)
  return fixture
}

/** The recipes of all fixtures, for those that others are made of. */
const recipes = new WeakMap<object, { parts(): Promise<unknown[]> }>()

/** What tells an input from another: of a fixture what it is made of, of any other function its text. */
function partOf(input: unknown): unknown {
  if (typeof input !== 'function') return input
  return recipes.get(input)?.parts() ?? String(input)
}

/** How a fixture is built, and what it was built to. */
class Recipe<V extends Values> {
  readonly #build: (devnet: Devnet, below: never) => V | Promise<V>
  readonly #options: FixtureOptions
  readonly #below: Recipe<Values> | undefined
  readonly #source: () => unknown
  readonly name: string
  #base: Promise<Base<V>> | undefined

  constructor(
    build: (devnet: Devnet, below: never) => V | Promise<V>,
    options: FixtureOptions,
    { below, source = () => partOf(build) }: { below?: Recipe<Values>; source?: () => unknown } = {},
  ) {
    this.name = options.name ?? (build.name || 'without a name')
    requireKnown(this.name, options, below === undefined)
    this.#build = build
    this.#options = options
    this.#below = below
    this.#source = source
  }

  /** That of its forks, unless something else is said. */
  get rhythm(): Rhythm {
    return this.#below?.rhythm ?? this.#options.devnet?.rhythm ?? 'manual'
  }

  /** Builds it on `devnet`, with all that it extends. */
  async on(devnet: Devnet): Promise<V> {
    if (typeof devnet?.request !== 'function') {
      throw new TypeError(
        `fixture ${this.name}: expected a devnet to build on; use() makes one and answers it with the values`,
      )
    }
    return this.#extending(devnet, await this.#below?.on(devnet))
  }

  /** The built fixture, which is built now if it is not yet. Where that fails the next who ask try again. */
  base(): Promise<Base<V>> {
    this.#base ??= this.#make().catch((error) => {
      this.#base = undefined
      throw error
    })
    return this.#base
  }

  async #make(): Promise<Base<V>> {
    const { cache } = this.#options
    if (cache === undefined || cache === false) return this.#built()
    const { loadedOrBuilt } = await import('./fixtureCache.ts')
    const place = { folder: cache === true ? undefined : cache, name: this.name, parts: await this.parts() }
    return loadedOrBuilt(
      place,
      () => this.#fresh('manual'),
      () => this.#built(),
    )
  }

  async #built(): Promise<Base<V>> {
    const below = await this.#below?.base()
    const devnet = below?.devnet.fork({ rhythm: this.rhythm }) ?? (await this.#fresh(this.rhythm))
    try {
      const values = await this.#extending(devnet, below?.values)
      // Whoever kept the devnet, as a client does, must not change what later tests begin with. And here time stands still.
      return { devnet: devnet.fork(), values }
    } finally {
      await devnet.close()
    }
  }

  async #extending(devnet: Devnet, below: Values): Promise<V> {
    const values = await this.#build(devnet, below as never)
    requireValues(this.name, values)
    if (below === undefined && values === undefined) return values
    const all: object = { ...(below as object), ...(values as object) }
    for (const value of Object.values(all)) frozen(value)
    return Object.freeze(all) as V
  }

  /** A devnet on which nothing was built. */
  async #fresh(rhythm: Rhythm): Promise<Devnet> {
    if (this.#below !== undefined) return this.#below.#fresh(rhythm)
    // Fixtures that others run, as the command line does, need none.
    const { createDevnet } = await import('../index.ts')
    return createDevnet({ ...this.#options.devnet, rhythm })
  }

  /** All that decides what is built, as far as it can be known. */
  async parts(): Promise<unknown[]> {
    const { devnet, inputs = [], name } = this.#options
    const own = {
      devnet,
      name,
      source: await this.#source(),
      inputs: await Promise.all(inputs.map(partOf)),
    }
    return [...((await this.#below?.parts()) ?? []), own]
  }
}

const USE_OPTIONS = namesOf<{ rhythm: unknown }>({ rhythm: true })

const KNOWN = ['cache', 'inputs', 'name', 'devnet']

/** A cache that is misspelt would be none, and nobody would notice. */
function requireKnown(name: string, options: FixtureOptions, isFirst: boolean): void {
  const known = isFirst ? KNOWN : KNOWN.slice(0, -1)
  const unknown = Object.keys(options).find((option) => !known.includes(option))
  if (unknown === undefined) return
  const why = unknown === 'devnet' ? '; what is extended decides the devnet' : ''
  throw new TypeError(
    `fixture ${name}: expected one of the options ${known.join(', ')}, got "${unknown}"${why || `; ${proposal(unknown, known)}`}`,
  )
}

function requireValues(name: string, values: unknown): asserts values is Values {
  if (values === undefined) return
  if (typeof values !== 'object' || values === null || Array.isArray(values) || !isWithoutClass(values)) {
    const expected = 'an object of values, such as { token }, or nothing to be returned'
    throw new TypeError(`fixture ${name}: expected ${expected}, got ${kindOf(values)}`)
  }
  if ('devnet' in values) {
    throw new TypeError(
      `fixture ${name}: a value is called "devnet", as is the fork that use() answers beside the values; give it another name`,
    )
  }
}
