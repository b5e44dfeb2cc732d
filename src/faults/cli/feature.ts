/** Defines the flag `--faults`, and prints faults. */
import pc from 'picocolors'
import type { Devnet } from '../../devnet/devnet.ts'
import type { EventLines, Feature, RunPart, TextTools } from '../../terminal/feature.ts'
import { FileFailed, readJson } from '../../terminal/files.ts'
import { grouped } from '../../terminal/flags.ts'
import type { AnyFault } from '../fault.ts'
import { encodeFault, type FaultForm } from '../faultJson.ts'
import { InvalidFault, requireFault } from '../faults.ts'

export const faults: Feature = {
  addFlags(command) {
    const meaning = 'JSON file of faults to plan once the devnet listens'
    command.addOption(grouped('files', '--faults <file>', meaning))
  },
  open: ({ faults: file }) => (file === undefined ? {} : planning(file as string)),
  printed: { text: textLines, json: jsonLines },
}

/** Returns the part of a run that plans the faults in `file` before clients learn the port. */
function planning(file: string): RunPart {
  let forms: readonly FaultForm[] = []
  return {
    async outputs() {
      forms = await readFaults(file)
      return []
    },
    async onListening(devnet: Devnet) {
      const refused = (error: unknown) => refuse(file, error)
      await Promise.all(forms.map((form) => devnet.faults.add(form).catch(refused)))
    },
  }
}

/** Returns the faults in `file`, a JSON array of parameters of `preseal_addFault`. Throws `FileFailed`. */
async function readFaults(file: string): Promise<readonly FaultForm[]> {
  const { value: forms } = await readJson('--faults', file)
  if (!Array.isArray(forms)) {
    throw new FileFailed(`--faults ${file}: expected an array of faults: [{"kind": …, "when": …}, …]`)
  }
  for (const [index, form] of forms.entries()) {
    try {
      requireFault(form, `[${index}]`)
    } catch (error) {
      refuse(file, error)
    }
  }
  return forms
}

function refuse(file: string, error: unknown): never {
  if (!(error instanceof InvalidFault)) throw error
  throw new FileFailed(`--faults ${file}: ${error.message}`, { cause: error })
}

function textLines({ block: linked, safe }: TextTools): EventLines {
  return {
    fault(fault, block, slice) {
      const where =
        slice === undefined ? `at the seal of ${linked(block)}` : `in ${linked(block)}, slice ${slice}`
      return [pc.yellow(`planned fault: ${safe(faultText(fault))} ${where}`)]
    },
    requestFault: (fault, method) => [
      safe(pc.yellow(`planned fault: ${faultText(fault)}${method === undefined ? '' : ` for ${method}`}`)),
    ],
  }
}

function jsonLines(): EventLines {
  return {
    fault: (fault, block, slice) => [
      JSON.stringify({ event: 'fault', fault: encodeFault(fault), block: Number(block), slice }),
    ],
    requestFault: (fault, method) => [JSON.stringify({ event: 'fault', fault: encodeFault(fault), method })],
  }
}

function faultText({ kind, ...members }: AnyFault): string {
  const shown = Object.entries(members).filter(([, value]) => typeof value !== 'object')
  return shown.length === 0 ? kind : `${kind} (${shown.map((entry) => entry.join(' ')).join(', ')})`
}
