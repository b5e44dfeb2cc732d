/** A worker thread: imports the module of an exploration, and plays the tasks that the main thread gives. */
import type { MessagePort } from 'node:worker_threads'
import { explorationsIn } from './exported.ts'

/** The address of this module, in whatever file it was bundled. */
export const url: string = import.meta.url

/** The exploration that a thread plays: an export of a module, and the limits that replace those of its definition. */
export interface Exported {
  readonly file: string
  readonly name: string
  readonly limits: object
}

export type Answer = { readonly result: unknown } | { readonly error: unknown }

/** Answers the tasks that arrive at `port`, one after the other. */
export async function answerTasks({ file, name, limits }: Exported, port: MessagePort): Promise<void> {
  const exploration = (await explorationsIn(file)).get(name)!
  const play = await exploration.player(limits)
  port.on('message', async (task) => {
    const answer: Answer = await play(task).then(
      (result) => ({ result }),
      (error) => ({ error }),
    )
    port.postMessage(answer)
  })
  port.postMessage('ready')
}
