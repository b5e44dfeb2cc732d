/** The fields of a block's header. */
import type { KnownField } from '../../parts/Answer.tsx'

export const HEADER_FIELDS: readonly KnownField[] = [
  ['number', 'number', 'number of earlier blocks', 'count'],
  ['hash', 'hash', 'keccak-256 of the header; a block under construction has none yet', 'hex'],
  ['parentHash', 'parent', 'hash of the previous block', 'block'],
  ['timestamp', 'time', 'of the chain, in seconds since 1970', 'time'],
  ['gasUsed', 'gas used', 'by all its transactions', 'count'],
  ['gasLimit', 'gas limit', 'maximum gas that its transactions may use', 'count'],
  ['baseFeePerGas', 'base fee', 'burnt for each unit of gas (EIP-1559)', 'wei'],
  ['miner', 'fee recipient', 'account that receives the tips (coinbase)', 'address'],
  ['size', 'size', 'bytes of the block in RLP', 'count'],
  ['difficulty', 'difficulty', 'of proof of work; zero since the merge', 'count'],
  ['totalDifficulty', 'total difficulty', 'of this block and all before it', 'count'],
  ['mixHash', 'prevRandao', 'value of PREVRANDAO (EIP-4399)', 'hex'],
  ['nonce', 'nonce', 'of proof of work; zero since the merge', 'hex'],
  ['extraData', 'extra data', 'arbitrary bytes of the builder', 'bytes'],
  ['stateRoot', 'state root', 'root of the trie of all accounts after the block', 'hex'],
  ['transactionsRoot', 'transactions root', 'root of the trie of its transactions', 'hex'],
  ['receiptsRoot', 'receipts root', 'root of the trie of its receipts', 'hex'],
  ['logsBloom', 'logs bloom', 'filter over the addresses and topics of its logs', 'bytes'],
  ['sha3Uncles', 'uncles hash', 'hash of the list of uncles, which is empty since the merge', 'hex'],
  ['withdrawalsRoot', 'withdrawals root', 'root of the trie of its withdrawals (EIP-4895)', 'hex'],
  ['blobGasUsed', 'blob gas used', '131 072 for each blob (EIP-4844)', 'count'],
  ['excessBlobGas', 'excess blob gas', 'determines the blob base fee (EIP-4844)', 'count'],
  ['parentBeaconBlockRoot', 'parent beacon root', 'root of the previous beacon block (EIP-4788)', 'hex'],
  ['requestsHash', 'requests hash', 'of the requests to the consensus layer (EIP-7685)', 'hex'],
]

/** Members of a block outside its header. */
export const NOT_OF_HEADER = [
  'transactions',
  'uncles',
  'withdrawals',
  'transactionCount',
  'logCount',
  'fees',
  'blobs',
  'removed',
]
