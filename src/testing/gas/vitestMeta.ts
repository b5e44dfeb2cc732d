/** The members of a test file's `meta` in which its worker hands something to vitest's reporter. */

/** Gas figures. */
export const FIGURES_META = 'presealGas'
/** Changes of snapshots. */
export const SNAPSHOTS_META = 'presealGasSnapshots'
