/** Runs of contracts that a test compiled, and the stack traces of those that fail. */
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'
import { type Address, fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { runTransaction } from '../../../src/engine/run/runMessage.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { Abis } from '../../../src/solidity/abi/abis.ts'
import { Artifacts } from '../../../src/solidity/artifacts/artifacts.ts'
import type { Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import type { SolidityStackTrace } from '../../../src/solidity/stackTrace/format.ts'
import {
  type InferredStackTrace,
  recordRun,
  stackTraceOf,
} from '../../../src/solidity/stackTrace/stackTrace.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import { createEngine } from '../engines/engineOfRun.ts'
import { CONTEXT } from '../engines/scenes.ts'
import { contractOf } from './solidity.ts'

const SENDER: Address = `0x${'5e'.repeat(20)}`

export interface RunOptions {
  readonly args?: readonly unknown[]
  /** In wei. */
  readonly value?: bigint
  readonly gas?: bigint
}

/** What came of a transaction. */
export interface SolidityRun {
  /** Of a creation that succeeded. */
  readonly address: Address | undefined
  /** Of a failure. */
  readonly trace: InferredStackTrace | undefined
}

/** A state in which contracts of one compilation are deployed and called. Contracts whose names are `hidden` are not known. */
export class Contracts {
  readonly #compilation: Compilation
  readonly #artifacts: Artifacts
  readonly #evm: Evm
  #state = State.empty.with([{ address: SENDER, balance: 10n ** 24n }])
  #nonce = 0n

  private constructor(compilation: Compilation, artifacts: Artifacts, engine: typeof createEngine) {
    this.#compilation = compilation
    this.#artifacts = artifacts
    this.#evm = new Evm(engine(createRules('osaka', 31_337n)))
  }

  static async of(
    compilation: Compilation,
    {
      hidden = [],
      engine = createEngine,
      onProblem = expectNone,
    }: {
      hidden?: readonly string[]
      engine?: typeof createEngine
      onProblem?: (problem: string) => void
    } = {},
  ): Promise<Contracts> {
    const artifacts = new Artifacts({ configured: undefined, abis: new Abis(), onProblem })
    const { solcVersion, input, output } = compilation
    const contracts = Object.entries(output.contracts ?? {}).map(([source, named]) => [
      source,
      Object.fromEntries(Object.entries(named).filter(([name]) => !hidden.includes(name))),
    ])
    artifacts.add({ solcVersion, input, output: { ...output, contracts: Object.fromEntries(contracts) } })
    await artifacts.load()
    return new Contracts(compilation, artifacts, engine)
  }

  /** Changes accounts. */
  set(...changes: readonly AccountChange[]): void {
    this.#state = this.#state.with(changes)
  }

  /** Deploys a contract. */
  deploy(name: string, { args = [], value, gas }: RunOptions = {}): Promise<SolidityRun> {
    const { output } = contractOf(this.#compilation, name)
    const bytecode: Hex = `0x${output.evm!.bytecode!.object}`
    const data = encodeDeployData({ abi: output.abi as Abi, bytecode, args })
    return this.send(undefined, data, { value, gas })
  }

  /** Deploys a contract, and returns its address. */
  async deployed(name: string, options?: RunOptions): Promise<Address> {
    const { address, trace } = await this.deploy(name, options)
    if (address === undefined) throw new Error(`expected ${name} to be deployed, got ${trace?.message}`)
    return address
  }

  /** Calls a function at an address by the ABI of the contract `name`. */
  async call(
    to: Address,
    name: string,
    functionName: string,
    { args = [], ...options }: RunOptions = {},
  ): Promise<InferredStackTrace | undefined> {
    const { output } = contractOf(this.#compilation, name)
    const data = encodeFunctionData({ abi: output.abi as Abi, functionName, args })
    return (await this.send(to, data, options)).trace
  }

  /** Sends data, as a creation without `to`. */
  async send(
    to: Address | undefined,
    data: Hex,
    { value = 0n, gas = 5_000_000n }: { value?: bigint | undefined; gas?: bigint | undefined } = {},
  ): Promise<SolidityRun> {
    const runnable = {
      type: 2,
      from: SENDER,
      to,
      nonce: this.#nonce++,
      gasLimit: gas,
      value,
      data: fromHex(data),
      maxFeePerGas: 100n,
      maxPriorityFeePerGas: 0n,
      accessList: [],
      authorizationList: [],
    }
    const recording = recordRun()
    const run = await runTransaction(this.#evm, this.#state, CONTEXT, runnable, recording.watcher)
    this.#state = run.state
    const { outcome } = run
    return {
      address: outcome.kind === 'success' ? outcome.createdAddress : undefined,
      trace: stackTraceOf(recording.finished(), this.#artifacts.find),
    }
  }
}

function expectNone(problem: string): never {
  throw new Error(`expected artifacts without problems, got: ${problem}`)
}

/** Returns frames as lines: `C.test (c.sol:5)`; without a position `C.test`. */
export function framesOf(trace: SolidityStackTrace | undefined): readonly string[] {
  return (trace?.frames ?? []).map(({ contract, function: name, position, address }) => {
    const where = [contract, name].filter((part) => part !== undefined).join('.') || `${address}`
    return position === undefined ? where : `${where} (${position.file}:${position.line})`
  })
}
