/** Storage layouts from ASTs equal solc's. */
import { describe, expect, it } from 'vitest'
import type { StorageLayout } from '../../../src/solidity/artifacts/solcJson.ts'
import { astLayoutsOf } from '../../../src/solidity/debug/astLayout.ts'
import { sourceModelOf } from '../../../src/solidity/source/sourceModel.ts'
import { debugged, knowing, placed, writesIn } from '../../support/compilers/debugged.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'

const KINDS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.29;
type Price is uint96;
enum Size { Small, Big }
struct Free { uint8 a; Size size; }
interface Other { struct Deep { Free[3] frees; bool last; } }
contract A { uint128 a1; uint64 internal a2; uint256 constant K = 3; }
contract B is A { bool b1; uint256 immutable im = 4; address payable b2; }
contract C is A { bytes3 c1; function (uint256) external returns (bool) c2; function () internal c3; }
contract Kinds is B, C layout at 0x1234 {
  struct Node { Node[] children; mapping(bytes32 => Node) byName; int24 weight; }
  uint8[33] bytesOf; uint128[3] halves; uint136[3] wholes; bool[2][3] flags; bytes32[0x2][] pairs;
  string text; bytes raw; Node node; Other other; Other.Deep deep; Free free; Free[] more; Size size;
  mapping(Price => mapping(Other => Size[2])) prices; Price price; uint16 last;
  uint256[K * 2] counted; bool transient busy; address transient who; uint256 transient depth;
}`

describe('the layout made of a syntax tree', () => {
  const compilation = compiled({ 'Kinds.sol': KINDS })
  const model = sourceModelOf(compilation)

  it.each(['A', 'B', 'C', 'Kinds'])('is that of solc for %s', (name) => {
    const contract = model.contract({ sourceName: 'Kinds.sol', name })!
    const ours = astLayoutsOf(contract, model)
    const { storageLayout, transientStorageLayout } = contractOf(compilation, name).output
    expect(shown(ours?.storage)).toEqual(shown(storageLayout))
    expect(shown(ours?.transient)).toEqual(shown(transientStorageLayout))
  })

  it('names variables where the compiler wrote none, and structs in their namespaces', async () => {
    const own = compiled({ 'Vault.sol': VAULT })
    const { input, output } = own
    const vault = contractOf(own, 'Vault').output
    const { storageLayout: _, ...without } = vault
    const bare = { ...own, output: { ...output, contracts: { 'Vault.sol': { Vault: without } } } }
    const devnet = await knowing({ ...bare, input })
    const run = await debugged(devnet, await placed(devnet, bare, 'Vault'), 'put', [5n])
    expect(run.gaps).toEqual([])
    const me = devnet.accounts[0]!.address
    expect(writesIn(run)).toEqual(['count: 0 → 1', `Main.shares[${me}]: 0 → 5`, 'Main.total: 0 → 5'])
    // The example of ERC-7201.
    const total = run.steps.flatMap(({ storage }) => storage).find(({ name }) => name === 'Main.total')
    expect(total?.slot).toBe('0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab501')
  })
})

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Vault {
  uint256 count;
  /// @custom:storage-location erc7201:example.main
  struct Main { mapping(address => uint256) shares; uint256 total; }
  function main() private pure returns (Main storage it) {
    assembly { it.slot := 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500 }
  }
  function put(uint256 n) external { count = 1; main().shares[msg.sender] = n; main().total = n; }
}`

/** Each variable with its type, without type ids. */
function shown(layout: StorageLayout | undefined) {
  const typeOf = (id: string | undefined, depth = 0): unknown => {
    const type = id === undefined ? undefined : layout?.types?.[id]
    if (type === undefined || depth > 3) return undefined
    const { encoding, label, numberOfBytes, base, key, value, members } = type
    const inner = [base, key, value].map((one) => typeOf(one, depth + 1))
    return { encoding, label, numberOfBytes, inner, members: members?.map((one) => variable(one, depth + 1)) }
  }
  const variable = ({ label, slot, offset, astId, type }: StorageLayout['storage'][number], depth = 0) => ({
    label,
    slot,
    offset,
    astId,
    type: typeOf(type, depth),
  })
  return layout?.storage.map((one) => variable(one))
}
