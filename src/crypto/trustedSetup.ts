/**
 * The points of Ethereum's KZG ceremony that are needed to check blobs (consensus-specs `trusted_setup_4096.json`):
 * the first 64 of `g1_monomial`, and `g2_monomial` at 0, 1 and 64. Creating proofs would need all 12,288 points,
 * almost a megabyte. Both coordinates of each point are stored, so that reading a point needs no square root.
 */
import setup from './trustedSetup.json' with { type: 'json' }

export const G1_MONOMIAL: readonly string[] = setup.g1Monomial

export const G2_MONOMIAL: Readonly<Record<0 | 1 | 64, string>> = setup.g2Monomial
