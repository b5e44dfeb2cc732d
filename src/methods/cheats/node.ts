import { params, steer } from '../../rpc/method.ts'
import { amountUpTo, encodeQuantity } from '../../wire/hex.ts'
import { boolean, InvalidValue, type Parser } from '../../wire/parser.ts'
import { suggestedTip } from '../eth/fees.ts'

export const nodeInfo = steer(params(), ({ chain, chainId, rules, network }) => {
  const { header, hash } = chain.latest.block
  const baseFee = chain.pending.block.header.baseFeePerGas ?? 0n
  return {
    currentBlockNumber: encodeQuantity(header.number),
    // JSON numbers instead of hex quantities, because clients of anvil expect numbers here.
    currentBlockTimestamp: Number(header.timestamp),
    currentBlockHash: hash,
    hardFork: rules.hardfork,
    transactionOrder: 'fees',
    environment: {
      baseFee: encodeQuantity(baseFee),
      chainId: Number(chainId),
      gasLimit: encodeQuantity(header.gasLimit),
      gasPrice: encodeQuantity(baseFee + suggestedTip),
    },
    forkConfig: {
      // Only the host is shown, because the rest of a URL may contain an API key.
      forkUrl: network?.name ?? null,
      forkBlockNumber: network === undefined ? null : Number(network.block.number),
      forkRetryBackoff: null,
      // anvil lacks this member: whether the network's state is verified against the fork block's state root.
      ...(network && { proofs: network.hasProofs }),
    },
  }
})

export const metadata = steer(params(), ({ chain, chainId, options, sequencer, network }) => {
  const { history } = chain.state
  const { header, hash } = history.latest.block
  return {
    clientVersion: options.clientVersion,
    chainId: Number(chainId),
    // 32 bytes that identify the chain. Unlike in anvil and Hardhat, they are deterministic.
    instanceId: history.origin.block.hash,
    latestBlockNumber: Number(header.number),
    latestBlockHash: hash,
    forkedNetwork:
      network === undefined
        ? null
        : {
            chainId: Number(network.chainId),
            forkBlockNumber: Number(network.block.number),
            forkBlockHash: network.block.hash,
            proofs: network.hasProofs,
          },
    snapshots: Object.fromEntries(
      [...sequencer.marks.snapshots].map(([id, { chain: then }]) => {
        const { block } = then.history.latest
        return [encodeQuantity(id), [Number(block.header.number), block.hash]]
      }),
    ),
  }
})

/** The timestamp of block 0 in seconds, as a JSON number. */
export const getGenesisTime = steer(params(), ({ chain }) =>
  Number(chain.state.history.origin.block.header.timestamp),
)

/** Has no effect: requests are not logged, and an option of the devnet selects whether `console.log` is printed. */
export const setLoggingEnabled = steer(params(boolean), (_, __): void => {})

/** The limit is the same as for the option `chainId`, because EthereumJS stores chain ids as JavaScript numbers. */
const parseAmount = amountUpTo(BigInt(Number.MAX_SAFE_INTEGER))

const parseChainId: Parser<bigint> = (value, path) => {
  const chainId = parseAmount(value, path)
  if (chainId === 0n) throw new InvalidValue(path, 'a chain id of at least 1', value)
  return chainId
}

export const setChainId = steer(params(parseChainId), ({ sequencer }, chainId) =>
  sequencer.steering.cheat((cheats) => ({ ...cheats, chainId })),
)
