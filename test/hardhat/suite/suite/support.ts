/** Resolves to the message of the error with which `promise` rejects. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('expected an error')
}
