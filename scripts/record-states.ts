/**
 * Records a state file of anvil, and what anvil answers about the chain in it, into `fixtures/stateFiles`:
 * `test/flows/stateFilesOfAnvil.test.ts` loads it, and the tests need no anvil.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadKeccak } from '../src/model/crypto/keccak.ts'
import { recordAnvil } from '../test/support/anvilStates.ts'
import { foundryVersion } from './foundry.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/stateFiles')

await loadKeccak()
mkdirSync(FOLDER, { recursive: true })
const recorded = await recordAnvil({ withHistory: true, withBlob: false })
if (recorded === undefined) throw new Error('anvil is not installed, or does not run on this platform')
writeFileSync(join(FOLDER, 'anvil.json'), recorded.file)
const lines = [{ anvil: foundryVersion('anvil') }, ...recorded.answers].map((line) => JSON.stringify(line))
writeFileSync(join(FOLDER, 'anvil.answers.jsonl'), `${lines.join('\n')}\n`)
console.log(`${recorded.answers.length} answers`)
