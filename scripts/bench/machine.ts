/** What it was measured on, and with which versions. */
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { version } from '../../src/model/text.ts'
import { foundryVersion } from '../foundry.ts'

/** Processor, memory, Node and platform in a line. */
export function machine(): string {
  const processors = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${processors[0]?.model.trim()} × ${processors.length}, ${memory} GiB, Node ${process.version}, ${process.platform}-${process.arch}`
}

/** Who was measured, by name. */
export function versions(): Record<string, string> {
  return {
    preseal: version,
    'Node.js': process.versions.node,
    anvil: foundryVersion('anvil') ?? 'absent',
    '@ethereumjs/vm': installed('@ethereumjs/vm'),
    '@ethereumjs/statemanager': installed('@ethereumjs/statemanager'),
  }
}

/** Read from its folder: these packages do not export their package.json. */
function installed(name: string): string {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
