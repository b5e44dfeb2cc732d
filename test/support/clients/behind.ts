/** Callers that are far from what they call. */

/** Calls `call` through `depth` asynchronous functions, each of which awaits the next one, as libraries do. */
export async function behind<T>(depth: number, call: () => Promise<T>): Promise<T> {
  return depth === 0 ? await call() : await behind(depth - 1, call)
}
