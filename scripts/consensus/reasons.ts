/**
 * The exceptions of the tests, with their reasons here: a refusal counts only if it has one of these reasons.
 *
 * The names with `TransactionException.` and `BlockException.` are those of ethereum/execution-spec-tests
 * (`src/ethereum_test_exceptions`), the others are older ones of retesteth and aleth, which ethereum/tests and
 * ethereum/legacytests use.
 */
import type { ImportFailed, ImportFailure } from '../../src/index.ts'

/** A reason of a failed import, with the wrong field if the reason alone is ambiguous. */
type Reason = ImportFailure | `${ImportFailure} ${string}`

/** Bytes that do not encode a transaction: the reader of blocks names the broken rule in words only. */
const MALFORMED_TRANSACTION = 'malformedBlock transactions[]'
const MALFORMED = ['malformedBlock', 'brokenStream'] as const

/** `TransactionException.` */
const TRANSACTION: Readonly<Record<string, readonly Reason[]>> = {
  TYPE_NOT_SUPPORTED: ['typeNotSupported', MALFORMED_TRANSACTION],
  SENDER_NOT_EOA: ['senderIsContract'],
  NONCE_MISMATCH_TOO_HIGH: ['nonceTooHighForNow'],
  NONCE_MISMATCH_TOO_LOW: ['nonceTooLow'],
  NONCE_TOO_BIG: ['nonceTooHigh'],
  NONCE_IS_MAX: ['nonceTooHigh'],
  NONCE_OVERFLOW: [MALFORMED_TRANSACTION],
  GASLIMIT_OVERFLOW: [MALFORMED_TRANSACTION],
  VALUE_OVERFLOW: [MALFORMED_TRANSACTION],
  GASPRICE_OVERFLOW: [MALFORMED_TRANSACTION],
  PRIORITY_OVERFLOW: [MALFORMED_TRANSACTION],
  // Products do not overflow here: the cost exceeds the funds of every account.
  GASLIMIT_PRICE_PRODUCT_OVERFLOW: ['insufficientFunds'],
  INVALID_SIGNATURE_VRS: [MALFORMED_TRANSACTION, 'highS', 'chainIdNotSupported'],
  EC_RECOVERY_FAIL: [MALFORMED_TRANSACTION],
  INVALID_CHAINID: ['invalidChainId', 'chainIdNotSupported'],
  INSUFFICIENT_ACCOUNT_FUNDS: ['insufficientFunds'],
  INSUFFICIENT_MAX_FEE_PER_GAS: ['feeBelowBaseFee'],
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS: ['tipAboveFee'],
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS_2: ['tipAboveFee'],
  INSUFFICIENT_MAX_FEE_PER_BLOB_GAS: ['blobFeeTooLow'],
  INTRINSIC_GAS_TOO_LOW: ['intrinsicGasTooLow'],
  INTRINSIC_GAS_BELOW_FLOOR_GAS_COST: ['intrinsicGasTooLow'],
  INITCODE_SIZE_EXCEEDED: ['initCodeTooLarge'],
  GAS_ALLOWANCE_EXCEEDED: ['exceedsBlockGasLimit'],
  GAS_LIMIT_EXCEEDS_MAXIMUM: ['gasLimitTooHigh'],
  TYPE_1_TX_PRE_FORK: ['typeNotSupported'],
  TYPE_2_TX_PRE_FORK: ['typeNotSupported'],
  TYPE_3_TX_PRE_FORK: ['typeNotSupported'],
  TYPE_3_TX_ZERO_BLOBS_PRE_FORK: ['typeNotSupported', MALFORMED_TRANSACTION],
  TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH: ['versionedHash'],
  TYPE_3_TX_WITH_FULL_BLOBS: [MALFORMED_TRANSACTION],
  TYPE_3_TX_BLOB_COUNT_EXCEEDED: ['tooManyBlobs', 'blobGasAboveLimit'],
  TYPE_3_TX_MAX_BLOB_GAS_ALLOWANCE_EXCEEDED: ['blobGasAboveLimit', 'tooManyBlobs'],
  TYPE_3_TX_CONTRACT_CREATION: [MALFORMED_TRANSACTION],
  TYPE_3_TX_ZERO_BLOBS: [MALFORMED_TRANSACTION],
  TYPE_4_TX_PRE_FORK: ['typeNotSupported'],
  TYPE_4_EMPTY_AUTHORIZATION_LIST: [MALFORMED_TRANSACTION],
  TYPE_4_INVALID_AUTHORITY_SIGNATURE: [MALFORMED_TRANSACTION],
  TYPE_4_INVALID_AUTHORITY_SIGNATURE_S_TOO_HIGH: [MALFORMED_TRANSACTION],
  TYPE_4_INVALID_AUTHORIZATION_FORMAT: [MALFORMED_TRANSACTION],
  TYPE_4_TX_CONTRACT_CREATION: [MALFORMED_TRANSACTION],
  ADDRESS_TOO_SHORT: [MALFORMED_TRANSACTION],
  ADDRESS_TOO_LONG: [MALFORMED_TRANSACTION],
}

/** `BlockException.` */
const BLOCK: Readonly<Record<string, readonly Reason[]>> = {
  TOO_MANY_UNCLES: ['tooManyOmmers'],
  UNCLE_IN_CHAIN: ['ommerIsKnown', 'ommerIsAncestor'],
  UNCLE_IS_ANCESTOR: ['ommerIsAncestor'],
  UNCLE_IS_BROTHER: ['ommerIsSibling', 'ommerIsKnown'],
  UNCLE_PARENT_INCORRECT: ['ommerParentUnknown', 'ommerIsSibling', 'differs number'],
  UNCLE_UNKNOWN_PARENT: ['ommerParentUnknown', 'ommerIsAncestor'],
  EXTRA_DATA_TOO_BIG: ['malformedBlock header.extraData', 'malformedBlock extraData'],
  EXTRA_DATA_INVALID_DAO: ['daoExtraData'],
  UNKNOWN_PARENT: ['differs parentHash'],
  UNKNOWN_PARENT_ZERO: ['differs parentHash'],
  GASLIMIT_TOO_BIG: ['gasLimitAboveInt63', 'malformedBlock header.gasLimit'],
  INVALID_BLOCK_NUMBER: ['differs number', 'otherBlock'],
  INVALID_BLOCK_TIMESTAMP_OLDER_THAN_PARENT: ['timestampBeforeParent', 'timestampOfParent'],
  INVALID_DIFFICULTY: ['differs difficulty', 'unminedBeforeMerge'],
  INVALID_LOG_BLOOM: ['differs logsBloom'],
  INVALID_STATE_ROOT: ['differs stateRoot'],
  INVALID_RECEIPTS_ROOT: ['differs receiptsRoot'],
  INVALID_TRANSACTIONS_ROOT: ['differs transactionsRoot'],
  INVALID_UNCLES_HASH: ['differs ommersHash'],
  GAS_USED_OVERFLOW: ['gasUsedAboveLimit', 'exceedsBlockGasLimit'],
  INVALID_GASLIMIT: ['gasLimitOutOfBounds', 'gasLimitAboveInt63'],
  INVALID_BASEFEE_PER_GAS: ['differs baseFeePerGas'],
  INVALID_GAS_USED: ['differs gasUsed'],
  INVALID_GAS_USED_ABOVE_LIMIT: ['gasUsedAboveLimit'],
  INVALID_WITHDRAWALS_ROOT: ['differs withdrawalsRoot'],
  INCORRECT_BLOCK_FORMAT: ['malformedBlock', 'missingField', 'unexpectedField'],
  BLOB_GAS_USED_ABOVE_LIMIT: ['blobGasAboveLimit'],
  INCORRECT_BLOB_GAS_USED: ['differs blobGasUsed', 'blobGasAboveLimit'],
  INCORRECT_EXCESS_BLOB_GAS: ['differs excessBlobGas'],
  RLP_STRUCTURES_ENCODING: MALFORMED,
  RLP_WITHDRAWALS_NOT_READ: ['malformedBlock', 'differs withdrawalsRoot'],
  RLP_INVALID_FIELD_OVERFLOW_64: ['malformedBlock'],
  RLP_INVALID_ADDRESS: ['malformedBlock'],
  RLP_BLOCK_LIMIT_EXCEEDED: ['blockTooLarge'],
  INVALID_REQUESTS: ['differs requestsHash'],
  IMPORT_IMPOSSIBLE_LEGACY: ['missingField', 'malformedBlock'],
  IMPORT_IMPOSSIBLE_LEGACY_WRONG_PARENT: ['missingField', 'unexpectedField', 'malformedBlock'],
  IMPORT_IMPOSSIBLE_LONDON_WRONG_PARENT: ['missingField', 'unexpectedField', 'malformedBlock'],
  IMPORT_IMPOSSIBLE_PARIS_WRONG_POW: ['minedAfterMerge', 'differs difficulty'],
  IMPORT_IMPOSSIBLE_PARIS_WRONG_POS: ['unminedBeforeMerge'],
  IMPORT_IMPOSSIBLE_LONDON_OVER_PARIS: ['differs difficulty', 'minedAfterMerge'],
  IMPORT_IMPOSSIBLE_PARIS_OVER_SHANGHAI: ['missingField', 'unexpectedField'],
  IMPORT_IMPOSSIBLE_SHANGHAI: ['missingField', 'unexpectedField', 'malformedBlock'],
  IMPORT_IMPOSSIBLE_UNCLES_OVER_PARIS: ['differs ommersHash'],
  IMPORT_IMPOSSIBLE_DIFFICULTY_OVER_PARIS: ['differs difficulty', 'minedAfterMerge'],
  SYSTEM_CONTRACT_EMPTY: ['systemContractMissing'],
  SYSTEM_CONTRACT_CALL_FAILED: ['systemCallFailed'],
  INVALID_DEPOSIT_EVENT_LAYOUT: ['depositLayout'],
}

/** Names of retesteth and aleth. */
const LEGACY: Readonly<Record<string, readonly Reason[]>> = {
  TR_TypeNotSupported: TRANSACTION.TYPE_NOT_SUPPORTED!,
  TR_TypeNotSupportedBlob: TRANSACTION.TYPE_NOT_SUPPORTED!,
  TR_IntrinsicGas: ['intrinsicGasTooLow'],
  IntrinsicGas: ['intrinsicGasTooLow'],
  TR_NoFunds: ['insufficientFunds'],
  TR_NoFundsX: ['insufficientFunds'],
  TR_NoFundsValue: ['insufficientFunds'],
  TR_NoFundsOrGas: ['insufficientFunds', 'intrinsicGasTooLow'],
  TR_FeeCapLessThanBlocks: ['feeBelowBaseFee'],
  TR_FeeCapLessThanBlocksORNoFunds: ['feeBelowBaseFee', 'insufficientFunds'],
  TR_FeeCapLessThanBlocksORGasLimitReached: ['feeBelowBaseFee', 'exceedsBlockGasLimit'],
  TR_GasLimitReached: ['exceedsBlockGasLimit'],
  TR_NonceTooHigh: ['nonceTooHighForNow'],
  TR_NonceTooLow: ['nonceTooLow'],
  TR_NonceHasMaxValue: ['nonceTooHigh'],
  TR_TipGtFeeCap: ['tipAboveFee'],
  TR_InitCodeLimitExceeded: ['initCodeTooLarge'],
  TR_TooShort: [MALFORMED_TRANSACTION],
  TR_RLP_WRONGVALUE: [MALFORMED_TRANSACTION],
  TR_BlobDecodeError: [MALFORMED_TRANSACTION],
  TR_EMPTYBLOB: TRANSACTION.TYPE_3_TX_ZERO_BLOBS!,
  TR_BLOBCREATE: TRANSACTION.TYPE_3_TX_CONTRACT_CREATION!,
  TR_BLOBVERSION_INVALID: ['versionedHash'],
  TR_BLOBLIST_OVERSIZE: TRANSACTION.TYPE_3_TX_BLOB_COUNT_EXCEEDED!,
  SenderNotEOA: ['senderIsContract'],
  SenderNotEOAorNoCASH: ['senderIsContract', 'insufficientFunds'],
  InvalidTransactionVRS: [MALFORMED_TRANSACTION, 'highS', 'chainIdNotSupported'],
  InvalidTransactionsRoot: ['differs transactionsRoot'],
  InvalidStateRoot: ['differs stateRoot'],
  InvalidReceiptsStateRoot: ['differs receiptsRoot'],
  InvalidLogBloom: ['differs logsBloom'],
  InvalidGasUsed: ['differs gasUsed', 'gasUsedAboveLimit'],
  InvalidGasUsed2: ['differs gasUsed', 'gasUsedAboveLimit'],
  // A gas limit of zero breaks both rules.
  TooMuchGasUsed: ['gasUsedAboveLimit', 'exceedsBlockGasLimit', 'gasLimitOutOfBounds'],
  InvalidGasLimit: ['gasLimitOutOfBounds', 'gasLimitAboveInt63'],
  InvalidGasLimit2: ['gasLimitOutOfBounds', 'gasLimitAboveInt63'],
  InvalidGasLimit3: ['gasLimitOutOfBounds', 'gasLimitAboveInt63'],
  InvalidDifficulty: ['differs difficulty', 'unminedBeforeMerge'],
  InvalidDifficulty2: ['differs difficulty', 'unminedBeforeMerge'],
  InvalidNumber: ['differs number', 'otherBlock'],
  InvalidTimestamp: ['timestampBeforeParent', 'timestampOfParent'],
  InvalidTimestampEqualParent: ['timestampOfParent'],
  InvalidTimestampOlderParent: ['timestampBeforeParent', 'timestampOfParent'],
  InvalidUnclesHash: ['differs ommersHash'],
  InvalidUncleParentHash: ['ommerParentUnknown', 'ommerIsAncestor'],
  UncleParentNotInChain: ['ommerParentUnknown', 'ommerIsAncestor'],
  UncleParentIsNotAncestor: ['ommerParentUnknown', 'ommerIsSibling', 'differs number'],
  UncleTooOld: ['ommerParentUnknown'],
  UncleInChain: ['ommerIsKnown', 'ommerIsAncestor'],
  UncleIsAncestor: ['ommerIsAncestor'],
  UncleIsBrother: ['ommerIsSibling', 'ommerIsKnown'],
  TooManyUncles: ['tooManyOmmers'],
  UnknownParent: ['differs parentHash'],
  UnknownParent2: ['differs parentHash'],
  ExtraDataTooBig: ['malformedBlock header.extraData', 'malformedBlock extraData'],
  ExtraDataIncorrect: ['daoExtraData'],
  ExtraDataIncorrectDAO: ['daoExtraData'],
  InvalidWithdrawals: ['differs withdrawalsRoot'],
  PostParisUncleHashIsNotEmpty: ['differs ommersHash'],
  PostParisDifficultyIsNot0: ['differs difficulty', 'minedAfterMerge'],
  '3675PoWBlockRejected': ['minedAfterMerge', 'differs difficulty'],
  '3675PoSBlockRejected': ['unminedBeforeMerge'],
  '3675PreParis1559BlockRejected': [
    'differs difficulty',
    'differs nonce',
    'differs ommersHash',
    'minedAfterMerge',
  ],
  '1559BlockImportImpossible_BaseFeeWrong': ['differs baseFeePerGas'],
  '1559BlockImportImpossible_InitialBaseFeeWrong': ['differs baseFeePerGas'],
  '1559BlockImportImpossible_HeaderIsLegacy': ['missingField', 'malformedBlock'],
  '1559BlockImportImpossible_TargetGasLow': ['gasLimitOutOfBounds'],
  '1559BlockImportImpossible_TargetGasHigh': ['gasLimitOutOfBounds'],
  '1559BlockImportImpossible_InitialGasLimitInvalid': ['gasLimitOutOfBounds'],
  '1559PriorityFeeGreaterThanBaseFee': ['tipAboveFee'],
  LegacyBlockImportImpossible: ['missingField', 'unexpectedField', 'malformedBlock'],
  LegacyBlockImportImpossible2: ['missingField', 'unexpectedField', 'malformedBlock'],
  LegacyBlockBaseFeeTransaction: ['typeNotSupported'],
  MergeBlockImportImpossible: ['missingField', 'unexpectedField', 'malformedBlock'],
  ParisBlockImportImpossible: ['missingField', 'unexpectedField', 'malformedBlock'],
  ShanghaiBlockImportImpossible: ['missingField', 'unexpectedField', 'malformedBlock'],
  INPUT_UNMARSHAL_ERROR: ['malformedBlock'],
  INPUT_UNMARSHAL_ADDRESS_ERROR: ['malformedBlock'],
  BLOCKHEADER_VALUE_TOOLARGE: ['malformedBlock'],
  TRANSACTION_VALUE_TOOLARGE: [MALFORMED_TRANSACTION],
  TRANSACTION_VALUE_TOOSHORT: [MALFORMED_TRANSACTION],
  OVERSIZE_RLP: MALFORMED,
}

/** Prefixes of names that all stand for invalid bytes. */
const FAMILIES: readonly (readonly [begins: RegExp, reasons: readonly Reason[]])[] = [
  [/^TransactionException\.RLP_/, [MALFORMED_TRANSACTION, 'malformedBlock block', 'brokenStream']],
  [/^RLP_/, MALFORMED],
  [/^(1559LeadingZeros|1559BaseFeeTooLarge|2930AccessList)/, [MALFORMED_TRANSACTION]],
]

/**
 * retesteth, which filled ethereum/tests and ethereum/legacytests, made headers without the transactions that it refused:
 * so the transactions root of the header is wrong, too, and is found first.
 */
const HEADER_WITHOUT_REFUSED: Reason = 'differs transactionsRoot'

/** Whether `exception` is the reason of the failed import, in the test of this name. */
export function isReason(exception: string, refused: ImportFailed, test: string): boolean {
  const place = reasonOf(refused)
  return reasonsFor(exception, test).some((one) => one === refused.reason || one === place)
}

function reasonsFor(exception: string, test: string): readonly Reason[] {
  const [kind, name] = exception.split('Exception.')
  const isTransaction = kind === 'Transaction' || /^(TR_|IntrinsicGas|SenderNotEOA)/.test(exception)
  const table = kind === 'Transaction' ? TRANSACTION : kind === 'Block' ? BLOCK : LEGACY
  const key = name ?? exception
  const named = Object.hasOwn(table, key) ? table[key] : undefined
  const own = named ?? FAMILIES.find(([begins]) => begins.test(exception))?.[1] ?? []
  return isTransaction && isOfRetesteth(test) ? [...own, HEADER_WITHOUT_REFUSED] : own
}

/** Their folders: `bcStateTests/…`, `InvalidBlocks/bcUncleTest/…`. */
function isOfRetesteth(test: string): boolean {
  return /^(\w+\/)?bc[A-Z0-9]\w+\//.test(test)
}

/** The reason of the failed import and the field, without the index of a transaction; faults of ommers count as faults of the block. */
export function reasonOf({ reason, field }: ImportFailed): string {
  if (field === undefined) return reason
  return `${reason} ${field.replace(/^ommers\[\d+\]\./, '').replace(/\[\d+\]/, '[]')}`
}
