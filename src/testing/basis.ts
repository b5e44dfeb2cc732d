/** The basis of tests: a fixture, or options of a devnet. */
import type { Devnet, DevnetOptions } from '../index.ts'
import type { CallSite } from '../model/callSite.ts'
import { type Fixture, fixtureAt, type Values } from './fixture.ts'

/** A fixture, a function from which a fixture can be made, or options of a devnet on which nothing is built. */
export type Basis<V extends Values> = Fixture<V> | ((devnet: Devnet) => V | Promise<V>) | DevnetOptions

/** Returns the fixture of a basis. `site` is the code that names the basis. */
export function fixtureOf<V extends Values>(basis: Basis<V>, site: CallSite): Fixture<V> {
  if (typeof basis !== 'function') {
    return fixtureAt(site, () => {}, { devnet: basis, name: 'of options' }) as Fixture<V>
  }
  return 'use' in basis ? basis : fixtureAt(site, basis, {})
}
