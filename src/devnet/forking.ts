/** The network of a devnet that runs: it may begin anew on another block of it, or have another node. */

import type { Address, Hash } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import type { ForkSettings } from '../options/forkOption.ts'
import type { Settings } from '../options/options.ts'
import type { ForkedNetwork } from '../upstream/forkedNetwork.ts'
import type { ForkTarget, Networks } from '../upstream/networks.ts'

export class Forking implements Networks {
  /** The node, and how it is asked. */
  #fork: ForkSettings
  readonly #accounts: readonly Address[]
  readonly #balance: bigint

  constructor({ fork = {}, balance }: Settings, accounts: readonly Address[]) {
    this.#fork = fork
    this.#accounts = accounts
    this.#balance = balance
  }

  async begin({ url, block }: ForkTarget, accept: (name: string, chainId: bigint) => void): Promise<Moment> {
    const { firstMoment, openNetwork } = await import('./forkNetwork.ts')
    const fork = url === undefined ? this.#fork : this.#at(url)
    const opened = await openNetwork({ ...fork, block }, (name, { chainId }) => accept(name, chainId))
    const first = await firstMoment(opened, this.#accounts, this.#balance)
    this.#fork = fork
    return first
  }

  get hasNode(): boolean {
    return this.#fork.url !== undefined || this.#fork.provider !== undefined
  }

  async open(block: Hash): Promise<ForkedNetwork | undefined> {
    if (!this.hasNode) return undefined
    const { openNetwork } = await import('./forkNetwork.ts')
    const { network } = await openNetwork({ ...this.#fork, block })
    return network
  }

  async turnTo(network: ForkedNetwork, url: string): Promise<void> {
    const { nodeOf } = await import('./forkNetwork.ts')
    const fork = this.#at(url)
    network.node.turnTo(await nodeOf(fork, { chainId: network.chainId, ...network.block }))
    this.#fork = fork
  }

  /** Returns how the node at `url` is asked. Headers hold keys, which another host must not get. */
  #at(url: string): ForkSettings {
    const { provider: _, headers, ...access } = this.#fork
    const isSameHost = access.url !== undefined && new URL(access.url).host === new URL(url).host
    return { ...access, url, ...(isSameHost && headers !== undefined ? { headers } : {}) }
  }
}
