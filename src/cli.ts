#!/usr/bin/env node
/**
 * The command `preseal`: lets Node keep the compiled code of the command line on disk, and runs it.
 *
 * Compiling takes a third of a start. From version 22.1 on, Node can keep what it compiled in a folder of its own
 * (`node-compile-cache` in the folder for temporary files, or `NODE_COMPILE_CACHE`), unless `NODE_DISABLE_COMPILE_CACHE`
 * is set. It reports a folder that cannot be written in its result, which is not read: the start is then as slow as the
 * first one. Only modules that are loaded afterwards are kept, so this file imports nothing of preseal before.
 */
import module from 'node:module'

/** The members of `node:module` that Node 20 lacks. */
interface CompileCache {
  enableCompileCache?(): unknown
  flushCompileCache?(): void
}

const cache = module as CompileCache
cache.enableCompileCache?.()
const { running } = await import('./cli/run.ts')
await running
// Writes the compile cache of the start now, since many devnets are killed. At an orderly exit Node adds later modules.
cache.flushCompileCache?.()
