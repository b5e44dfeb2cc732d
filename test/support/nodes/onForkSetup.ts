/** Skips stories that make no sense on a fork. */
import { NOT_ON_FORKS } from './notOnForks.ts'
import { skipStories } from './skipStories.ts'

skipStories(NOT_ON_FORKS)
