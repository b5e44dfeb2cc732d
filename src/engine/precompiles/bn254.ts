/** The curve BN254: addition and multiplication (EIP-196), pairings (EIP-197); prices of EIP-1108. */
import { bn254 } from '../../crypto/curves/curves.ts'
import type { Parts } from '../../crypto/curves/pairingCurve.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { type Computation, inParts, padded, truth } from './precompile.ts'

const G1_BYTES = 64
const PAIR_BYTES = 192

const load = () => bn254.load()
const isCheap = (rules: Rules) => rules.has(1108) || rules.since('istanbul')

/** Adds two points. A short input is padded with zeros; what follows the points is ignored. */
export const bn254Add: Computation = {
  gas: (rules) => (isCheap(rules) ? 150n : 500n),
  run: (input) => bn254.current.addG1(padded(input, 0, 2 * G1_BYTES)),
  load,
}

/** Multiplies a point by a number. The input is padded in the same way. */
export const bn254Multiply: Computation = inParts(
  (rules) => (isCheap(rules) ? 6_000n : 40_000n),
  (input) => bn254.current.multiplyG1(padded(input, 0, G1_BYTES + 32)),
  load,
)

/** Returns whether the product of the pairings of any number of pairs is 1. */
export const bn254Pairing: Computation = inParts(
  (rules, input) => {
    const pairs = BigInt(Math.floor(input.length / PAIR_BYTES))
    return isCheap(rules) ? 45_000n + 34_000n * pairs : 100_000n + 80_000n * pairs
  },
  function* (input): Parts<Uint8Array> {
    if (input.length % PAIR_BYTES !== 0) return undefined
    const isOne = yield* bn254.current.pairing(input)
    return isOne === undefined ? undefined : truth(isOne)
  },
  load,
)
