/** The basis of tests: a fixture, or options of a devnet. */
import type { Devnet, DevnetOptions } from '../../index.ts'
import { defineFixture, type Fixture, type Values } from '../fixture.ts'

/** A fixture, a function from which a fixture can be made, or options of a devnet on which nothing is built. */
export type Basis<V extends Values> = Fixture<V> | ((devnet: Devnet) => V | Promise<V>) | DevnetOptions

export function fixtureOf<V extends Values>(basis: Basis<V>): Fixture<V> {
  if (typeof basis !== 'function') {
    return defineFixture(() => {}, { devnet: basis, name: 'of options' }) as Fixture<V>
  }
  return 'use' in basis ? basis : defineFixture(basis)
}
