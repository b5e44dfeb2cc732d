/** Versions of solc, whose source maps differ. */

/** A version as one number, by which versions are compared. */
export type Version = number

/** Returns the version of a text such as `0.8.28`; 0 for what is none. */
export function versionOf(text: string): Version {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []
  return patch === undefined ? 0 : (Number(major) * 1_000 + Number(minor)) * 1_000 + Number(patch)
}

/** The first whose failed checks panic, and do not run an invalid instruction. */
export const WITH_PANICS = versionOf('0.8.0')
