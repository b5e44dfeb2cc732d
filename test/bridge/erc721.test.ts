/** The bridge of ERC-721 tokens: a token of L1 goes down to the L2, and comes up again. */
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { getWithdrawals } from 'viem/op-stack'
import { expect, it } from 'vitest'
import { type Bridged, bridged, EPOCH } from '../support/clients/bridge.ts'
import { ask } from '../support/clients/clients.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'

const L1_ERC721_BRIDGE = '0x5a7749f83b81B301cAb5f48EB8516B986DAef23D'
const L2_ERC721_BRIDGE = '0x4200000000000000000000000000000000000014'
const ERC721_FACTORY = '0x4200000000000000000000000000000000000017'
const CARD = 7n

/** The functions of ERC-721 that the bridge calls, without approvals. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

contract Cards {
    mapping(uint256 card => address) public ownerOf;

    function mint(uint256 card) external {
        ownerOf[card] = msg.sender;
    }

    function transferFrom(address from, address to, uint256 card) public {
        require(ownerOf[card] == from);
        ownerOf[card] = to;
    }

    function safeTransferFrom(address from, address to, uint256 card) external {
        transferFrom(from, to, card);
    }
}`

const abi = parseAbi([
  'function mint(uint256 card)',
  'function ownerOf(uint256 card) view returns (address)',
  'function createOptimismMintableERC721(address remoteToken, string name, string symbol) returns (address)',
  'function bridgeERC721(address localToken, address remoteToken, uint256 tokenId, uint32 minGasLimit, bytes extraData)',
])

async function cardsOf({ l1, l2, clientL2 }: Bridged): Promise<readonly [onL1: Hex, onL2: Hex]> {
  const { output } = contractOf(compiled({ 'Cards.sol': SOURCE }), 'Cards')
  const from = l1.accounts[0]!.address
  const data: Hex = `0x${output.evm!.bytecode!.object}`
  const deployed = await ask<Hex>(l1, 'eth_sendTransaction', { from, data, gas: '0xf4240' })
  await l2.advance(EPOCH)
  const { contractAddress } = await ask<{ contractAddress: Hex }>(l1, 'eth_getTransactionReceipt', deployed)
  const args = [contractAddress, 'Cards', 'CRD'] as const
  const creation = { abi, functionName: 'createOptimismMintableERC721', args } as const
  const hash = await clientL2.sendTransaction({ to: ERC721_FACTORY, data: encodeFunctionData(creation) })
  await l2.mine()
  const { logs } = await clientL2.getTransactionReceipt({ hash })
  return [contractAddress, `0x${logs[0]!.topics[1]!.slice(26)}`]
}

it('a token of L1 is minted on the L2, and released on L1 when it is burnt there', async () => {
  const pair = await bridged()
  const { l2, account, clientL1, clientL2 } = pair
  const [onL1, onL2] = await cardsOf(pair)
  const ownerOf = async (client: typeof clientL1, address: Hex) =>
    client.readContract({ abi, address, functionName: 'ownerOf', args: [CARD] })
  const bridging = (local: Hex, remote: Hex) =>
    encodeFunctionData({ abi, functionName: 'bridgeERC721', args: [local, remote, CARD, 300_000, '0x'] })

  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [CARD] })
  await clientL1.sendTransaction({ to: onL1, data: mint })
  await l2.advance(EPOCH)
  await clientL1.sendTransaction({ to: L1_ERC721_BRIDGE, data: bridging(onL1, onL2), gas: 900_000n })
  await l2.advance(EPOCH)
  expect(await ownerOf(clientL1, onL1)).toBe(L1_ERC721_BRIDGE)
  expect(await ownerOf(clientL2 as never, onL2)).toBe(account.address)

  const hash = await clientL2.sendTransaction({ to: L2_ERC721_BRIDGE, data: bridging(onL2, onL1) })
  await l2.advance({ seconds: 30 })
  await expect(ownerOf(clientL2 as never, onL2)).rejects.toThrow('invalid token ID')
  const receipt = await clientL2.getTransactionReceipt({ hash })
  const targetChain = clientL2.chain
  const { game } = await clientL1.waitToProve({ receipt, targetChain })
  const [withdrawal] = getWithdrawals(receipt)
  await clientL1.proveWithdrawal(
    await clientL2.buildProveWithdrawal({ account, game, withdrawal: withdrawal! }),
  )
  await l2.advance({ days: 7, minutes: 1 })
  await clientL1.finalizeWithdrawal({ account, withdrawal: withdrawal!, targetChain })
  await l2.advance(EPOCH)
  expect(await ownerOf(clientL1, onL1)).toBe(account.address)
})
