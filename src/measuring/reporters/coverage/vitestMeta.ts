/** The member of a test file's `meta` in which its worker hands to vitest's reporter what ran. */
export const META = 'presealCoverage'

/** The environment variable that names the folder for codes. */
export const FOLDER = 'PRESEAL_COVERAGE_CODES'
