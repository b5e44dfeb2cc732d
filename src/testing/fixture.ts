/** Fixtures: the initial state of tests. The first use builds a devnet, and each use returns a fork of that devnet. */
import { loadSecp256k1 } from '../crypto/secp256k1.ts'
import type { Devnet, DevnetOptions } from '../index.ts'
import { namesOf, requireOptions } from '../model/api/arguments.ts'
import { attributed, attributedNow, type CallSite, callSite } from '../model/api/callSite.ts'
import { proposal } from '../model/api/text.ts'
import type { Base } from './fixtureCache.ts'
import { frozen, isWithoutClass, kindOf } from './storedValues.ts'

type Rhythm = NonNullable<DevnetOptions['rhythm']>

/** The values that a fixture returns: an object, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing
export type Values = object | void

export interface FixtureOptions {
  /** Options of the devnet on which `use` builds the fixture. By default, the devnet has the rhythm `manual`. */
  readonly devnet?: DevnetOptions | undefined
  /** Whether to cache the built fixture on disk: a text is the folder, `true` means `node_modules/.cache/preseal`. */
  readonly cache?: boolean | string | undefined
  /** Contracts, amounts and functions that `build` uses. If one of them changes, a cached fixture is built again. */
  readonly inputs?: readonly unknown[] | undefined
  /** The name of the fixture in error messages and file names. By default the name of the function that builds it. */
  readonly name?: string | undefined
}

/** The initial state of tests, created by `defineFixture`. */
export interface Fixture<V extends Values> {
  /** Builds the fixture on `devnet` and returns its values. `preseal --fixture FILE` calls what FILE exports. */
  (devnet: Devnet): Promise<V>
  /**
   * Returns a new fork of the built fixture, and its values. The first use builds the fixture, and concurrent uses wait
   * for this build. The fork has the given rhythm, by default that of the fixture's options, otherwise `manual`.
   */
  use(options?: { readonly rhythm?: Rhythm | undefined }): Promise<Used<V>>
  /** Returns a fixture that is built on a fork of this fixture, and has the values of both. */
  extend<W extends Values>(
    build: (devnet: Devnet, values: V) => W | Promise<W>,
    options?: Omit<FixtureOptions, 'devnet'>,
  ): Fixture<Both<V, W>>
}

/** The result of `use`: the values of the fixture, and the fork as `devnet`. */
export type Used<V extends Values> = (V extends object ? V : unknown) & { readonly devnet: Devnet }

/** The values of a fixture and of the fixture that extends it. */
export type Both<V extends Values, W extends Values> = W extends object ? (V extends object ? V & W : W) : V

/**
 * Returns a fixture. `build` brings a devnet into the initial state of tests, and returns an object with the values
 * that tests need. Plain data in this object is frozen, because all tests share it.
 */
export function defineFixture<V extends Values>(
  build: (devnet: Devnet) => V | Promise<V>,
  options: FixtureOptions = {},
): Fixture<V> {
  return fixtureAt(callSite(defineFixture), build, options)
}

/** Returns a fixture. Errors about its options have the stack frames of `site`, even if thrown during the build. */
export function fixtureAt<V extends Values>(
  site: CallSite,
  build: (devnet: Devnet) => V | Promise<V>,
  options: FixtureOptions,
): Fixture<V> {
  return attributedNow(site, () => fixtureOf(new Recipe(build, options, { site })))
}

/** The start of a test: a fixture, a function that builds one, or only the options of a devnet. */
export type Basis<V extends Values> = Fixture<V> | ((devnet: Devnet) => V | Promise<V>) | DevnetOptions

/** Returns the fixture of a basis. Errors about the basis have the stack frames of `site`. */
export function basisOf<V extends Values>(basis: Basis<V>, site: CallSite): Fixture<V> {
  if (typeof basis !== 'function') {
    return fixtureAt(site, () => {}, { devnet: basis, name: 'of options' }) as Fixture<V>
  }
  return 'use' in basis ? basis : fixtureAt(site, basis, {})
}

/** Returns a fixture built from the data that `source` returns. `devnet` returns the devnet options in the data. */
export function fixtureFrom<V extends Values>(
  { source, devnet }: Required<Pick<Origin, 'source' | 'devnet'>>,
  build: (devnet: Devnet) => V | Promise<V>,
  options: FixtureOptions,
): Fixture<V> {
  return fixtureOf(new Recipe(build, options, { source, devnet }))
}

function fixtureOf<V extends Values>(recipe: Recipe<V>): Fixture<V> {
  // Compiles WebAssembly on another thread, while the rest of the test file is loaded. `createDevnet` reports failures.
  loadSecp256k1().catch(() => {})
  const fixture = Object.assign((devnet: Devnet) => recipe.on(devnet), {
    async use(options: { readonly rhythm?: Rhythm | undefined } = {}) {
      requireOptions(`fixture ${recipe.name}: use`, options, USE_OPTIONS, fixture.use)
      const { rhythm = recipe.rhythm } = options
      const { devnet, values } = await recipe.base()
      return { ...values, devnet: devnet.fork({ rhythm }) } as unknown as Used<V>
    },
    extend<W extends Values>(
      build: (devnet: Devnet, values: V) => W | Promise<W>,
      options: FixtureOptions = {},
    ) {
      return attributedNow(callSite(fixture.extend), () =>
        fixtureOf(new Recipe<Both<V, W>>(build as never, options, { below: recipe })),
      )
    },
  })
  // Error messages about this fixture, and about fixtures that extend it, show its name.
  Object.defineProperty(fixture, 'name', { value: recipe.name })
  recipes.set(fixture, recipe)
  return fixture
}

/** The recipes of all fixtures, to identify a fixture that is an input of another fixture. */
const recipes = new WeakMap<object, { parts(): Promise<unknown[]> }>()

/** Returns data that identifies an input: the parts of a fixture, or the text of any other function. */
function partOf(input: unknown): unknown {
  if (typeof input !== 'function') return input
  return recipes.get(input)?.parts() ?? String(input)
}

interface Origin {
  readonly below?: Recipe<Values>
  /** Returns the data that identifies the fixture in the cache. Default: the text of the build function. */
  readonly source?: () => unknown
  /** Returns options for the fixture's devnet. The options of the fixture take precedence. */
  readonly devnet?: () => Promise<DevnetOptions>
  readonly site?: CallSite
}

/** The build function and the options of a fixture, and the devnet built from them. */
class Recipe<V extends Values> {
  readonly #build: (devnet: Devnet, below: never) => V | Promise<V>
  readonly #options: FixtureOptions
  readonly #origin: Origin
  readonly #below: Recipe<Values> | undefined
  readonly name: string
  #base: Promise<Base<V>> | undefined

  constructor(
    build: (devnet: Devnet, below: never) => V | Promise<V>,
    options: FixtureOptions,
    origin: Origin,
  ) {
    this.name = options.name ?? (build.name || 'without a name')
    requireKnown(this.name, options, origin.below === undefined)
    this.#build = build
    this.#options = options
    this.#origin = origin
    this.#below = origin.below
  }

  /** The rhythm of forks, unless a call of `use` sets another. */
  get rhythm(): Rhythm {
    return this.#below?.rhythm ?? this.#options.devnet?.rhythm ?? 'manual'
  }

  async on(devnet: Devnet): Promise<V> {
    if (typeof devnet?.request !== 'function') {
      throw new TypeError(
        `fixture ${this.name}: expected a devnet to build on; use() creates one and returns it with the values`,
      )
    }
    return this.#extending(devnet, await this.#below?.on(devnet))
  }

  /** Returns the built fixture. The first call builds the fixture. After a failed build, the next call builds again. */
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
      // Returns a fork, because clients that `build` created can change the original. The fork's time stands still.
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

  async #fresh(rhythm: Rhythm): Promise<Devnet> {
    if (this.#below !== undefined) return this.#below.#fresh(rhythm)
    // `createDevnet` is loaded on demand: a fixture that is built on a given devnet does not need it.
    const { createDevnet } = await import('../index.ts')
    const { devnet, site } = this.#origin
    const named = await devnet?.()
    const create = () => createDevnet({ ...named, ...this.#options.devnet, rhythm })
    return site === undefined ? create() : attributed(site, create)
  }

  /** Returns all known data on which the built state depends. */
  async parts(): Promise<unknown[]> {
    const { devnet, inputs = [], name } = this.#options
    const { source = () => partOf(this.#build) } = this.#origin
    const own = { devnet, name, source: await source(), inputs: await Promise.all(inputs.map(partOf)) }
    return [...((await this.#below?.parts()) ?? []), own]
  }
}

const USE_OPTIONS = namesOf<{ rhythm: unknown }>({ rhythm: true })

const KNOWN = ['cache', 'inputs', 'name', 'devnet']

/** Throws a `TypeError` for an unknown option, such as a misspelt `cache`. */
function requireKnown(name: string, options: FixtureOptions, isFirst: boolean): void {
  const known = isFirst ? KNOWN : KNOWN.slice(0, -1)
  const unknown = Object.keys(options).find((option) => !known.includes(option))
  if (unknown === undefined) return
  const why = unknown === 'devnet' ? '; the extended fixture decides the devnet' : ''
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
      `fixture ${name}: a value is named "devnet", like the fork that use() returns beside the values; give it another name`,
    )
  }
}
