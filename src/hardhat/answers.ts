/** Answers the requests of a connection: with the sender, the gas and the gas price of its settings, and Hardhat's errors. */
import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { JsonRpcRequest } from 'hardhat/types/providers'
import type { Hash } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { errorDecoder, failureOf, hardhatError } from './errors.ts'
import { missingFees } from './fees.ts'

type Answer = (request: JsonRpcRequest) => Promise<unknown>

/** The methods whose first parameter gets a sender. */
const FROM_AN_ACCOUNT = new Set(['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])
const SENDING = new Set(['eth_sendTransaction', 'eth_sendRawTransaction'])

/** Returns the function that answers requests of a connection with `devnet` and the settings `network`. Rejects with Hardhat's errors. */
export function answering(devnet: Devnet, network: EdrNetworkConfig): Answer {
  const { provider } = devnet
  return async function answer(request) {
    const { method } = request
    try {
      const params = FROM_AN_ACCOUNT.has(method) ? await completed(devnet, network, request) : request.params
      const result = await provider.request({ method, params })
      if (!SENDING.has(method) || !network.throwOnTransactionFailures) return result
      const failure = await failureOf(devnet, result as Hash)
      if (failure !== undefined) throw failure
      return result
    } catch (error) {
      const decode = await errorDecoder(devnet)
      throw hardhatError(error, answer, decode)
    }
  }
}

/** Returns the parameters of a call or a transaction, with the values that the settings of the network give it. */
async function completed(
  devnet: Devnet,
  { from, gas, gasMultiplier, gasPrice }: EdrNetworkConfig,
  { method, params }: JsonRpcRequest,
): Promise<JsonRpcRequest['params']> {
  if (!Array.isArray(params) || typeof params[0] !== 'object' || params[0] === null) return params
  const [given, ...others] = params as [Readonly<Record<string, unknown>>, ...unknown[]]
  const sender = given.from ?? from ?? devnet.accounts[0]?.address
  const call = given.from === sender ? given : { ...given, from: sender }
  if (method !== 'eth_sendTransaction') return call === given ? params : [call, ...others]
  const isPriced = given.gasPrice !== undefined || given.maxFeePerGas !== undefined
  const fees =
    gasPrice === 'auto'
      ? await missingFees(devnet, given)
      : isPriced
        ? {}
        : { gasPrice: encodeQuantity(gasPrice) }
  const transaction = { ...call, ...fees }
  if (given.gas !== undefined) return [transaction, ...others]
  if (gas !== 'auto') return [{ ...transaction, gas: encodeQuantity(gas) }, ...others]
  // Without a multiplier, the devnet estimates the gas itself.
  if (gasMultiplier === 1) return [transaction, ...others]
  const estimate = await devnet.provider.request({ method: 'eth_estimateGas', params: [transaction] })
  const multiplied = BigInt(Math.floor(Number(estimate) * gasMultiplier))
  return [{ ...transaction, gas: encodeQuantity(multiplied) }, ...others]
}
