/** Constructor arguments. */
import type { Hex } from '../../bytes/hex.ts'
import { argumentsAtEnd, type CreationAnswer, constructorArguments, contracts } from '../decode/contracts.ts'
import type { Typed } from '../decode/decode.ts'
import { useLoad } from '../live/load.ts'
import { request } from '../source/source.ts'
import { Bytes } from './Fields.tsx'
import { Values } from './Value.tsx'

interface ConstructorArgumentsProps {
  input: Hex
  created: string | null | undefined
  at: string | undefined
}

/** Shows the arguments in creation code. `created`: the contract; none if the creation failed. `at`: its block. */
export function ConstructorArguments({ input, created, at }: ConstructorArgumentsProps) {
  const asked = useLoad(() => argumentsOf(input, created, at), [input, created, at])
  if (asked.value.state !== 'here') return null
  const found = asked.value.value
  if (found === undefined)
    return (
      <p>
        <Bytes hex={input} what="code and arguments" />{' '}
        <span class="quiet">no known artifact has this code, so its arguments cannot be decoded</span>
      </p>
    )
  return found.length === 0 ? (
    <p class="quiet">its constructor takes no arguments</p>
  ) : (
    <Values values={found} />
  )
}

/** Resolves with the arguments by the artifact of this code, or by the ABI of the created contract. */
async function argumentsOf(
  input: Hex,
  created: string | null | undefined,
  at: string | undefined,
): Promise<readonly Typed[] | undefined> {
  const known = await request<CreationAnswer | null>('preseal_getCreation', [input]).catch(() => null)
  if (known !== null) return constructorArguments(input, known)
  const contract = created ? await contracts().find(created, at) : undefined
  // The ABI of a proxy includes the constructor of its implementation.
  if (contract === undefined || contract.info.proxies.length + contract.info.facets.length > 0)
    return undefined
  const item = contract.info.abi.find(({ type }) => type === 'constructor') as
    | CreationAnswer['constructor']
    | undefined
  return item?.inputs === undefined ? undefined : argumentsAtEnd(input, item.inputs)
}
