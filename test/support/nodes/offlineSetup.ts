/** Skips examples that make no sense on a network that was recorded. */
import { skipStories } from './skipStories.ts'

skipStories([
  {
    file: 'chains',
    stories: ['a chain goes into files and comes back the same'],
    why: 'a fork has no file of its genesis: it does not know all accounts',
  },
  {
    file: 'comingFrom',
    stories: ['is that a network with another chain id needs another devnet'],
    why: 'offline no other node is asked',
  },
])
