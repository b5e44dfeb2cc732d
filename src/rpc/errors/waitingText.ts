/** The reason why a transaction waits, in words. */
import type { WhyWaiting } from '../../sequencer/waiting.ts'
import { rejection } from './refusals.ts'

/** Returns why the transaction waits, and what it waits for. */
export function waitingText(why: WhyWaiting): string {
  switch (why.kind) {
    case 'hidden':
      return 'it is in the block under construction; a fault that was asked for hides that'
    case 'nonceGap':
      return `its nonce is ${why.got}, and one with nonce ${why.next} has to come first`
    case 'behind':
      return `${why.first.hash}, its sender’s with nonce ${why.first.nonce}, has to come first, and of that: ${waitingText(why.why)}`
    case 'feeTooLow':
      return `it offers ${why.maxFeePerGas} wei per gas, the base fee is ${why.baseFeePerGas}: it waits until that falls`
    case 'noGasLeft':
      return `it asks for ${why.gasLimit} gas, and ${why.left} are left in the block: it waits for the next`
    case 'impossible':
      return `it will be dropped: ${rejection(why.rejection)}`
    case 'nextSlice':
      return why.inMs === undefined
        ? `the next slice takes it in, and nothing happens under the rhythm ${why.rhythm} until somebody asks: devnet.tick(), devnet.mine(), evm_mine`
        : `the next slice takes it in, which falls due in ${Math.max(0, Math.round(why.inMs))} ms`
  }
}
