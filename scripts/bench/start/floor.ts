/** The minimum to run code with EthereumJS: its VM, its state manager, one account with code. */
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { createVM } from '@ethereumjs/vm'

const to = createAddressFromString('0x00000000000000000000000000000000000c0de0')
const vm = await createVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Osaka }) })
await vm.stateManager.putCode(to, hexToBytes('0x602a60005260206000f3'))
const { execResult } = await vm.evm.runCall({ to, gasLimit: 30_000_000n })
console.log(bytesToHex(execResult.returnValue))
