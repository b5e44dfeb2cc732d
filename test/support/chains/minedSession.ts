/** A recording of a session. */
import { createDevnet } from '../../../src/index.ts'

/** Resolves with the recording of a devnet that mined one block. */
export async function minedSession(): Promise<string> {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const recording = await devnet.record()
  await devnet.mine()
  recording.end()
  return recording.text
}
