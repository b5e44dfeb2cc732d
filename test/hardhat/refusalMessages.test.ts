/** Messages for refused transactions, as Hardhat 3.18's own network (EDR) has them for the same requests. */
import { describe, expect, it } from 'vitest'
import { refusalMessage } from '../../src/hardhat/refusalMessages.ts'
import { rejectionText } from '../../src/rpc/errors/refusals.ts'
import type { InclusionRejection } from '../../src/sequencer/import/flawInHeader.ts'

const CASES: readonly (readonly [InclusionRejection, message: string])[] = [
  [
    { kind: 'nonceTooHighForNow', next: 1n, got: 9n },
    "Nonce too high. Expected nonce to be 1 but got 9. Note that transactions can't be queued when automining.",
  ],
  [
    { kind: 'nonceTooLow', next: 1n, got: 0n },
    "Nonce too low. Expected nonce to be 1 but got 0. Note that transactions can't be queued when automining.",
  ],
  [
    { kind: 'insufficientFunds', address: `0x${'11'.repeat(20)}`, have: 5n, want: 9n },
    "Sender doesn't have enough funds to send tx. The max upfront cost is: 9 and the sender's balance is: 5.",
  ],
  [
    { kind: 'feeBelowBaseFee', maxFeePerGas: 1n, baseFeePerGas: 765_701_563n },
    'Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 765701563',
  ],
  [
    { kind: 'tipAboveFee', maxFeePerGas: 1n, maxPriorityFeePerGas: 2n },
    'maxPriorityFeePerGas (2) is bigger than maxFeePerGas (1)',
  ],
  [
    { kind: 'intrinsicGasTooLow', have: 20_000n, want: 21_000n },
    'Transaction requires at least 21000 gas but got 20000',
  ],
  [
    { kind: 'gasLimitTooHigh', gasLimit: 50_331_648n, limit: 16_777_216n },
    'Transaction gas limit is 50331648 and exceeds transaction gas cap of 16777216',
  ],
  [
    {
      kind: 'replacementUnderpriced',
      fee: 'maxFeePerGas',
      want: 11_000_000_000n,
      got: 10_000_000_001n,
      percent: 10n,
    },
    'Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 11000000000 is necessary to replace the existing transaction',
  ],
]

describe('a refused transaction', () => {
  it.each(CASES)('has the message of Hardhat: $kind', (rejection, message) => {
    expect(refusalMessage(rejectionText(rejection), true)).toBe(message)
  })

  it('has another message without automine, if its nonce is too low', () => {
    expect(refusalMessage(rejectionText({ kind: 'nonceTooLow', next: 1n, got: 0n }), false)).toBe(
      'Transaction nonce too low. Expected nonce to be at least 1 but got 0.',
    )
  })

  it('keeps a message that Hardhat has no other for', () => {
    expect(refusalMessage('filter not found', true)).toBe('filter not found')
  })

  it('has the message for calls', () => {
    expect(refusalMessage('intrinsic gas too low: have 20000, want 21000', true)).toBe(
      'Transaction requires at least 21000 gas but got 20000',
    )
  })
})
