/**
 * What each method is for, by topic, under its first name and the names of its parameters; what they are read as, and
 * whether they may be left out, the method itself knows. A parameter is called after its type, or has that behind a colon:
 * `name: type`. A type that stands here and not in the table of types says more than the parser would.
 */

/** Methods by their topics: `name(parameters)` and what the method does or answers. */
export type Topics = Readonly<Record<string, Readonly<Record<string, string>>>>

const MINE_OPTIONS = 'options: timestamp or {timestamp?, blocks?}'
const OWNERS = 'addresses: address or [address, …]'

export const TOPICS: Topics = {
  'State of accounts': {
    'eth_getBalance(address, block)': 'wei',
    'eth_getCode(address, block)': 'code; of an account that delegates (EIP-7702) its designator',
    'eth_getTransactionCount(address, block)': 'nonce; on `pending` the one to use next',
    'eth_getStorageAt(address, slot, block)': 'a word of storage',
    'eth_getStorageValues(slots by address, block)': 'many words of storage, of many accounts',
    'eth_getProof(address, slots, block)': 'the account and its slots, with Merkle proofs (EIP-1186)',
    'eth_getAccount(address, block)': 'balance, nonce, code hash and storage root',
    'eth_getAccountInfo(address, block)': 'balance, nonce and code',
    'debug_codeByHash(hash, block)': 'the code with a hash',
    'debug_storageRangeAt(hash, index: number, address, start: start of a hash, limit: number)':
      'slots in the order of their hashed keys, as they were in the middle of a block',
  },
  Simulations: {
    'eth_call(call, block, state overrides, block overrides)': 'what a call returns',
    'eth_estimateGas(call, block, state overrides, block overrides)':
      'the least gas with which a call succeeds',
    'eth_simulateV1(simulation, block)': 'blocks of calls that build on each other',
    'eth_createAccessList(call, block, state overrides, block overrides)': 'what a call touches (EIP-2930)',
  },
  Blocks: {
    'eth_blockNumber()': 'number of the newest sealed block',
    'eth_getBlockByNumber(block number, full: boolean)': 'a block with transactions, or with their hashes',
    'eth_getBlockByHash(hash, full: boolean)': 'the same by its hash',
    'eth_getHeaderByNumber(block number)': 'its header alone',
    'eth_getHeaderByHash(hash)': 'the same by its hash',
    'eth_getBlockReceipts(block)': 'the receipts of all its transactions',
    'eth_getBlockTransactionCountByNumber(block number)': 'how many transactions are in it',
    'eth_getBlockTransactionCountByHash(hash)': 'the same by its hash',
    'eth_getUncleCountByBlockNumber(block number)': 'how many uncles it has: imported blocks alone have any',
    'eth_getUncleCountByBlockHash(hash)': 'the same by its hash',
    'eth_getUncleByBlockNumberAndIndex(block number, index: quantity)': 'one of its uncles',
    'eth_getUncleByBlockHashAndIndex(hash, index: quantity)': 'the same by the hash of the block',
    'eth_getBlockAccessList(block)':
      'refused for each block there is: access lists came with Amsterdam (EIP-7928)',
    'debug_getRawBlock(block)': 'its RLP',
    'debug_getRawHeader(block)': 'the RLP of its header',
    'debug_getRawReceipts(block)': 'its receipts as bytes',
    'debug_getRawBlockAccessList(block)': 'refused as eth_getBlockAccessList is',
    'debug_getBadBlocks()': 'nothing: no block comes from a network',
    'testing_buildBlockV1(parent: hash, payload attributes, transactions: [bytes, …] or null, extra data: bytes)':
      'the payload of a block on any parent, which stays off the chain; `null` takes what is ready in the pool',
  },
  Transactions: {
    'eth_sendRawTransaction(bytes)': 'sends a signed transaction; one with blobs comes with its sidecar',
    'eth_sendRawTransactionSync(bytes, timeout: 0 to 6000 ms)':
      'the same, and answers the receipt as soon as `eth_getTransactionReceipt` has it (EIP-7966)',
    'base_transactionStatus(hash)':
      'whether it waits to be sealed: `Known` or `Unknown`, as Base’s nodes tell',
    'eth_sendTransaction(transaction)':
      'sends one that is signed here, or impersonated; what is left out is filled in',
    'eth_sendTransactionSync(transaction, timeout: 0 to 6000 ms)': 'the same, and answers the receipt',
    'eth_sendUnsignedTransaction(transaction)': 'sends one without a signature, whoever its sender is',
    'eth_fillTransaction(transaction)': 'fills in what is left out, and sends nothing',
    'eth_signTransaction(transaction)': 'the signed bytes, not sent',
    'eth_getTransactionByHash(hash)': 'a transaction: waiting, pre-confirmed or sealed',
    'eth_getTransactionByBlockNumberAndIndex(block number, index: quantity)':
      'the same by where it stands in a block',
    'eth_getTransactionByBlockHashAndIndex(hash, index: quantity)': 'the same by the hash of the block',
    'eth_getTransactionBySenderAndNonce(address, nonce: quantity)': 'the same by who sent it',
    'eth_getTransactionReceipt(hash)':
      'its receipt: once its block is sealed, or as soon as it is pre-confirmed (option `receipts`)',
    'eth_getRawTransactionByHash(hash)': 'its bytes',
    'eth_getRawTransactionByBlockNumberAndIndex(block number, index: quantity)':
      'the same by where it stands in a block',
    'eth_getRawTransactionByBlockHashAndIndex(hash, index: quantity)': 'the same by the hash of the block',
    'debug_getRawTransaction(hash)': 'its bytes',
  },
  'Waiting transactions': {
    'eth_pendingTransactions()': 'all that wait',
    'txpool_status()': 'how many wait: those that could run, and those that wait for a nonce',
    'txpool_content()': 'the same in full, by sender and nonce',
    'txpool_contentFrom(address)': 'the same of one sender',
    'txpool_inspect()': 'the same, a line for each',
  },
  Logs: {
    'eth_getLogs(filter)': 'logs of a range of blocks, pre-confirmed ones too, or of one block',
    'eth_newFilter(filter)': 'begins to collect logs',
    'eth_newBlockFilter()': 'begins to collect the hashes of sealed blocks',
    'eth_newPendingTransactionFilter()': 'begins to collect the hashes of accepted transactions',
    'eth_getFilterChanges(id: quantity)': 'what was collected since it was last asked for',
    'eth_getFilterLogs(id: quantity)': 'all logs of its range',
    'eth_uninstallFilter(id: quantity)': 'ends a filter',
  },
  'Subscriptions, over WebSocket and in process': {
    'eth_subscribe(kind: text, extra: filter or boolean)':
      'tells from now on of `newHeads`, `logs`, `pendingLogs`, `newPendingTransactions` or `syncing`',
    'eth_unsubscribe(id: quantity)': 'ends a subscription',
  },
  Fees: {
    'eth_gasPrice()': 'wei per gas that gets a transaction into the next block',
    'eth_baseFee()': 'base fee of the block that is being made, or of the next',
    'eth_maxPriorityFeePerGas()': 'a tip that is enough',
    'eth_blobBaseFee()': 'wei per blob gas in the newest sealed block',
    'eth_feeHistory(blocks: quantity, newest: block number, percentiles)':
      'base fees, how full blocks were, and the tips that were paid',
  },
  Traces: {
    'debug_traceTransaction(hash, trace options)': 'a transaction from the inside',
    'debug_traceCall(call, block, trace options)': 'a call from the inside; overrides stand in the options',
    'debug_traceBlockByNumber(block number, trace options)': 'the transactions of a block from the inside',
    'debug_traceBlockByHash(hash, trace options)': 'the same by the hash of the block',
    'trace_transaction(hash)': 'the calls of a transaction in a list, as Parity has them',
    'trace_block(block)': 'the same of all transactions of a block',
    'trace_filter(filter: {fromBlock?, toBlock?, fromAddress?, toAddress?, mode?, after?, count?})':
      'those of a range of blocks, from or to some addresses',
    'trace_call(call, kinds: ["trace"], block)': 'the same of a call, and what it returned',
    'trace_replayTransaction(hash, kinds: ["trace"])': 'the same of a transaction',
    'trace_replayBlockTransactions(block, kinds: ["trace"])': 'the same of all transactions of a block',
  },
  'For Otterscan': {
    'ots_getApiLevel()': 'the version of these methods, 8',
    'erigon_getHeaderByNumber(block: block number)': 'a block with the hashes of its transactions',
    'ots_hasCode(address, block)': 'whether there is code',
    'ots_getBlockDetails(block: block number)':
      'a block without its transactions, with what was paid for gas',
    'ots_getBlockDetailsByHash(hash)': 'the same by its hash',
    'ots_getBlockTransactions(block: block number, page: amount, size: amount)':
      'a page of the transactions of a block, with their receipts',
    'ots_getTransactionError(hash)': 'what a transaction reverted with',
    'ots_getTransactionBySenderAndNonce(address, nonce: amount)': 'the hash of a transaction',
    'ots_getInternalOperations(hash)': 'transfers, creations and self-destructions inside a transaction',
    'ots_traceTransaction(hash)': 'the calls of a transaction',
    'ots_getContractCreator(address)': 'who made a contract, in which transaction',
    'ots_searchTransactionsBefore(address, block: amount, size: amount)':
      'a page of the transactions that touch an address, from a block on backwards',
    'ots_searchTransactionsAfter(address, block: amount, size: amount)': 'the same, forwards',
  },
  'Accounts and signatures': {
    'eth_accounts()': 'who may send without signing: accounts whose keys are here, and impersonated ones',
    'eth_sign(address, message: bytes or text)': 'signs a message (EIP-191)',
    'personal_sign(message: bytes or text, address, password: any)': 'the same',
    'eth_signTypedData_v4(address, typed data)': 'signs typed data (EIP-712)',
    'wallet_getPermissions()': 'that whoever asks may see all accounts (EIP-2255)',
    'wallet_requestPermissions(permissions: {eth_accounts})': 'the same',
    'wallet_switchEthereumChain(chain: {chainId})':
      '`null` where it is this chain, error 4902 where it is another (EIP-3326)',
    'wallet_addEthereumChain(chain: {chainId, …})': 'the same (EIP-3085)',
    'wallet_getCapabilities(address, chain ids: [quantity, …])': 'that calls are sent one by one (EIP-5792)',
    'personal_listAccounts()': 'accounts that are here, locked or not',
    'personal_newAccount(password: text)': 'makes an account and locks it',
    'personal_importRawKey(key: 32 bytes in hex, password: text)': 'adds an account and locks it',
    'personal_unlockAccount(address, password: text, seconds: any)': 'lets it send without the password',
    'personal_lockAccount(address)': 'lets it no more',
    'personal_sendTransaction(transaction, password: text)': 'sends from an account, locked or not',
    'personal_signTransaction(transaction, password: text)': 'signs for an account, locked or not',
    'evm_addAccount(address, password: text)': 'adds an account whose key nobody has, locked',
    'evm_removeAccount(address, password: text)': 'forgets an account',
  },
  Network: {
    'eth_chainId()': 'chain id',
    'net_version()': 'the same as decimal text',
    'eth_capabilities()': 'the head, and from which block on blocks and states are kept',
    'eth_config()':
      'the hardfork that holds, the next one and the last, with blobs and precompiles (EIP-7910)',
    'eth_protocolVersion()': 'version of the protocol by which nodes talk',
    'eth_syncing()': '`false`: there is nobody to be behind',
    'eth_coinbase()': 'who receives the tips of the blocks to come',
    'eth_mining()': 'whether each transaction gets a block at once',
    'eth_hashrate()': 'zero: nobody proves any work',
    'net_listening()': '`true`',
    'net_peerCount()': 'zero',
    'web3_clientVersion()': 'who answers here',
    'web3_sha3(bytes)': 'keccak-256',
    'rpc_modules()': 'the namespaces that are answered',
  },
  'Cheats: accounts': {
    [`anvil_setBalance(${OWNERS}, balance: amount)`]: 'sets wei',
    [`anvil_addBalance(${OWNERS}, wei: amount)`]: 'adds wei',
    'anvil_setNonce(address, nonce: amount)': 'sets the nonce',
    'anvil_setCode(address, code: bytes)': 'sets the code',
    'anvil_setStorageAt(address, slot: amount, value: word)': 'sets a word of storage',
    'anvil_dealERC20(address, token: address, balance: amount)':
      'sets the balance of a token, wherever it keeps it; also as one object `{erc20, account, amount}`',
    [`tenderly_setErc20Balance(token: address, ${OWNERS}, balance: amount)`]: 'the same with the token first',
    'anvil_setERC20Allowance(owner: address, spender: address, token: address, allowance: amount)':
      'sets what somebody may take of a token, wherever it keeps that',
    'anvil_deal(deal: {account, amount, erc20?})': 'adds wei, or sets the balance of a token',
    'anvil_impersonateAccount(address)': 'lets an account send without a key',
    'anvil_stopImpersonatingAccount(address)': 'lets it no more',
    'anvil_autoImpersonateAccount(on: boolean)': 'lets all accounts send without keys, or not',
  },
  'Cheats: blocks': {
    'anvil_mine(blocks: amount, seconds: amount)':
      'makes blocks, with so much time between them; what waits comes into the first',
    [`evm_mine(${MINE_OPTIONS})`]: 'the same; answers `0x0`',
    [`evm_mine_detailed(${MINE_OPTIONS})`]: 'the same; answers the blocks',
    'anvil_setAutomine(on: boolean)': 'gives each transaction its block at once, or not',
    'anvil_getAutomine()': 'whether each transaction gets its block at once',
    'anvil_setIntervalMining(seconds: amount)': 'makes a block every so many seconds; 0: none by itself',
    'evm_setIntervalMining(interval: amount or [least, most])':
      'the same; a thousand or more are milliseconds',
    'anvil_getIntervalMining()': 'seconds between blocks that time makes',
    'miner_start(threads: amount)': 'gives each transaction its block at once',
    'miner_stop()': 'makes blocks by command alone',
    'anvil_setNextBlockBaseFeePerGas(wei: amount)': 'base fee of the next block',
    'anvil_setPrevRandao(word)': 'randomness of the next block',
    'evm_setBlockGasLimit(gas: amount)': 'gas limit of the blocks to come',
    'anvil_setCoinbase(address)': 'who receives the tips of the blocks to come',
    'miner_setExtra(bytes)': 'up to 32 bytes for the headers of the blocks to come',
    'anvil_setChainId(chain id: amount)': 'another chain id, for all that runs or is sent from now on',
    'anvil_setMinGasPrice(wei: amount)': 'refused: there is no least price where there are base fees',
  },
  'Cheats: time': {
    'evm_increaseTime(seconds: amount)': 'moves time; answers by how much it was moved in all',
    'evm_setTime(time: amount)': 'sets time, in seconds or milliseconds',
    'evm_setNextBlockTimestamp(seconds: amount)': 'the time of the next block',
    'anvil_setBlockTimestampInterval(seconds: amount)': 'puts so many seconds between blocks',
    'hardhat_setBlockTimestampInterval(milliseconds: amount)': 'the same, as viem sends it to Hardhat',
    'anvil_removeBlockTimestampInterval()':
      'lets the clock tell again; answers whether there was an interval',
  },
  'Cheats: waiting transactions': {
    'anvil_dropTransaction(hash)': 'gives one up; answers its hash',
    'hardhat_dropTransaction(hash)': 'the same; answers whether there was one',
    'anvil_dropAllTransactions()': 'gives all up',
    'anvil_removePoolTransactions(address)': 'gives those of one sender up',
  },
  'Cheats: going back': {
    'anvil_rollback(depth: amount)': 'takes the newest blocks off, and what was in them',
    'anvil_reorg(depth: amount, pairs: [[transaction, block], …])':
      'takes the newest blocks off and puts as many others in their place',
    'evm_snapshot()': 'remembers where everything is, and answers an id',
    'evm_revert(id: amount)': 'goes back there, once',
    'anvil_dumpState(historical states: boolean)': 'the whole chain, as bytes for a file',
    'anvil_loadState(bytes)': 'takes a chain from there, or from a file of anvil; what was here is gone',
    'anvil_reset(options: {forking?})': 'goes back to block 0',
    'anvil_setRpcUrl(url: text)': 'refused: networks are not forked yet',
  },
  'Cheats: the node': {
    'anvil_nodeInfo()': 'where the chain is, and its settings',
    'anvil_metadata()': 'the same in short, with the snapshots',
    'anvil_getGenesisTime()': 'when block 0 was made, in seconds',
    'anvil_setLoggingEnabled(on: boolean)': 'taken, and means nothing: requests are not logged',
  },
  'Pre-confirmation and faults': {
    'preseal_getSlices(block)': 'how a block grew: what each slice brought, and the block after it',
    'preseal_getTimeline(hash)': 'what has happened to a transaction, step by step',
    'preseal_explain(hash)': 'why a transaction is not included; without a hash what `pending` contains',
    'preseal_addFault(fault: {kind, …, when?})': 'plans something that goes wrong; answers its id',
    'preseal_removeFault(id: amount)': 'takes a fault back',
    'preseal_clearFaults()': 'takes all of them back',
    'preseal_listFaults()': 'what is to go wrong',
    'preseal_reorg(reorg: {depth?, transactions?, blocks?})':
      'takes the newest blocks off and puts others in their place',
    'preseal_cutWebSockets(code: close code)': 'ends all WebSocket connections',
  },
}

/** Why methods of the peers are not here, under how their names begin. */
export const ABSENT: Readonly<Record<string, string>> = {
  anvil_getBlobByHash: 'blobs are verified and not kept',
  anvil_getBlobsByTransactionHash: 'blobs are verified and not kept',
  anvil_impersonateSignature: 'what `ecrecover` answers is not bent',
  anvil_setFee: 'of another chain (Tempo)',
  anvil_setValidatorFeeToken: 'of another chain (Tempo)',
  bzz_: 'Swarm, which Ethereum’s nodes once spoke of',
  db_: 'a database that nodes once kept for their clients',
  debug_dbGet: 'there is no database',
  engine_: 'for the consensus client of a node; a devnet makes its blocks itself',
  eth_getCompilers: 'nodes no longer compile',
  eth_getWork: 'nobody mines',
  eth_submit: 'nobody mines',
  miner_setGasPrice: 'there is no least price',
  shh_: 'Whisper, which is no more',
}
