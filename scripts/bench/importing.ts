/**
 * Importing a file of RLP blocks, as preseal does it and as a script with EthereumJS alone does.
 *
 * Both decode each block, run it, and hold roots, gas and bloom against its header. The chain is that of
 * ethereum/execution-apis, which is not part of this repository.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDevnet } from '../../src/index.ts'
import { type Contender, contest, summary } from './measure.ts'
import { type GethGenesis, importWithEthereumjs } from './peers/ethereumjsImport.ts'
import { beside, type Row, type Thoroughness } from './row.ts'
import { CHAIN_FOLDER } from './topics.ts'

const WHAT = 'import of chain.rlp'

export async function* importing(thoroughness: Thoroughness): AsyncGenerator<Row> {
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
    const { hash } = (await devnet.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    })) as {
      hash: string
    }
    await devnet.close()
    return hash
  }
  const theirs = () => importWithEthereumjs(JSON.parse(genesis) as GethGenesis, chain)
  const heads = [await ours(), await theirs()]
  if (heads[0] !== heads[1]) throw new Error(`${WHAT}: the heads differ: ${heads.join(', ')}`)
  const [own, other] = await contest([timing(ours), timing(theirs)], thoroughness === 'full' ? 7 : 1)
  yield {
    what: WHAT,
    ours: summary(own!),
    unit: 'microseconds',
    peer: beside("EthereumJS's runBlock over its MerkleStateManager", own!, other!),
    goals: [{ kind: 'ratioAtMost', ratio: 1.2 }],
  }
}

function timing(work: () => Promise<unknown>): Contender {
  return async () => {
    const started = performance.now()
    await work()
    return (performance.now() - started) * 1000
  }
}
