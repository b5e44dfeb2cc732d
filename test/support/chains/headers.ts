/** Random headers, and the same ones as @ethereumjs/block takes them. */
import { type BlockHeader, createBlockHeader, paramsBlock } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { EMPTY_OMMERS_HASH, type Header } from '../../../src/model/block/header.ts'
import { type AnyHardfork, isSince } from '../../../src/model/hardfork/hardfork.ts'
import type { Random } from '../random/random.ts'

/** A header with random contents and the fields of `hardfork`. */
export function randomHeader(random: Random, hardfork: AnyHardfork): Header {
  const since = (first: AnyHardfork) => isSince(hardfork, first)
  const gasLimit = random.bigint(60) + 5000n
  const gasUsed = random.pick([0n, 1n, gasLimit / 2n, gasLimit, random.bigint(64) % (gasLimit + 1n)])
  return {
    parentHash: random.hex(32),
    ommersHash: since('paris') ? EMPTY_OMMERS_HASH : random.hex(32),
    coinbase: random.hex(20),
    stateRoot: random.hex(32),
    transactionsRoot: random.hex(32),
    receiptsRoot: random.hex(32),
    logsBloom: random.bytes(256),
    difficulty: since('paris') ? 0n : random.bigint(70),
    number: random.bigint(50) + 1n,
    gasLimit,
    gasUsed,
    timestamp: random.bigint(50),
    extraData: random.bytes(random.below(33)),
    prevRandao: random.hex(32),
    nonce: since('paris') ? new Uint8Array(8) : random.bytes(8),
    baseFeePerGas: since('london') ? random.bigint(70) : undefined,
    withdrawalsRoot: since('shanghai') ? random.hex(32) : undefined,
    blobGasUsed: since('cancun') ? random.bigint(30) : undefined,
    excessBlobGas: since('cancun') ? random.bigint(27) : undefined,
    parentBeaconBlockRoot: since('cancun') ? random.hex(32) : undefined,
    requestsHash: since('prague') ? random.hex(32) : undefined,
  }
}

/** EthereumJS's rules under `hardfork`: those of mainnet, on a chain of ours. */
export function theirCommon(hardfork: AnyHardfork): Common {
  return createCustomCommon({ chainId: 31_337 }, Mainnet, {
    hardfork: hardfork === 'frontier' ? 'chainstart' : hardfork,
    params: paramsBlock,
    // They ask for KZG to read a transaction of type 3, and use it only where its blobs come with it.
    customCrypto: { kzg: {} as never },
  })
}

export function toEthereumJsHeader(header: Header, hardfork: AnyHardfork): BlockHeader {
  const { ommersHash, transactionsRoot, receiptsRoot, prevRandao, ...same } = header
  const present = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined))
  return createBlockHeader(
    {
      ...present,
      uncleHash: ommersHash,
      transactionsTrie: transactionsRoot,
      receiptTrie: receiptsRoot,
      mixHash: prevRandao,
    },
    { common: theirCommon(hardfork), skipConsensusFormatValidation: true },
  )
}
