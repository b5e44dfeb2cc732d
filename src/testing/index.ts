/** The entry point `preseal/testing`, for test suites with any test runner. */
export * from '../explore/index.ts'
export { type NodeTest, reportOnFailure } from './failureReports.ts'
export { defineFixture, type Fixture, type FixtureOptions } from './fixture.ts'
export { InvalidFixture } from './fixtureSchema.ts'
export { fixtureFromJson, type JsonValues } from './jsonFixture.ts'
export { AssertionFailed, assertThat, type DevnetMatchers, matchers } from './matchers/matchers.ts'
