// The built package, as its users import it, listening: its URL is its first line.
import { createDevnet } from 'preseal'

const devnet = await createDevnet({ rhythm: 'manual' })
const { url } = await devnet.listen({ port: 0 })
// Ends with its parent.
process.stdin.on('end', () => process.exit()).resume()
console.log(url)
