/** The messages of Hardhat for refused transactions and settings, as tests of Hardhat projects compare them. */

type Row = readonly [own: RegExp, message: (...values: string[]) => string]

const ROWS: readonly Row[] = [
  [
    /^max fee per gas less than block base fee: maxFeePerGas: (\d+), baseFee: (\d+)$/,
    (fee, baseFee) =>
      `Transaction maxFeePerGas (${fee}) is too low for the next block, which has a baseFeePerGas of ${baseFee}`,
  ],
  [
    /^max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: (\d+), maxFeePerGas: (\d+)$/,
    (tip, fee) => `maxPriorityFeePerGas (${tip}) is bigger than maxFeePerGas (${fee})`,
  ],
  [
    /^insufficient funds for gas \* price \+ value: have (\d+) want (\d+)$/,
    (have, want) =>
      `Sender doesn't have enough funds to send tx. The max upfront cost is: ${want} and the sender's balance is: ${have}.`,
  ],
  [
    /^intrinsic gas too low: (?:gas|have) (\d+), (?:minimum needed|want) (\d+)$/,
    (have, want) => `Transaction requires at least ${want} gas but got ${have}`,
  ],
  [
    /^transaction gas limit too high \(cap: (\d+), tx: (\d+)\)$/,
    (cap, gas) => `Transaction gas limit is ${gas} and exceeds transaction gas cap of ${cap}`,
  ],
  [
    /^replacement transaction underpriced: \w+ \d+, at least (\d+) needed/,
    (least) =>
      `Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least ${least} is necessary to replace the existing transaction`,
  ],
]

const NO_QUEUE = "Note that transactions can't be queued when automining."

/** Returns the message of Hardhat for a message of a devnet, or `message` itself. `isAutomine`: of a chain that mines each transaction. */
export function refusalMessage(message: string, isAutomine: boolean): string {
  const [, kind, next, got] = /^nonce too (low|high): next nonce (\d+), tx nonce (\d+)$/.exec(message) ?? []
  if (kind !== undefined) {
    return isAutomine || kind === 'high'
      ? `Nonce too ${kind}. Expected nonce to be ${next} but got ${got}. ${NO_QUEUE}`
      : `Transaction nonce too low. Expected nonce to be at least ${next} but got ${got}.`
  }
  for (const [own, write] of ROWS) {
    const match = own.exec(message)
    if (match !== null) return write(...match.slice(1))
  }
  return message
}
