/** What test suites import as `preseal/testing`, whatever runs them. */
export { defineFixture, type Fixture, type FixtureOptions } from './fixture.ts'
export { fixtureFromJson, type JsonValues } from './jsonFixture.ts'
export { InvalidFixture } from './jsonFixtureForm.ts'
export { AssertionFailed, assertThat } from './matchers/assertThat.ts'
export { matchers } from './matchers/matchers.ts'
export type { DevnetMatchers } from './matchers/types.ts'
