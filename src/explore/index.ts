/** The public functions and types of explorations, exported by `preseal/testing`. */
export { type Action, type CallOptions, call, pay, wait } from './action.ts'
export { argumentsOf, type Draw, oneOf } from './draws.ts'
export { type Explored, type ExploreOptions, explore } from './explore.ts'
export { RuleBroken, type StoryStep } from './story.ts'
export type { World } from './world.ts'
