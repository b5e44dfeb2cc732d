/**
 * The import of a file of RLP blocks, beside a script with EthereumJS alone.
 *
 * Both decode each block, run it, and compare roots, gas and bloom with its header. The chain is that of
 * ethereum/execution-apis, which is not part of this repository.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDevnet } from '../../src/index.ts'
import { contest, timedOnce } from './measure.ts'
import { type GethGenesis, importWithEthereumjs } from './peers/ethereumjsImport.ts'
import { beside, type Row, rowOf, type Thoroughness } from './row.ts'
import { CHAIN_FOLDER } from './topics.ts'

const WHAT = 'import of chain.rlp'

export default async function* importing(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const folder = process.env[CHAIN_FOLDER]
  if (folder === undefined || !existsSync(join(folder, 'chain.rlp'))) {
    const where =
      folder === undefined ? `neither --chain nor ${CHAIN_FOLDER} is given` : `no ${folder}/chain.rlp`
    yield { what: WHAT, skipped: where }
    return
  }
  const genesis = readFileSync(join(folder, 'genesis.json'), 'utf8')
  const chain = readFileSync(join(folder, 'chain.rlp'))
  const ours = async () => {
    const devnet = await createDevnet({ genesis: JSON.parse(genesis), rhythm: 'manual' })
    await devnet.import(chain)
    const head = await devnet.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    await devnet.close()
    return (head as { hash: string }).hash
  }
  const theirs = () => importWithEthereumjs(JSON.parse(genesis) as GethGenesis, chain)
  const heads = [await ours(), await theirs()]
  if (heads[0] !== heads[1]) throw new Error(`${WHAT}: the heads differ: ${heads.join(', ')}`)
  const rounds = thoroughness === 'full' ? 7 : 1
  const [own, other] = (await contest([timedOnce(ours), timedOnce(theirs)], rounds)) as [number[], number[]]
  const peer = beside("EthereumJS's runBlock over its MerkleStateManager", own, other)
  yield rowOf(WHAT, own, { peer, goal: { ratioAtMost: 1.2 } })
}
