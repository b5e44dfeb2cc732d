/** The states of transactions and blocks. */
export type State = 'accepted' | 'waiting' | 'preconfirmed' | 'sealed' | 'failed' | 'dropped' | 'reorged'
