/**
 * The exceptions of the tests, with their reasons here: a refusal counts only if it has one of these reasons.
 *
 * Names in capitals, which follow `TransactionException.` or `BlockException.`, are those of ethereum/execution-spec-tests
 * (`src/ethereum_test_exceptions`). The others are older names of retesteth and aleth, in ethereum/tests and
 * ethereum/legacytests.
 */
import type { ImportFailed, ImportFailure } from '../../src/index.ts'

/** A reason of a failed import, with the wrong field if the reason alone is ambiguous. */
type Reason = ImportFailure | `${ImportFailure} ${string}`

/** Bytes that do not encode a transaction: the reader of blocks names the broken rule in words only. */
const MALFORMED_TRANSACTION = 'malformedBlock transactions[]'
const MALFORMED = ['malformedBlock', 'brokenStream'] as const

/** The names of exceptions, and the reasons that they stand for. */
const REASONS: readonly (readonly [names: string, ...reasons: Reason[]])[] = [
  ['TYPE_NOT_SUPPORTED TYPE_3_TX_ZERO_BLOBS_PRE_FORK', 'typeNotSupported', MALFORMED_TRANSACTION],
  ['TR_TypeNotSupported TR_TypeNotSupportedBlob', 'typeNotSupported', MALFORMED_TRANSACTION],
  ['SENDER_NOT_EOA SenderNotEOA', 'senderIsContract'],
  ['NONCE_MISMATCH_TOO_HIGH TR_NonceTooHigh', 'nonceTooHighForNow'],
  ['NONCE_MISMATCH_TOO_LOW TR_NonceTooLow', 'nonceTooLow'],
  ['NONCE_TOO_BIG NONCE_IS_MAX TR_NonceHasMaxValue', 'nonceTooHigh'],
  ['NONCE_OVERFLOW GASLIMIT_OVERFLOW VALUE_OVERFLOW GASPRICE_OVERFLOW', MALFORMED_TRANSACTION],
  ['PRIORITY_OVERFLOW EC_RECOVERY_FAIL TYPE_3_TX_WITH_FULL_BLOBS', MALFORMED_TRANSACTION],
  ['TYPE_3_TX_CONTRACT_CREATION TYPE_3_TX_ZERO_BLOBS', MALFORMED_TRANSACTION],
  ['TYPE_4_EMPTY_AUTHORIZATION_LIST TYPE_4_INVALID_AUTHORITY_SIGNATURE', MALFORMED_TRANSACTION],
  ['TYPE_4_INVALID_AUTHORITY_SIGNATURE_S_TOO_HIGH', MALFORMED_TRANSACTION],
  ['TYPE_4_INVALID_AUTHORIZATION_FORMAT TYPE_4_TX_CONTRACT_CREATION', MALFORMED_TRANSACTION],
  ['ADDRESS_TOO_SHORT ADDRESS_TOO_LONG TR_TooShort TR_RLP_WRONGVALUE', MALFORMED_TRANSACTION],
  ['TR_BlobDecodeError TR_EMPTYBLOB TR_BLOBCREATE TRANSACTION_VALUE_TOOLARGE', MALFORMED_TRANSACTION],
  ['TRANSACTION_VALUE_TOOSHORT', MALFORMED_TRANSACTION],
  // Products of gas and price do not overflow here: the cost exceeds the funds of every account.
  ['GASLIMIT_PRICE_PRODUCT_OVERFLOW INSUFFICIENT_ACCOUNT_FUNDS TR_NoFunds', 'insufficientFunds'],
  ['TR_NoFundsX TR_NoFundsValue', 'insufficientFunds'],
  ['INVALID_SIGNATURE_VRS InvalidTransactionVRS', MALFORMED_TRANSACTION, 'highS', 'chainIdNotSupported'],
  ['INVALID_CHAINID', 'invalidChainId', 'chainIdNotSupported'],
  ['INSUFFICIENT_MAX_FEE_PER_GAS TR_FeeCapLessThanBlocks', 'feeBelowBaseFee'],
  ['PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS_2', 'tipAboveFee'],
  ['TR_TipGtFeeCap 1559PriorityFeeGreaterThanBaseFee', 'tipAboveFee'],
  ['INSUFFICIENT_MAX_FEE_PER_BLOB_GAS', 'blobFeeTooLow'],
  ['INTRINSIC_GAS_TOO_LOW INTRINSIC_GAS_BELOW_FLOOR_GAS_COST TR_IntrinsicGas', 'intrinsicGasTooLow'],
  ['IntrinsicGas', 'intrinsicGasTooLow'],
  ['INITCODE_SIZE_EXCEEDED TR_InitCodeLimitExceeded', 'initCodeTooLarge'],
  ['GAS_ALLOWANCE_EXCEEDED TR_GasLimitReached', 'exceedsBlockGasLimit'],
  ['GAS_LIMIT_EXCEEDS_MAXIMUM', 'gasLimitTooHigh'],
  ['TYPE_1_TX_PRE_FORK TYPE_2_TX_PRE_FORK TYPE_3_TX_PRE_FORK TYPE_4_TX_PRE_FORK', 'typeNotSupported'],
  ['LegacyBlockBaseFeeTransaction', 'typeNotSupported'],
  ['TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH TR_BLOBVERSION_INVALID', 'versionedHash'],
  ['TYPE_3_TX_BLOB_COUNT_EXCEEDED TR_BLOBLIST_OVERSIZE', 'tooManyBlobs', 'blobGasAboveLimit'],
  ['TYPE_3_TX_MAX_BLOB_GAS_ALLOWANCE_EXCEEDED', 'blobGasAboveLimit', 'tooManyBlobs'],
  ['TOO_MANY_UNCLES TooManyUncles', 'tooManyOmmers'],
  ['UNCLE_IN_CHAIN UncleInChain', 'ommerIsKnown', 'ommerIsAncestor'],
  ['UNCLE_IS_ANCESTOR UncleIsAncestor', 'ommerIsAncestor'],
  ['UNCLE_IS_BROTHER UncleIsBrother', 'ommerIsSibling', 'ommerIsKnown'],
  ['UNCLE_PARENT_INCORRECT', 'ommerParentUnknown', 'ommerIsSibling', 'differs number'],
  ['UncleParentIsNotAncestor', 'ommerParentUnknown', 'ommerIsSibling', 'differs number'],
  ['UNCLE_UNKNOWN_PARENT InvalidUncleParentHash', 'ommerParentUnknown', 'ommerIsAncestor'],
  ['UncleParentNotInChain', 'ommerParentUnknown', 'ommerIsAncestor'],
  ['EXTRA_DATA_TOO_BIG ExtraDataTooBig', 'malformedBlock header.extraData', 'malformedBlock extraData'],
  ['EXTRA_DATA_INVALID_DAO ExtraDataIncorrect ExtraDataIncorrectDAO', 'daoExtraData'],
  ['UNKNOWN_PARENT UNKNOWN_PARENT_ZERO UnknownParent UnknownParent2', 'differs parentHash'],
  ['GASLIMIT_TOO_BIG', 'gasLimitAboveInt63', 'malformedBlock header.gasLimit'],
  ['INVALID_BLOCK_NUMBER InvalidNumber', 'differs number', 'otherBlock'],
  ['INVALID_BLOCK_TIMESTAMP_OLDER_THAN_PARENT', 'timestampBeforeParent', 'timestampOfParent'],
  ['InvalidTimestamp InvalidTimestampOlderParent', 'timestampBeforeParent', 'timestampOfParent'],
  ['INVALID_DIFFICULTY InvalidDifficulty InvalidDifficulty2', 'differs difficulty', 'unminedBeforeMerge'],
  ['INVALID_LOG_BLOOM InvalidLogBloom', 'differs logsBloom'],
  ['INVALID_STATE_ROOT InvalidStateRoot', 'differs stateRoot'],
  ['INVALID_RECEIPTS_ROOT InvalidReceiptsStateRoot', 'differs receiptsRoot'],
  ['INVALID_TRANSACTIONS_ROOT InvalidTransactionsRoot', 'differs transactionsRoot'],
  ['INVALID_UNCLES_HASH IMPORT_IMPOSSIBLE_UNCLES_OVER_PARIS InvalidUnclesHash', 'differs ommersHash'],
  ['PostParisUncleHashIsNotEmpty', 'differs ommersHash'],
  ['GAS_USED_OVERFLOW', 'gasUsedAboveLimit', 'exceedsBlockGasLimit'],
  ['INVALID_GASLIMIT InvalidGasLimit InvalidGasLimit2', 'gasLimitOutOfBounds', 'gasLimitAboveInt63'],
  ['InvalidGasLimit3', 'gasLimitOutOfBounds', 'gasLimitAboveInt63'],
  ['INVALID_BASEFEE_PER_GAS 1559BlockImportImpossible_BaseFeeWrong', 'differs baseFeePerGas'],
  ['1559BlockImportImpossible_InitialBaseFeeWrong', 'differs baseFeePerGas'],
  ['INVALID_GAS_USED', 'differs gasUsed'],
  ['INVALID_GAS_USED_ABOVE_LIMIT', 'gasUsedAboveLimit'],
  ['INVALID_WITHDRAWALS_ROOT InvalidWithdrawals', 'differs withdrawalsRoot'],
  ['INCORRECT_BLOCK_FORMAT', 'malformedBlock', 'missingField', 'unexpectedField'],
  ['BLOB_GAS_USED_ABOVE_LIMIT', 'blobGasAboveLimit'],
  ['INCORRECT_BLOB_GAS_USED', 'differs blobGasUsed', 'blobGasAboveLimit'],
  ['INCORRECT_EXCESS_BLOB_GAS', 'differs excessBlobGas'],
  ['RLP_STRUCTURES_ENCODING OVERSIZE_RLP', ...MALFORMED],
  ['RLP_WITHDRAWALS_NOT_READ', 'malformedBlock', 'differs withdrawalsRoot'],
  ['RLP_INVALID_FIELD_OVERFLOW_64 RLP_INVALID_ADDRESS INPUT_UNMARSHAL_ERROR', 'malformedBlock'],
  ['INPUT_UNMARSHAL_ADDRESS_ERROR BLOCKHEADER_VALUE_TOOLARGE', 'malformedBlock'],
  ['RLP_BLOCK_LIMIT_EXCEEDED', 'blockTooLarge'],
  ['INVALID_REQUESTS', 'differs requestsHash'],
  ['IMPORT_IMPOSSIBLE_LEGACY 1559BlockImportImpossible_HeaderIsLegacy', 'missingField', 'malformedBlock'],
  ['IMPORT_IMPOSSIBLE_LEGACY_WRONG_PARENT', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['IMPORT_IMPOSSIBLE_LONDON_WRONG_PARENT', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['IMPORT_IMPOSSIBLE_SHANGHAI', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['LegacyBlockImportImpossible', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['LegacyBlockImportImpossible2', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['MergeBlockImportImpossible', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['ParisBlockImportImpossible', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['ShanghaiBlockImportImpossible', 'missingField', 'unexpectedField', 'malformedBlock'],
  ['IMPORT_IMPOSSIBLE_PARIS_WRONG_POW 3675PoWBlockRejected', 'minedAfterMerge', 'differs difficulty'],
  ['IMPORT_IMPOSSIBLE_PARIS_WRONG_POS 3675PoSBlockRejected', 'unminedBeforeMerge'],
  ['IMPORT_IMPOSSIBLE_LONDON_OVER_PARIS', 'differs difficulty', 'minedAfterMerge'],
  ['IMPORT_IMPOSSIBLE_DIFFICULTY_OVER_PARIS', 'differs difficulty', 'minedAfterMerge'],
  ['PostParisDifficultyIsNot0', 'differs difficulty', 'minedAfterMerge'],
  ['IMPORT_IMPOSSIBLE_PARIS_OVER_SHANGHAI', 'missingField', 'unexpectedField'],
  ['SYSTEM_CONTRACT_EMPTY', 'systemContractMissing'],
  ['SYSTEM_CONTRACT_CALL_FAILED', 'systemCallFailed'],
  ['INVALID_DEPOSIT_EVENT_LAYOUT', 'depositLayout'],
  ['TR_NoFundsOrGas', 'insufficientFunds', 'intrinsicGasTooLow'],
  ['TR_FeeCapLessThanBlocksORNoFunds', 'feeBelowBaseFee', 'insufficientFunds'],
  ['TR_FeeCapLessThanBlocksORGasLimitReached', 'feeBelowBaseFee', 'exceedsBlockGasLimit'],
  ['SenderNotEOAorNoCASH', 'senderIsContract', 'insufficientFunds'],
  ['InvalidGasUsed InvalidGasUsed2', 'differs gasUsed', 'gasUsedAboveLimit'],
  // A gas limit of zero breaks both rules.
  ['TooMuchGasUsed', 'gasUsedAboveLimit', 'exceedsBlockGasLimit', 'gasLimitOutOfBounds'],
  ['InvalidTimestampEqualParent', 'timestampOfParent'],
  ['UncleTooOld', 'ommerParentUnknown'],
  [
    '3675PreParis1559BlockRejected',
    'differs difficulty',
    'differs nonce',
    'differs ommersHash',
    'minedAfterMerge',
  ],
  ['1559BlockImportImpossible_TargetGasLow 1559BlockImportImpossible_TargetGasHigh', 'gasLimitOutOfBounds'],
  ['1559BlockImportImpossible_InitialGasLimitInvalid', 'gasLimitOutOfBounds'],
]

const BY_NAME = new Map(
  REASONS.flatMap(([names, ...reasons]) => names.split(' ').map((name) => [name, reasons] as const)),
)

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
  const isTransaction = /^(TransactionException|TR_|IntrinsicGas|SenderNotEOA)/.test(exception)
  const named = BY_NAME.get(exception.replace(/^\w+Exception\./, ''))
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
