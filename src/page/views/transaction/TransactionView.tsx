/** One transaction. */
export function TransactionView({ hash }: { hash: string }) {
  return <h1>Transaction {hash.slice(0, 10)}</h1>
}
