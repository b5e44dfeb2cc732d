/**
 * The description of each method, by topic, under its first name with the names of its parameters. Their types, and which
 * are optional, follow from the parsers of the method. A parameter is named after its type, or has the type behind a colon:
 * `name: type`. A type given here, but not in the table of types, is more specific than the parser.
 */

/** Methods by topic: `name(parameters)`, and what the method does or returns. */
export type Topics = Readonly<Record<string, Readonly<Record<string, string>>>>

const MINE_OPTIONS = 'options: timestamp or {timestamp?, blocks?}'
const OWNERS = 'addresses: address or [address, …]'

export const TOPICS: Topics = {
  'State of accounts': {
    'eth_getBalance(address, block)': 'Returns the balance in wei',
    'eth_getCode(address, block)':
      'Returns the code; for an account that delegates (EIP-7702), its delegation designator',
    'eth_getTransactionCount(address, block)': 'Returns the nonce; on `pending`, the next nonce to use',
    'eth_getStorageAt(address, slot, block)': 'Returns a word of storage',
    'eth_getStorageValues(slots by address, block)': 'Returns words of storage of several accounts',
    'eth_getProof(address, slots, block)':
      'Returns the account and storage slots with Merkle proofs (EIP-1186)',
    'eth_getAccount(address, block)': 'Returns balance, nonce, code hash and storage root',
    'eth_getAccountInfo(address, block)': 'Returns balance, nonce and code',
    'debug_codeByHash(hash, block)': 'Returns the code with this hash',
    'debug_storageRangeAt(hash, index: number, address, start: start of a hash, limit: number)':
      'Returns storage slots in the order of their hashed keys, in the state before a transaction of a block',
  },
  Simulations: {
    'eth_call(call, block, state overrides, block overrides)': 'Runs a call and returns its return data',
    'eth_estimateGas(call, block, state overrides, block overrides)':
      'Returns the lowest gas limit with which a call succeeds',
    'eth_simulateV1(simulation, block)':
      'Runs blocks of calls, each on the state of the previous one, and returns the blocks with their results',
    'eth_createAccessList(call, block, state overrides, block overrides)':
      'Returns the addresses and storage slots that a call accesses (EIP-2930)',
  },
  Blocks: {
    'eth_blockNumber()': 'Returns the number of the newest sealed block',
    'eth_getBlockByNumber(block number, full: boolean)':
      'Returns a block with its transactions, or with their hashes',
    'eth_getBlockByHash(hash, full: boolean)': 'Returns a block by its hash',
    'eth_getHeaderByNumber(block number)': 'Returns the header of a block',
    'eth_getHeaderByHash(hash)': 'Returns the header of a block by its hash',
    'eth_getBlockReceipts(block)': 'Returns the receipts of all transactions of a block',
    'eth_getBlockTransactionCountByNumber(block number)': 'Returns the number of transactions of a block',
    'eth_getBlockTransactionCountByHash(hash)': 'Returns the number of transactions of a block by its hash',
    'eth_getUncleCountByBlockNumber(block number)':
      'Returns the number of uncles of a block; only imported blocks have uncles',
    'eth_getUncleCountByBlockHash(hash)': 'Returns the number of uncles of a block by its hash',
    'eth_getUncleByBlockNumberAndIndex(block number, index: quantity)': 'Returns an uncle of a block',
    'eth_getUncleByBlockHashAndIndex(hash, index: quantity)':
      'Returns an uncle of a block by the hash of the block',
    'eth_getBlockAccessList(block)':
      'Fails for every existing block: block access lists begin with Amsterdam (EIP-7928)',
    'debug_getRawBlock(block)': 'Returns the RLP of a block',
    'debug_getRawHeader(block)': 'Returns the RLP of the header of a block',
    'debug_getRawReceipts(block)': 'Returns the encoded receipts of a block',
    'debug_getRawBlockAccessList(block)': 'Fails like `eth_getBlockAccessList`',
    'debug_getBadBlocks()': 'Returns an empty list: no blocks come from a network',
    'testing_buildBlockV1(parent: hash, payload attributes, transactions: [bytes, …] or null, extra data: bytes)':
      'Returns the payload of a new block on any parent, without adding it to the chain; `null` takes the executable transactions of the pool',
  },
  Transactions: {
    'eth_sendRawTransaction(bytes)':
      'Sends a signed transaction; a blob transaction must include its sidecar',
    'eth_sendRawTransactionSync(bytes, timeout: 0 to 6000 ms)':
      'Sends a signed transaction and returns its receipt as soon as `eth_getTransactionReceipt` has it (EIP-7966)',
    'base_transactionStatus(hash)':
      'Returns whether a transaction waits to be sealed: `Known` or `Unknown`, as on Base’s nodes',
    'eth_sendTransaction(transaction)':
      'Sends a transaction from an unlocked or impersonated account; missing fields are filled in',
    'eth_sendTransactionSync(transaction, timeout: 0 to 6000 ms)':
      'Sends a transaction like `eth_sendTransaction` and returns its receipt',
    'eth_sendUnsignedTransaction(transaction)': 'Sends a transaction from any account without a signature',
    'eth_fillTransaction(transaction)':
      'Returns a transaction with its missing fields filled in, without sending it',
    'eth_signTransaction(transaction)': 'Returns a signed transaction without sending it',
    'eth_getTransactionByHash(hash)': 'Returns a waiting, pre-confirmed or sealed transaction',
    'eth_getTransactionByBlockNumberAndIndex(block number, index: quantity)':
      'Returns a transaction by its index in a block',
    'eth_getTransactionByBlockHashAndIndex(hash, index: quantity)':
      'Returns a transaction by the hash of its block and its index there',
    'eth_getTransactionBySenderAndNonce(address, nonce: quantity)':
      'Returns a transaction by its sender and nonce',
    'eth_getTransactionReceipt(hash)':
      'Returns the receipt: once the block is sealed, or once the transaction is pre-confirmed (option `receipts`)',
    'eth_getRawTransactionByHash(hash)': 'Returns the encoded transaction',
    'eth_getRawTransactionByBlockNumberAndIndex(block number, index: quantity)':
      'Returns the encoded transaction by its index in a block',
    'eth_getRawTransactionByBlockHashAndIndex(hash, index: quantity)':
      'Returns the encoded transaction by the hash of its block and its index there',
    'debug_getRawTransaction(hash)': 'Returns the encoded transaction',
  },
  'Waiting transactions': {
    'eth_pendingTransactions()': 'Returns all waiting transactions',
    'txpool_status()':
      'Returns the number of executable transactions and of those that wait for an earlier nonce',
    'txpool_content()': 'Returns all waiting transactions by sender and nonce',
    'txpool_contentFrom(address)': 'Returns the waiting transactions of one sender by nonce',
    'txpool_inspect()': 'Returns one line of text for each waiting transaction',
  },
  Logs: {
    'eth_getLogs(filter)':
      'Returns the logs of a range of blocks, which may include the pre-confirmed one, or of one block',
    'eth_newFilter(filter)': 'Creates a filter for logs and returns its id',
    'eth_newBlockFilter()': 'Creates a filter for the hashes of sealed blocks and returns its id',
    'eth_newPendingTransactionFilter()':
      'Creates a filter for the hashes of accepted transactions and returns its id',
    'eth_getFilterChanges(id: quantity)': 'Returns the new results of a filter since the last request',
    'eth_getFilterLogs(id: quantity)': 'Returns all logs in the range of a filter',
    'eth_uninstallFilter(id: quantity)': 'Removes a filter',
  },
  'Subscriptions, over WebSocket and in process': {
    'eth_subscribe(kind: text, extra: filter or boolean)':
      'Subscribes to `newHeads`, `logs`, `newPendingTransactions`, `syncing`, `pendingLogs`, `newFlashblocks`, ' +
      '`newFlashblockTransactions` or `presealEvents`: see [pre-confirmation](pre-confirmation.md#subscriptions)',
    'eth_unsubscribe(id: quantity)': 'Ends a subscription',
  },
  Fees: {
    'eth_gasPrice()': 'Returns a price in wei per gas that is sufficient for the next block',
    'eth_baseFee()': 'Returns the base fee of the open block, or of the next block',
    'eth_maxPriorityFeePerGas()': 'Returns a sufficient tip in wei per gas',
    'eth_blobBaseFee()': 'Returns the price in wei per blob gas of the newest sealed block',
    'eth_feeHistory(blocks: quantity, newest: block number, percentiles)':
      'Returns base fees, gas used ratios, and paid tips of a range of blocks',
  },
  Traces: {
    'debug_traceTransaction(hash, trace options)':
      'Returns a trace of a transaction; the tracer `soliditySource` returns the run step by step in its Solidity sources',
    'debug_traceCall(call, block, trace options)':
      'Returns a trace of a call; the options may have state and block overrides',
    'debug_traceBlockByNumber(block number, trace options)': 'Returns traces of all transactions of a block',
    'debug_traceBlockByHash(hash, trace options)':
      'Returns traces of all transactions of a block by its hash',
    'trace_transaction(hash)': 'Returns the calls of a transaction as a list, in Parity’s format',
    'trace_block(block)': 'Returns the calls of all transactions of a block, in Parity’s format',
    'trace_filter(filter: {fromBlock?, toBlock?, fromAddress?, toAddress?, mode?, after?, count?})':
      'Returns the calls in a range of blocks from or to some addresses, in Parity’s format',
    'trace_get(hash, index: [quantity])':
      'Returns one of the calls of a transaction, by its index in the list of `trace_transaction`',
    'trace_call(call, kinds, block, state overrides, block overrides)':
      'Runs a call and returns its return data, its inner calls and its state changes, in Parity’s format',
    'trace_callMany(calls: [[call, kinds], …], block)':
      'Runs several calls, one after the other, and returns what `trace_call` returns for each',
    'trace_rawTransaction(bytes, kinds, block)':
      'Runs a signed transaction without sending it, and returns what `trace_call` returns',
    'trace_replayTransaction(hash, kinds)': 'Returns for a transaction of a block what `trace_call` returns',
    'trace_replayBlockTransactions(block, kinds)':
      'Returns for all transactions of a block what `trace_call` returns',
  },
  'For Otterscan': {
    'ots_getApiLevel()': 'Returns the version of these methods, 8',
    'erigon_getHeaderByNumber(block: block number)': 'Returns a block with the hashes of its transactions',
    'ots_hasCode(address, block)': 'Returns whether the account has code',
    'ots_getBlockDetails(block: block number)':
      'Returns a block without its transactions, and the total of its fees',
    'ots_getBlockDetailsByHash(hash)':
      'Returns a block without its transactions, and the total of its fees, by its hash',
    'ots_getBlockTransactions(block: block number, page: amount, size: amount)':
      'Returns a page of the transactions of a block, with their receipts',
    'ots_getTransactionError(hash)': 'Returns the revert data of a transaction',
    'ots_getTransactionBySenderAndNonce(address, nonce: amount)':
      'Returns the hash of a transaction by its sender and nonce',
    'ots_getInternalOperations(hash)':
      'Returns the transfers, creations and self-destructs inside a transaction',
    'ots_traceTransaction(hash)': 'Returns the calls of a transaction',
    'ots_getContractCreator(address)':
      'Returns the creator of a contract and the transaction that created it',
    'ots_searchTransactionsBefore(address, block: amount, size: amount)':
      'Returns a page of the transactions that involve an address, backwards from a block',
    'ots_searchTransactionsAfter(address, block: amount, size: amount)':
      'Returns a page of the transactions that involve an address, forwards from a block',
  },
  'Accounts and signatures': {
    'eth_accounts()':
      'Returns the accounts that can send without a signature: unlocked and impersonated ones',
    'eth_sign(address, message: bytes or text)': 'Returns the signature of a message (EIP-191)',
    'personal_sign(message: bytes or text, address, password: any)':
      'Returns the signature of a message (EIP-191)',
    'eth_signTypedData_v4(address, typed data)': 'Returns the signature of typed data (EIP-712)',
    'wallet_getPermissions()': 'Returns the permission to read all accounts (EIP-2255)',
    'wallet_requestPermissions(permissions: {eth_accounts})':
      'Returns the permission to read all accounts (EIP-2255)',
    'wallet_switchEthereumChain(chain: {chainId})':
      'Returns `null` for this chain, error 4902 for any other (EIP-3326)',
    'wallet_addEthereumChain(chain: {chainId, …})':
      'Returns `null` for this chain, error 4902 for any other (EIP-3085)',
    'wallet_getCapabilities(address, chain ids: [quantity, …])':
      'Returns that calls cannot be sent as an atomic batch (EIP-5792)',
    'personal_listAccounts()': 'Returns the accounts whose keys the devnet has',
  },
  Network: {
    'eth_chainId()': 'Returns the chain id',
    'net_version()': 'Returns the chain id as decimal text',
    'eth_capabilities()': 'Returns the newest block, and the oldest blocks with each kind of data',
    'eth_config()':
      'Returns the current, the next and the last hardfork, with blob parameters and precompiles (EIP-7910)',
    'eth_protocolVersion()': 'Returns the version of the Ethereum wire protocol',
    'eth_syncing()': 'Returns `false`',
    'eth_coinbase()': 'Returns the recipient of the tips of future blocks',
    'eth_mining()': 'Returns whether each transaction gets a block at once',
    'eth_hashrate()': 'Returns zero',
    'net_listening()': 'Returns `true`',
    'net_peerCount()': 'Returns zero',
    'web3_clientVersion()': 'Returns the name and version of the client',
    'web3_sha3(bytes)': 'Returns the keccak-256 hash',
    'rpc_modules()': 'Returns the supported namespaces',
  },
  'Cheats: accounts': {
    [`anvil_setBalance(${OWNERS}, balance: amount)`]: 'Sets the balance in wei',
    [`anvil_addBalance(${OWNERS}, wei: amount)`]: 'Adds wei to the balance',
    'anvil_setNonce(address, nonce: amount)': 'Sets the nonce',
    'anvil_setCode(address, code: bytes)': 'Sets the code',
    'anvil_setStorageAt(address, slot: amount, value: word)': 'Sets a word of storage',
    'anvil_dealERC20(address, token: address, balance: amount)':
      'Sets the balance of a token, wherever the token stores it; also as one object `{erc20, account, amount}`',
    [`tenderly_setErc20Balance(token: address, ${OWNERS}, balance: amount)`]:
      'Sets the balance of a token for one or more accounts',
    'anvil_setERC20Allowance(owner: address, spender: address, token: address, allowance: amount)':
      'Sets the allowance of a spender, wherever the token stores it',
    'anvil_deal(deal: {account, amount, erc20?})': 'Adds wei, or sets the balance of a token',
    'anvil_impersonateAccount(address)': 'Lets an account send without its key',
    'anvil_stopImpersonatingAccount(address)': 'Ends the impersonation of an account',
    'anvil_autoImpersonateAccount(on: boolean)': 'Sets whether all accounts can send without their keys',
  },
  'Cheats: blocks': {
    'anvil_mine(blocks: amount, seconds: amount)':
      'Mines blocks with the given number of seconds between them; waiting transactions are included in the first',
    [`evm_mine(${MINE_OPTIONS})`]: 'Mines blocks and returns `0x0`',
    [`evm_mine_detailed(${MINE_OPTIONS})`]: 'Mines blocks and returns them',
    'anvil_setAutomine(on: boolean)': 'Sets whether each transaction gets a block at once',
    'anvil_getAutomine()': 'Returns whether each transaction gets a block at once',
    'anvil_setIntervalMining(seconds: amount)':
      'Sets the seconds between the blocks that time makes; 0: time makes no blocks',
    'evm_setIntervalMining(interval: amount or [least, most])':
      'Sets the interval between the blocks that time makes: in seconds below 1,000, in milliseconds from 1,000 on',
    'anvil_getIntervalMining()': 'Returns the seconds between the blocks that time makes',
    'miner_start(threads: amount)': 'Gives each transaction a block at once',
    'miner_stop()': 'Stops all block production except by commands',
    'anvil_setNextBlockBaseFeePerGas(wei: amount)': 'Sets the base fee of the next block',
    'anvil_setPrevRandao(word)': 'Sets the `prevRandao` of the next block',
    'evm_setBlockGasLimit(gas: amount)': 'Sets the gas limit of future blocks',
    'anvil_setCoinbase(address)': 'Sets the recipient of the tips of future blocks',
    'miner_setExtra(bytes)': 'Sets the extra data of future blocks, up to 32 bytes',
    'anvil_setChainId(chain id: amount)': 'Sets the chain id for transactions and calls from now on',
    'anvil_setMinGasPrice(wei: amount)': 'Fails: there is no minimum gas price under EIP-1559',
  },
  'Cheats: time': {
    'evm_increaseTime(seconds: amount)': 'Moves time forward and returns the total offset in seconds',
    'evm_setTime(time: amount)': 'Sets the time, in seconds or milliseconds',
    'evm_setNextBlockTimestamp(seconds: amount)': 'Sets the timestamp of the next block',
    'anvil_setBlockTimestampInterval(seconds: amount)':
      'Sets a fixed number of seconds between block timestamps',
    'hardhat_setBlockTimestampInterval(milliseconds: amount)':
      'Sets a fixed interval between block timestamps, in milliseconds, as viem’s client in the mode `hardhat` sends it',
    'anvil_removeBlockTimestampInterval()': 'Removes the fixed interval; returns whether there was one',
  },
  'Cheats: waiting transactions': {
    'anvil_dropTransaction(hash)': 'Removes a waiting transaction and returns its hash',
    'hardhat_dropTransaction(hash)': 'Removes a waiting transaction; returns whether there was one',
    'anvil_dropAllTransactions()': 'Removes all waiting transactions',
    'anvil_removePoolTransactions(address)': 'Removes all waiting transactions of a sender',
  },
  'Cheats: going back': {
    'anvil_rollback(depth: amount)': 'Removes the newest blocks and their transactions',
    'anvil_reorg(depth: amount, pairs: [[transaction, block], …])':
      'Replaces the newest blocks by the same number of new blocks, with the given transactions',
    'evm_snapshot()': 'Takes a snapshot and returns its id',
    'evm_revert(id: amount)': 'Restores a snapshot; each snapshot can be restored once',
    'anvil_dumpState(historical states: boolean)': 'Returns the whole chain as a state file',
    'anvil_loadState(bytes)': 'Replaces the chain by the chain in a state file of preseal or anvil',
    'anvil_reset(options: {forking?})': 'Returns to the first block, or forks a network',
    'anvil_setRpcUrl(url: text)': 'Replaces the node of the forked network; fetched data stays',
  },
  'Cheats: the node': {
    'anvil_nodeInfo()': 'Returns the current block and the settings',
    'anvil_metadata()': 'Returns the client, the current block and the snapshots',
    'anvil_getGenesisTime()': 'Returns the timestamp of block 0 in seconds',
    'anvil_setLoggingEnabled(on: boolean)': 'Does nothing: requests are not logged',
  },
  'Contracts and their sources': {
    'preseal_getContract(address, block)':
      'Returns what preseal knows about the code at an address: name, ABI, compiler, source, proxy or diamond; `null` if the code is unknown',
    'preseal_getSources(address, block)':
      'Returns the source files from which the code at an address was compiled: `{path, sourceName, isOwn}` of each',
    'preseal_getSource(address, path: text, block)':
      'Returns the text of a source file: `{path, text, isCut}`, at most 1,000,000 characters',
    'preseal_getStorage(address, block, page: {limit?, after?})':
      'Returns the storage of an account by slot, with the names of variables if artifacts have them: `{contract, entries: [{slot, word, variables}], keyed: [{name, type}], next, isPartial}`',
    'preseal_getVariable(address, name: text, block)':
      'Returns a variable of storage by its name, such as `balances[0x…]` or `items[3].note`: `{contract, name, type, entries: [{slot, word, variables}], isCut}`',
    'preseal_getCreation(code: data)':
      'Returns the contract that creation code creates, the offset of its arguments, and its constructor: `{name, path, codeSize, constructor}`; `null` if no artifact has the code',
    'preseal_listContracts(block, page: {limit?, after?})':
      'Returns the accounts with code and their names: `{contracts: [{address, name, codeSize, proxy}], next}`; `next` is `after` of the next page',
  },
  'The history of an account': {
    'preseal_getAccountHistory(address, part: {limit?, before?})':
      'Returns the slices and blocks that changed the balance, nonce, code or storage of an account, newest first: `{changes, next}`; `next` is `before` of the next part',
  },
  'Pre-confirmation and faults': {
    'preseal_getSlices(block, part: {limit?, after?, show?})':
      'Returns the slices of a block: the new transactions of each, and the block after it; with `show: "counts"`, only counts: `{index, transactionCount, logCount, gasUsed, block: {number, hash, timestamp, transactionCount, gasUsed, gasLimit, baseFeePerGas}}`',
    'preseal_listBlocks(page: {limit?, after?, offset?, empty?})':
      'Returns summaries of sealed blocks, newest first: `{latest, first, total, blocks: [{number, hash, timestamp, transactionCount, slices, gasUsed, gasLimit, baseFeePerGas, removed?}], next}`; the list begins with the newest block, or with the block before the number `after`; `offset` skips the newest; with `empty: "joined"`, consecutive empty blocks are one entry: the newest of them, with their number as `emptyBlocks` and the timestamp of the oldest as `emptySince`; `total` counts the entries of the whole list; `removed` has the blocks in the place of an entry that a reorg removed',
    'preseal_findByPrefix(start: text, end: text)':
      'Returns what begins with the hex digits `start` (and ends with `end`): `{transactions, blocks: [{hash, number}], addresses}`, at most ten of each; addresses are those of accounts in the pending state',
    'preseal_getBlockSummary(block)':
      'Returns a block of any size without its transactions: its header (without roots if the block is open), `{…, size, transactionCount, logCount, fees: {burnt, tips}, blobs: [{versionedHash, transactionHash}], uncles, withdrawals, removed}`; `null` for an unknown block, and for a block of a forked network',
    'preseal_listTransactions(block, part: {limit?, after?, order?, address?})':
      'Returns summaries of the transactions of a block: `{blockNumber, total, transactions: [{index, hash, from, to, value, input, status, gasUsed, logCount, contractAddress}], next}`; `next` is `after` of the next part, `order: "newest"` begins with the last, `address` keeps only transactions that involve it; `input` of more than 1,024 bytes is cut to its selector',
    'preseal_searchTransactions(search: {state?, address?, selector?, topic?, deposits?, limit?, offset?})':
      'Returns transactions of the whole chain, newest first, and the number of all that fit: `{total, transactions: [{hash, from, to, value, input, state, blockNumber, timestamp, gasUsed, contractAddress, reason, since}]}`; `state` is `waiting`, `preconfirmed`, `sealed`, `failed`, `dropped` or `reorged` (by default all in blocks), `address` sent or received it, was created by it or emitted a log in it, `selector` is that of its function, `topic` the first topic of one of its logs; `deposits: "omitted"` leaves out the deposits of an L2; `offset` skips the newest',
    'preseal_listLogs(block, page: {limit?, after?})':
      'Returns logs of a block in their order: `{total, logs, next}`; `next` is `after` of the next page',
    'preseal_getTimeline(hash)': 'Returns the history of a transaction, step by step',
    'preseal_explain(hash, isLocated)':
      'Returns the reason why a transaction is not included or failed, with its Solidity stack trace; without a hash, the contents of `pending`',
    'preseal_getRhythm()':
      'Returns the rhythm (`interval`, `manual` or `instant`), its milliseconds, the time, and the open block',
    'preseal_setRhythm(change: {rhythm?, blockMs?, tickMs?})':
      'Changes the rhythm, or the time between blocks or ticks',
    'preseal_tick()': 'Makes one tick now, which adds the next slice, and returns the open block',
    'preseal_seal()': 'Seals the open block now, and returns its number and hash',
    'preseal_addFault(fault: {kind, …, when?})': 'Plans a fault and returns its id',
    'preseal_removeFault(id: amount)': 'Removes a fault',
    'preseal_clearFaults()': 'Removes all faults',
    'preseal_listFaults()': 'Returns the planned faults',
    'preseal_reorg(reorg: {depth?, transactions?, blocks?})': 'Replaces the newest blocks by new ones',
    'preseal_cutWebSockets(code: close code)': 'Closes all WebSocket connections',
  },
}

/** Why methods of the peers are missing, by the prefix of their names. */
export const ABSENT: Readonly<Record<string, string>> = {
  personal_:
    'accounts have no passwords: all accounts whose key the devnet has are unlocked, and `anvil_impersonateAccount` unlocks other accounts',
  evm_addAccount: 'use `anvil_impersonateAccount`',
  evm_removeAccount: 'use `anvil_stopImpersonatingAccount`',
  anvil_getBlobByHash: 'blobs are verified and not kept',
  anvil_getBlobsByTransactionHash: 'blobs are verified and not kept',
  anvil_impersonateSignature: 'the results of `ecrecover` are not changed',
  anvil_setFee: 'only for another chain (Tempo)',
  anvil_setValidatorFeeToken: 'only for another chain (Tempo)',
  bzz_: 'Swarm, which Ethereum’s nodes no longer support',
  db_: 'a database for clients, which nodes no longer have',
  debug_dbGet: 'there is no key-value database',
  engine_: 'for the consensus client of a node; a devnet has none',
  eth_getCompilers: 'nodes no longer compile contracts',
  eth_getWork: 'there is no proof of work',
  eth_submit: 'there is no proof of work',
  miner_setGasPrice: 'there is no minimum gas price',
  shh_: 'Whisper, which nodes no longer support',
}
