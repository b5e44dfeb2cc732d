/** The faults that can be planned, each as the first thing that a reader may change (docs/faults.md says what they do). */
export const FAULT_TEMPLATES: Readonly<Record<string, object>> = {
  omitSlice: { kind: 'omitSlice' },
  duplicateSlice: { kind: 'duplicateSlice' },
  delaySlice: { kind: 'delaySlice', slices: 1 },
  absentPending: { kind: 'absentPending', slices: 2 },
  stalePending: { kind: 'stalePending', slices: 4 },
  dropTransaction: { kind: 'dropTransaction', lands: 'next' },
  sealDifferently: { kind: 'sealDifferently', order: 'reversed' },
  reorg: { kind: 'reorg', depth: 1, transactions: 'keep' },
  contextLag: { kind: 'contextLag', blocks: 1 },
  latency: { kind: 'latency', method: 'eth_*', ms: 200 },
  timeout: { kind: 'timeout', method: 'eth_sendRawTransaction', lost: 'answer' },
  httpStatus: { kind: 'httpStatus', status: 429, when: { times: 2 } },
  rpcError: { kind: 'rpcError', method: 'eth_sendTransaction', code: -32000, message: 'txpool is full' },
  logRange: { kind: 'logRange', provider: 'infura', blocks: 5000 },
  cutWebSockets: { kind: 'cutWebSockets' },
}
