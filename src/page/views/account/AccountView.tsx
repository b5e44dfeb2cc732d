/** One account. */
export function AccountView({ address }: { address: string }) {
  return <h1>Account {address.slice(0, 10)}</h1>
}
