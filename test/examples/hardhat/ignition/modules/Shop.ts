import { buildModule } from '@nomicfoundation/hardhat-ignition/modules'

export default buildModule('Shop', (module) => ({ shop: module.contract('Shop', [3n]) }))
