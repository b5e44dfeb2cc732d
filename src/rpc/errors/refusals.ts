/** Reasons why a transaction or a call is refused, in the words of geth's pool, which clients search for. */

import type { PayloadFlaw } from '../../sequencer/block/buildPayload.ts'
import type { DropReason } from '../../sequencer/events.ts'
import type { InclusionRejection } from '../../sequencer/import/flawInHeader.ts'

/** Returns the reason of a refused transaction, in the words of geth's pool. */
export function rejection(rejection: InclusionRejection): string {
  switch (rejection.kind) {
    case 'alreadyKnown':
      return 'already known'
    case 'nonceTooLow':
      return `nonce too low: next nonce ${rejection.next}, tx nonce ${rejection.got}`
    case 'nonceTooHigh':
      return `nonce has max value: tx nonce ${rejection.got} (EIP-2681)`
    case 'nonceTooHighForNow':
      return `nonce too high: next nonce ${rejection.next}, tx nonce ${rejection.got}`
    case 'highS':
      return 'invalid signature: s is in the upper half of the curve order (EIP-2)'
    case 'feeBelowBaseFee':
      return feeBelowBaseFee(rejection)
    case 'blobFeeTooLow':
      return `max fee per blob gas less than block blob gas fee: maxFeePerBlobGas: ${rejection.maxFeePerBlobGas}, blobGasFee: ${rejection.blobBaseFee}`
    case 'versionedHash':
      return `blob hash ${rejection.hash} does not begin with 0x01 (EIP-4844)`
    case 'tooManyBlobs':
      return `blob transaction has too many blobs: ${rejection.count}, at most ${rejection.limit} (EIP-7594)`
    case 'unprovenBlob':
      return `invalid blob proof: blob ${rejection.index} is not what its commitment and proofs say`
    case 'replacementUnderpriced':
      return `replacement transaction underpriced: ${rejection.fee} ${rejection.got}, at least ${rejection.want} needed (${rejection.percent} % more)`
    case 'exceedsBlockGasLimit':
      return `exceeds block gas limit: tx gas ${rejection.gasLimit}, block limit ${rejection.limit}`
    case 'gasLimitTooHigh':
      return `transaction gas limit too high (cap: ${rejection.limit}, tx: ${rejection.gasLimit})`
    case 'invalidChainId':
      return `invalid chain ID: have ${rejection.have}, want ${rejection.want}`
    case 'chainIdNotSupported':
      return `invalid signature: it names chain ID ${rejection.chainId} (EIP-155), before Spurious Dragon (${rejection.hardfork}) v is 27 or 28`
    case 'intrinsicGasTooLow':
      return `intrinsic gas too low: gas ${rejection.have}, minimum needed ${rejection.want}`
    case 'insufficientFunds':
      return insufficientFunds(rejection)
    case 'tipAboveFee':
      return tipAboveFee(rejection)
    case 'typeNotSupported':
      return `transaction type not supported: type ${rejection.type} on ${rejection.hardfork}`
    case 'initCodeTooLarge':
      return `max initcode size exceeded: code size ${rejection.size}, limit ${rejection.limit}`
    case 'senderIsContract':
      return `sender not an eoa: ${rejection.address} has code (EIP-3607)`
  }
}

/** Returns the reason for blobs that no longer fit into a block. */
export function noBlobsLeft({ left, count }: { left: number; count: number }): string {
  return `block blob limit reached: ${left} blobs left, ${count} wanted`
}

/** Returns the reason why a payload could not be built. */
export function unbuiltPayload(flaw: PayloadFlaw): string {
  if (flaw.kind === 'notAfterParent') {
    return `invalid timestamp: ${flaw.got} is not after that of the parent, ${flaw.parent}`
  }
  const { index, hash, rejection: why } = flaw
  return `transaction ${index} (${hash}) cannot be included: ${why.kind === 'noBlobsLeft' ? noBlobsLeft(why) : rejection(why)}`
}

export function insufficientFunds({ have, want }: { have: bigint; want: bigint }): string {
  return `insufficient funds for gas * price + value: have ${have} want ${want}`
}

export function feeBelowBaseFee(fees: { maxFeePerGas: bigint; baseFeePerGas: bigint }): string {
  return `max fee per gas less than block base fee: maxFeePerGas: ${fees.maxFeePerGas}, baseFee: ${fees.baseFeePerGas}`
}

export function tipAboveFee(fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }): string {
  return `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: ${fees.maxPriorityFeePerGas}, maxFeePerGas: ${fees.maxFeePerGas}`
}

/** Returns the reason why an accepted transaction was dropped. */
export function dropText(reason: DropReason): string {
  switch (reason.kind) {
    case 'replaced':
      return `replaced by ${reason.by.hash}`
    case 'defect':
      return `preseal could not run it: ${reason.error instanceof Error ? reason.error.stack : reason.error}`
    case 'outOfMemory':
      return `its code took more than ${reason.limitBytes} bytes of memory; give it less gas`
    case 'removed':
      return 'removed on request'
    case 'reorged':
      return 'its block was removed by a reorg'
    case 'fault':
      return reason.lands === 'next'
        ? 'a fault on purpose; it waits for the next block'
        : 'a fault on purpose'
    default:
      return rejection(reason)
  }
}
