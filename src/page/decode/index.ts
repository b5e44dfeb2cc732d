/** The contracts of this page's source. */
import { effect, type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Codec } from '../../solidity/abi/codec.ts'
import { changesAt } from '../live/changes.ts'
import { PAST } from '../moment.ts'
import { source } from '../source/socketSource.ts'
import { Contracts, type KnownContract } from './contracts.ts'

let current: Contracts | undefined

/** Returns the contracts of the page's source. */
export function contracts(): Contracts {
  if (current === undefined) {
    const from = source()
    const found = new Contracts((method, params) => from.request(method, params), Date.now)
    current = found
    effect(() => {
      changesAt(PAST)
      found.forget()
    })
  }
  return current
}

/** Contracts by address in lower case: those of which something is known. */
export type ContractsByAddress = ReadonlyMap<string, KnownContract>

const NONE: ContractsByAddress = new Map()

/** Finds the contracts at `addresses`. The signal has those that are known by now, all of them soon. */
export function useContracts(addresses: readonly string[], at?: string): Signal<ContractsByAddress> {
  const found = useSignal(NONE)
  const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))].sort().join()
  useEffect(() => {
    let isOld = false
    const all = wanted === '' ? [] : wanted.split(',')
    void Promise.all(all.map((address) => contracts().find(address, at))).then((each) => {
      if (isOld) return
      found.value = new Map(all.flatMap((address, i) => (each[i] === undefined ? [] : [[address, each[i]]])))
    })
    return () => {
      isOld = true
    }
  }, [wanted, at])
  return found
}

/** Returns the codecs by which bytes of the contract at `address` are decoded: its own first, then all that were seen. */
export function codecsFor(address: string | null | undefined, known: ContractsByAddress): readonly Codec[] {
  const own = address && known.get(address.toLowerCase())?.codec
  return own ? [own, ...contracts().seen()] : contracts().seen()
}
