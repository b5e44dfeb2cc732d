import type { Hex } from '../../bytes/hex.ts'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import type { DecodedItem, Typed } from '../decode/decode.ts'

export interface CopiedCall {
  /** Whether the call is sent as a transaction, or only executed. */
  readonly kind: 'send' | 'call'
  readonly from?: Hex | undefined
  readonly to: Hex | null
  readonly value?: Hex | undefined
  readonly data: Hex
  readonly gas?: Hex | undefined
}

/** Returns shell commands, and a script for Node, that make the call. `decoded`: the called function, if known. */
export function callTexts(call: CopiedCall, decoded: DecodedItem | undefined, url: string) {
  const { kind, from, to, data, gas } = call
  const isSent = kind === 'send'
  const wei = BigInt(call.value ?? 0)
  const named = to === null ? undefined : decoded
  const fields = { from, to: to ?? undefined, value: wei > 0n ? call.value : undefined, data, gas }
  const method = isSent ? 'eth_sendTransaction' : 'eth_call'
  const body = { jsonrpc: '2.0', id: 1, method, params: isSent ? [fields] : [fields, 'latest'] }
  const isWritable = named?.args.every(({ parameter }) => !hasNestedText(parameter))
  const called = isWritable
    ? [named?.signature ?? '', ...(named?.args ?? []).map((one) => written(one, 'cast'))].map(quoted)
    : [data === '0x' ? '' : data]
  const cast = [
    `cast ${kind}`,
    from && `--from ${from}`,
    isSent && '--unlocked',
    wei > 0n && `--value ${wei}`,
    gas && `--gas-limit ${BigInt(gas)}`,
    `--rpc-url ${url}`,
    to ?? `--create ${data}`,
    to !== null && called.join(' '),
  ]
  const args = named?.args.map((one) => written(one, 'viem')).join(', ')
  const client = isSent ? 'createWalletClient' : 'createPublicClient'
  const viem = [
    `import { ${client}, ${named ? 'encodeFunctionData, ' : ''}http${named ? ', parseAbi' : ''} } from "viem"`,
    '',
    `const client = ${client}({ transport: http('${url}') })`,
    `const result = await client.${isSent ? 'sendTransaction' : 'call'}({`,
    from && `  account: '${from}',`,
    to && `  to: '${to}',`,
    named
      ? `  data: encodeFunctionData({ abi: parseAbi(['function ${named.signature}']), args: [${args}] }),`
      : `  data: '${data}',`,
    wei > 0n && `  value: ${wei}n,`,
    gas && `  gas: ${BigInt(gas)}n,`,
    isSent && '  chain: null,',
    '})',
    'console.log(result)',
  ]
  const curl = `curl -s ${url} -H 'content-type: application/json' --data ${quoted(JSON.stringify(body))}`
  const present = (part: string | false | undefined | null) => typeof part === 'string'
  return { cast: cast.filter((part) => part).join(' '), viem: viem.filter(present).join('\n'), curl }
}

/** Returns whether a type contains strings in an array or a tuple, where cast reads no quotation marks. */
function hasNestedText(parameter: Parameter): boolean {
  return parameter.type !== 'string' && JSON.stringify(parameter).includes('"string')
}

/** Writes a value as an argument of cast, or as an expression of TypeScript for viem. */
function written({ parameter: { type, components = [] }, value }: Typed, form: 'cast' | 'viem'): string {
  const [, item] = /^(.*)\[\d*\]$/.exec(type) ?? []
  if (item !== undefined) {
    const values = value as readonly unknown[]
    return `[${values.map((one) => written({ parameter: { type: item, components }, value: one }, form)).join(', ')}]`
  }
  if (type === 'tuple') {
    const values: readonly unknown[] = Object.values(value as object)
    const members = components
      .map((parameter, i) => written({ parameter, value: values[i] }, form))
      .join(', ')
    return form === 'cast' ? `(${members})` : `[${members}]`
  }
  if (form === 'cast') return String(value)
  return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)
}

/** Quotes an argument for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
