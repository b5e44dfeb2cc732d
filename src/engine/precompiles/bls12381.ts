/** Precompiles on the curve BLS12-381: the curve operations (EIP-2537), and KZG point evaluation (EIP-4844). */

import { sha256 } from '@noble/hashes/sha2.js'
import { areEqual } from '../../bytes/bytes.ts'
import { fromHex } from '../../bytes/hex.ts'
import { bls12381 } from '../../crypto/curves/curves.ts'
import type { PausableSteps } from '../../crypto/curves/pairingCurve.ts'
import { isKzgProof } from '../../crypto/kzgProof.ts'
import { type Computation, inParts, type Precompile, truth } from './precompile.ts'

/** The price per multiplication in thousandths of the full price (EIP-2537), for 1, 2 … 128 or more multiplications. */
const G1_DISCOUNTS: readonly number[] = [
  '1000 949 848 797 764 750 738 728 719 712 705 698 692 687 682 677',
  '673 669 665 661 658 654 651 648 645 642 640 637 635 632 630 627',
  '625 623 621 619 617 615 613 611 609 608 606 604 603 601 599 598',
  '596 595 593 592 591 589 588 586 585 584 582 581 580 579 577 576',
  '575 574 573 572 570 569 568 567 566 565 564 563 562 561 560 559',
  '558 557 556 555 554 553 552 551 550 549 548 547 547 546 545 544',
  '543 542 541 540 540 539 538 537 536 536 535 534 533 532 532 531',
  '530 529 528 528 527 526 525 525 524 523 522 522 521 520 520 519',
].flatMap((row) => row.split(' ').map(Number))

const G2_DISCOUNTS: readonly number[] = [
  '1000 1000 923 884 855 832 812 796 782 770 759 749 740 732 724 717',
  '711 704 699 693 688 683 679 674 670 666 663 659 655 652 649 646',
  '643 640 637 634 632 629 627 624 622 620 618 615 613 611 609 607',
  '606 604 602 600 598 597 595 593 592 590 589 587 586 584 583 582',
  '580 579 578 576 575 574 573 571 570 569 568 567 566 565 563 562',
  '561 560 559 558 557 556 555 554 553 552 552 551 550 549 548 547',
  '546 545 545 544 543 542 541 541 540 539 538 537 537 536 535 535',
  '534 533 532 532 531 530 530 529 528 528 527 526 526 525 524 524',
].flatMap((row) => row.split(' ').map(Number))

const FP_BYTES = 64
const G1_BYTES = 2 * FP_BYTES
const G2_BYTES = 4 * FP_BYTES
const SCALAR_BYTES = 32
const PAIR_BYTES = G1_BYTES + G2_BYTES

const load = () => bls12381.load()

export const bls12381AddG1 = ofLength(2 * G1_BYTES, 375n, (input) => bls12381.current.add('g1', input))
export const bls12381AddG2 = ofLength(2 * G2_BYTES, 600n, (input) => bls12381.current.add('g2', input))
export const bls12381MapToG1 = ofLength(FP_BYTES, 5_500n, (input) => bls12381.current.mapTo('g1', input))
export const bls12381MapToG2 = ofLength(2 * FP_BYTES, 23_800n, (input) => bls12381.current.mapTo('g2', input))

export const bls12381MultiplyG1 = ofMultiples(
  G1_BYTES + SCALAR_BYTES,
  (count) => discounted(count, 12_000n, G1_DISCOUNTS),
  (input) => bls12381.current.multiply('g1', input),
)

export const bls12381MultiplyG2 = ofMultiples(
  G2_BYTES + SCALAR_BYTES,
  (count) => discounted(count, 22_500n, G2_DISCOUNTS),
  (input) => bls12381.current.multiply('g2', input),
)

/** Returns whether the product of the pairings is 1; requires at least one pair. */
export const bls12381Pairing = ofMultiples(
  PAIR_BYTES,
  (count) => 37_700n + 32_600n * BigInt(count),
  function* (input): PausableSteps<Uint8Array> {
    const isOne = yield* bls12381.current.pairing(input)
    return isOne === undefined ? undefined : truth(isOne)
  },
)

function ofLength(length: number, gas: bigint, run: Precompile['run']): Computation {
  return {
    gas: () => gas,
    run: (input, rules) => (input.length === length ? run(input, rules) : undefined),
    load,
  }
}

/** Returns a computation that fails unless the input is one or more items of `length` bytes. */
function ofMultiples(
  length: number,
  gas: (count: number) => bigint,
  run: (input: Uint8Array) => PausableSteps<Uint8Array>,
): Computation {
  return inParts(
    (_, input) => gas(Math.floor(input.length / length)),
    function* (input): PausableSteps<Uint8Array> {
      return input.length === 0 || input.length % length !== 0 ? undefined : yield* run(input)
    },
    load,
  )
}

function discounted(count: number, each: bigint, discounts: readonly number[]): bigint {
  return (BigInt(count) * each * BigInt(discounts[count - 1] ?? discounts.at(-1)!)) / 1_000n
}

const INPUT_BYTES = 192
const KZG_VERSION = 1
/** The output for a valid proof: the number of field elements in a blob (4096), and the order of the field. */
const OUTPUT = fromHex(
  `0x${'1000'.padStart(64, '0')}73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001`,
)

/** Input: a versioned hash, z and y (32 bytes each), a commitment and a proof (48 bytes each). */
export const kzgPointEvaluation: Computation = {
  gas: () => 50_000n,
  run(input) {
    if (input.length !== INPUT_BYTES) return undefined
    const commitment = input.subarray(96, 144)
    const versionedHash = sha256(commitment)
    versionedHash[0] = KZG_VERSION
    if (!areEqual(input.subarray(0, 32), versionedHash)) return undefined
    const [z, y, proof] = [input.subarray(32, 64), input.subarray(64, 96), input.subarray(144)]
    const isRight = isKzgProof(bls12381.current, commitment, z, y, proof)
    return isRight ? OUTPUT.slice() : undefined
  },
  load: () => bls12381.load(),
}
