/** viem's transport to a devnet in the same process. The first request imports viem, which the caller has loaded. */
import { namesOf, requireOptions } from '../model/api/arguments.ts'
import { callSite, thrownAt } from '../model/api/callSite.ts'
import { type Provider, ProviderRpcError } from '../rpc/provider.ts'
import { withSolidityFrames } from '../solidity/stackTrace/errorStack.ts'
import { frameText, revertText } from '../solidity/stackTrace/format.ts'

/** The options of viem's `custom` transport. */
export interface TransportOptions {
  readonly key?: string | undefined
  readonly name?: string | undefined
  /** The methods that may be requested (`include`), or the methods that may not be requested (`exclude`). */
  readonly methods?: { include?: string[] } | { exclude?: string[] } | undefined
  /** Number of repetitions of a failed request. By default 0; the default of viem's `custom` is 3. */
  readonly retryCount?: number | undefined
  /** Milliseconds before a failed request is repeated. */
  readonly retryDelay?: number | undefined
}

/** This type is assignable to that of viem's request function, whose parameters depend on the method. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters and the result depend on the method, and only viem has types for them.
type Request = (args: any, options?: any) => Promise<any>

/** A type assignable to viem's `Transport`. It is declared here, because viem may not be installed. */
export type DevnetTransport = (config?: {
  readonly retryCount?: number | undefined
  readonly timeout?: number | undefined
}) => {
  config: {
    key: string
    name: string
    methods?: { include?: string[] } | { exclude?: string[] } | undefined
    request: Request
    retryCount: number
    retryDelay?: number | undefined
    timeout?: number | undefined
    type: 'custom'
  }
  request: Request
  value?: undefined
}

/** @internal Returns a transport that passes requests to `provider`. */
export function transportTo(provider: Provider, options: TransportOptions): DevnetTransport {
  requireOptions('transport', options, OPTIONS)
  const { key = 'preseal', name = 'preseal', methods, retryCount = 0, retryDelay } = options
  const settings = { key, name, methods, retryCount, retryDelay }
  const ask: Request = (args) => provider.request(args)
  return ({ timeout } = {}) => {
    let asViem: Request | undefined
    const request: Request = async (args, overrides) => {
      const { custom } = await viem()
      asViem ??= custom(provider, settings as never)({ retryCount }).request
      try {
        return await asViem(args, overrides)
      } catch (error) {
        // viem calls the provider in promises of its own, so the async stack trace does not reach the caller.
        throw thrownAt(callSite(request), located(error))
      }
    }
    const config = { ...settings, request: ask, timeout, type: 'custom' } as const
    return { config, request, value: undefined }
  }
}

const OPTIONS = namesOf<TransportOptions>({
  key: true,
  name: true,
  methods: true,
  retryCount: true,
  retryDelay: true,
})

/**
 * Returns viem's error with the Solidity frames of its cause. viem's actions wrap this error in other errors, whose
 * constructors copy `details` into the message, which is the beginning of `stack`. Constructors therefore get
 * `details` with the frames. All other readers get `details` unchanged, because viem compares it with messages of
 * nodes.
 */
function located(error: unknown): unknown {
  const { details, cause } = error as { readonly details?: unknown; readonly cause?: unknown }
  const stackTrace = cause instanceof ProviderRpcError ? cause.solidityStack : undefined
  if (!(error instanceof Error) || stackTrace === undefined) return error
  const frames = stackTrace.frames.map(frameText)
  const withFrames = [revertText(String(details), stackTrace), ...frames].join('\n    at ')
  Object.defineProperty(error, 'details', {
    enumerable: true,
    get: () => (/\n {4}at new BaseError\b/.test(new Error().stack ?? '') ? withFrames : details),
  })
  return withSolidityFrames(error, stackTrace)
}

async function viem(): Promise<typeof import('viem')> {
  try {
    return await import('viem')
  } catch (error) {
    throw new Error('devnet.transport: viem is not installed; npm install viem', { cause: error })
  }
}
