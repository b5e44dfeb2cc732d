/** What tests of other nodes share: failures, requests, and what is closed after each test. */
import { expect, onTestFinished } from 'vitest'
import { UpstreamFailed, type UpstreamRequest } from '../../../src/upstream/upstream.ts'

/** Returns the failure with which a promise rejects. */
export async function failureOf(sent: Promise<unknown>): Promise<UpstreamFailed> {
  const error = await sent.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(UpstreamFailed)
  return error as UpstreamFailed
}

/** Calls these at the end of the test, the first one first. */
export function endWith(...ends: readonly (() => unknown)[]): void {
  onTestFinished(async () => {
    for (const end of ends) await end()
  })
}

/** Returns different requests. */
export function requests(count: number): UpstreamRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    method: 'eth_call',
    params: [`0x${index.toString(16)}`],
  }))
}

/** Returns the answers of a node that echoes its requests. */
export function right(asked: readonly UpstreamRequest[]): { readonly result: unknown }[] {
  return asked.map(({ method, params }) => ({ result: [method, ...params] }))
}
