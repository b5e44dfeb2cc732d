/** The entry point `preseal/testing`, for test suites with any test runner. */
export { type Action, type CallOptions, call, pay, wait } from '../explore/action.ts'
export { argumentsOf, type Draw, oneOf } from '../explore/draws.ts'
export { defineExploration, type Exploration, explore } from '../explore/explore.ts'
export { exploreFile } from '../explore/exploreFile.ts'
export type { Covered, Explored, ExploreOptions } from '../explore/exploreOptions.ts'
export { defineStories, everyStory, type StoryExploration } from '../explore/stories/everyStory.ts'
export { StoryFailed } from '../explore/stories/storyFailed.ts'
export type {
  AppOptions,
  EveryStoryOptions,
  Stories,
  StoriesCovered,
  StoryStart,
} from '../explore/stories/storyOptions.ts'
export { type FaultKind, type Story, story } from '../explore/stories/storyText.ts'
export { RuleBroken, type StoryStep } from '../explore/story.ts'
export type { ExploreFileOptions } from '../explore/workers/exported.ts'
export type { World } from '../explore/world.ts'
export { type NodeTest, reportOnFailure } from './failureReports.ts'
export { defineFixture, type Fixture, type FixtureOptions } from './fixture.ts'
export { InvalidFixture } from './fixtureSchema.ts'
export { fixtureFromJson, type JsonValues } from './jsonFixture.ts'
export { AssertionFailed, assertThat, type DevnetMatchers, matchers } from './matchers/matchers.ts'
