/** The member of a test file's `meta` in which its worker hands the figures to vitest's reporter. */
export const META = 'presealGas'
