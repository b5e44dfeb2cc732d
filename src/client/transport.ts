/** viem's way to a devnet in the same process. viem is loaded with the first request, by which time whoever asks has it. */
import { callSite, thrownAt } from '../model/callSite.ts'
import { namesOf, requireOptions } from '../model/knownNames.ts'
import type { Provider } from '../rpc/provider.ts'

/** Those of viem's `custom` transport. */
export interface TransportOptions {
  readonly key?: string | undefined
  readonly name?: string | undefined
  /** Which methods may be asked, or may not. */
  readonly methods?: { include?: string[] } | { exclude?: string[] } | undefined
  /** How often a request is repeated that failed: 0 times, where `custom` has 3. */
  readonly retryCount?: number | undefined
  /** Milliseconds before it is. */
  readonly retryDelay?: number | undefined
}

/** viem's own checks its parameters against its methods. */
// biome-ignore lint/suspicious/noExplicitAny: what a request takes and answers depends on its method, which viem's types know.
type Request = (args: any, options?: any) => Promise<any>

/** Can be given wherever viem takes a `Transport`; said in words of our own, since viem need not be installed. */
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

/** @internal A transport to whom `provider` is the way. */
export function transportTo(provider: Provider, options: TransportOptions): DevnetTransport {
  requireOptions('transport', options, OPTIONS)
  const { key = 'preseal', name = 'preseal', methods, retryCount = 0, retryDelay } = options
  const ask: Request = (args) => provider.request(args)
  return ({ timeout } = {}) => {
    let asViem: Request | undefined
    const request: Request = async (args, overrides) => {
      asViem ??= (await viem()).custom(provider, { key, name, methods, retryCount, retryDelay } as never)({
        retryCount,
      }).request
      try {
        return await asViem(args, overrides)
      } catch (error) {
        // viem asks in promises of its own, on which no stack trace finds back.
        throw thrownAt(callSite(request), error)
      }
    }
    const config = {
      key,
      name,
      methods,
      request: ask,
      retryCount,
      retryDelay,
      timeout,
      type: 'custom',
    } as const
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

async function viem(): Promise<typeof import('viem')> {
  try {
    return await import('viem')
  } catch (error) {
    throw new Error('devnet.transport: viem is not installed; npm install viem', { cause: error })
  }
}
