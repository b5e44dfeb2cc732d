import { createDevnet } from 'preseal'
import { createPublicClient, custom, http } from 'viem'

const devnet = await createDevnet()
const inProcess = createPublicClient({ transport: custom(devnet) })

const { url, close } = await devnet.listen({ port: 0 })
const overHttp = createPublicClient({ transport: http(url) })

console.log(await inProcess.getChainId(), await overHttp.getChainId())
await close()
await devnet.close()
