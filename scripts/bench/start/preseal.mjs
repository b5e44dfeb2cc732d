// Imports the built package and prints its first answer, then the milliseconds of its devnets.
import { createDevnet } from 'preseal'

const to = '0x00000000000000000000000000000000000c0de0'
const timed = async () => {
  const start = performance.now()
  const devnet = await createDevnet({ rhythm: 'manual' })
  return { devnet, ms: performance.now() - start }
}

const first = await timed()
const answer = await first.devnet.request({
  method: 'eth_call',
  params: [{ to }, 'latest', { [to]: { code: '0x602a60005260206000f3' } }],
})
console.log(answer)
const second = await timed()
console.log(JSON.stringify({ first: first.ms, second: second.ms }))
