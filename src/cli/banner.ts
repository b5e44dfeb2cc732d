/** Prints the banner: accounts, fixtures, URLs, and example requests. */
import pc from 'picocolors'
import type { Devnet } from '../devnet/devnet.ts'
import { TEST_MNEMONIC } from '../model/account/developmentAccounts.ts'
import type { Settings } from '../options/options.ts'
import type { Listener } from '../server/listen.ts'
import { reachableUrl } from '../server/origins.ts'
import type { Serving } from '../terminal/feature.ts'
import type { Invocation } from './invocation.ts'
import { withLinks } from './links.ts'

export interface FixtureResult {
  readonly file: string
  readonly values: unknown
}

/** The address of one devnet, or of the many devnets of `preseal serve` (with `chainUrl`). */
type Address = Pick<Listener, 'url' | 'host' | 'port' | 'pageUrl'> &
  Partial<Pick<Serving, 'chainUrl' | 'l1Url'>>

/** Prints the banner, or its data as a JSON line. Called when clients can connect. */
export async function announce(
  devnet: Devnet,
  { url, host, port, pageUrl: page, chainUrl: chains, l1Url: l1 }: Address,
  fixtures: readonly FixtureResult[],
  { format, isJson }: Pick<Invocation, 'format' | 'isJson'>,
  { print, hasHyperlinks }: { print: (line: string) => void; hasHyperlinks: boolean },
): Promise<void> {
  if (format === 'text') {
    const links = { pageUrl: page, hasHyperlinks: hasHyperlinks && chains === undefined }
    const example = chains?.replace('<name>', 'try') ?? url
    await printBanner(devnet, { host, url: example }, fixtures, (line) => print(withLinks(links, line)))
    if (chains !== undefined)
      print(`Chains at ${chains}: each is created at its first request; ${url}/c lists them`)
    if (l1 !== undefined) print(`The L1 of each chain at ${l1}`)
    if (page !== undefined)
      print(`Page at ${page}${chains !== undefined ? ', and at the URL of each chain' : ''}`)
    print(`Listening on ${host}:${port}`)
  } else if (isJson) {
    print(
      JSON.stringify({
        event: 'listening',
        url,
        host,
        port,
        page,
        chains,
        l1,
        ...bannerData(devnet),
        fixtures,
      }),
    )
  }
}

async function printBanner(
  devnet: Devnet,
  listener: Pick<Listener, 'url' | 'host'>,
  fixtures: readonly FixtureResult[],
  print: (line: string) => void,
): Promise<void> {
  const { settings, accounts } = devnet
  print('')
  print(`${pc.bold('preseal')}  chain ${settings.chainId}  ${devnet.hardfork}  ${rhythmText(devnet)}`)
  if (devnet.network !== undefined) print(networkLine(devnet.network))
  print('')
  if (accounts.length > 0) {
    const money = settings.genesis === undefined ? `${etherText(settings.balance)} ETH each; ` : ''
    print(pc.bold('Accounts') + pc.dim(`  ${money}these keys are public`))
    for (const { address, privateKey } of accounts) print(`  ${address}  ${pc.dim(privateKey)}`)
    print(`  ${pc.dim(`mnemonic ${settings.mnemonic}, path ${settings.derivationPath}`)}`)
    print('')
  }
  for (const { file, values } of fixtures) {
    print(pc.bold(`Fixture ${file}`))
    for (const line of valueLines(values)) print(`  ${line}`)
    print('')
  }
  const note = receiptsNote(settings)
  if (note !== undefined) {
    print(pc.yellow(note))
    print('')
  }
  print(pc.bold('Try'))
  for (const { meaning, line } of await curlLines(devnet, listener)) {
    print(`  ${pc.dim(`# ${meaning}`)}`)
    print(`  ${line}`)
  }
  print('')
}

function networkLine({ name, block, hasProofs }: NonNullable<Devnet['network']>): string {
  const checked = hasProofs ? ', with proofs' : ''
  return `${pc.bold('Network')}  ${name}, block ${block.number} ${pc.dim(block.hash)}${checked}`
}

/** Returns a warning for clients if receipts are returned before the state at `latest` includes their transactions. */
function receiptsNote({ receipts }: Pick<Settings, 'receipts'>): string | undefined {
  if (receipts === 'sealed') return undefined
  return (
    'Receipts exist as soon as a transaction is pre-confirmed (--receipts preconfirmed), before latest has their effects: ' +
    'let clients call, estimate and read on "pending" (viem: experimental_preconfirmationTime in the chain; ' +
    'ethers: read with { blockTag: "pending" }, and send with an explicit gasLimit, because ethers estimates gas on latest)'
  )
}

function rhythmText({ settings }: Devnet): string {
  if (settings.rhythm !== 'interval') return `rhythm ${settings.rhythm}`
  const { tickMs, ticksPerBlock } = settings
  return ticksPerBlock === 0
    ? `a block every ${tickMs} ms`
    : `a slice every ${tickMs} ms, ${ticksPerBlock} per block`
}

/** Returns a line for each value of a fixture. A member of an object is named by its path, such as `token.address`. */
function valueLines(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return []
  const entries = [...valuesIn(values, '')]
  const width = Math.max(0, ...entries.map(([path]) => path.length))
  return entries.map(([path, value]) => `${path.padEnd(width)}  ${value}`)
}

function* valuesIn(values: object, above: string): Generator<readonly [path: string, text: string]> {
  for (const [name, value] of Object.entries(values)) {
    const path = Array.isArray(values) ? `${above}[${name}]` : above === '' ? name : `${above}.${name}`
    if (typeof value === 'function' || value === undefined) continue
    if (typeof value !== 'object' || value === null) yield [path, String(value)]
    // A list of objects, such as an ABI, is too long to read: only its length is printed.
    else if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
      yield [path, `${value.length} items`]
    } else yield* valuesIn(value, path)
  }
}

export function etherText(wei: bigint): string {
  const digits = String(wei).padStart(19, '0')
  const decimals = digits.slice(-18).replace(/0+$/, '')
  return `${digits.slice(0, -18)}${decimals === '' ? '' : `.${decimals}`}`
}

function bannerData({ accounts, settings, network }: Devnet): object {
  const { mnemonic } = settings
  const note = receiptsNote(settings)
  const onNetwork = network && {
    network: {
      host: network.name,
      chainId: Number(network.chainId),
      block: Number(network.block.number),
      hash: network.block.hash,
      proofs: network.hasProofs,
    },
  }
  return { accounts, ...(mnemonic === TEST_MNEMONIC ? {} : { mnemonic }), ...onNetwork, note }
}

/** Warns if other machines can send requests, because requests need no authentication. */
export function warnOfNetwork(
  { host, format }: Pick<Invocation, 'host' | 'format'>,
  warn: (text: string) => void,
): void {
  if (format === 'silent' || /^(127\.|localhost$|::1$)/.test(host)) return
  warn(
    `warning: anyone on the network who can reach ${host} can send from the unlocked accounts and change the chain; without --host only this machine can`,
  )
}

/** The intrinsic gas of every transaction (Yellow Paper, appendix G). */
const INTRINSIC_GAS = 21_000n

export function warnOfGasLimit(
  { gasLimit, disableBlockGasLimit }: Pick<Settings, 'gasLimit' | 'disableBlockGasLimit'>,
  { format }: Pick<Invocation, 'format'>,
  warn: (text: string) => void,
): void {
  if (format === 'silent' || disableBlockGasLimit || gasLimit >= INTRINSIC_GAS) return
  warn(
    `warning: no transaction fits into a block of ${gasLimit} gas (--gas-limit); each needs at least ${INTRINSIC_GAS}`,
  )
}

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

/** Returns three curl commands that stay valid while this devnet runs. */
async function curlLines(
  devnet: Devnet,
  listener: Pick<Listener, 'url' | 'host'>,
): Promise<{ meaning: string; line: string }[]> {
  const url = reachableUrl(listener)
  const owner = devnet.accounts[0]?.address ?? devnet.settings.coinbase
  // The command names a block number, because a range up to `latest` would soon exceed the limit of `eth_getLogs`.
  const newest = await devnet.request({ method: 'eth_blockNumber' })
  const hasMulticall = (await devnet.request({ method: 'eth_getCode', params: [MULTICALL3] })) !== '0x'
  const number = Number(newest)
  const examples: [meaning: string, method: string, params: unknown[]][] = [
    [
      `the balance of ${owner} in wei, pre-confirmed transactions included`,
      'eth_getBalance',
      [owner, 'pending'],
    ],
    hasMulticall
      ? [
          'the number of the block that is being pre-confirmed, returned by getBlockNumber() of Multicall3',
          'eth_call',
          [{ to: MULTICALL3, data: '0x42cbb15c' }, 'pending'],
        ]
      : ['the newest sealed block', 'eth_getBlockByNumber', ['latest', false]],
    [
      `all logs of ${number === 0 ? 'block 0' : `blocks 0 to ${number}`}`,
      'eth_getLogs',
      [{ fromBlock: '0x0', toBlock: newest }],
    ],
  ]
  return examples.map(([meaning, method, params]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return { meaning, line: `curl ${url} -H 'content-type: application/json' -d '${body}'` }
  })
}
