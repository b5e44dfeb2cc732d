/** The tags of blocks from which a chain can be forked. */
export const FORK_TAGS = ['latest', 'safe', 'finalized', 'earliest'] as const
export type ForkTag = (typeof FORK_TAGS)[number]
