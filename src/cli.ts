#!/usr/bin/env node
/**
 * The executable `preseal`. From Node 22.1 on, it caches its compiled code on disk, which shortens a start by a
 * third. The cache is `node-compile-cache` in the folder for temporary files, or the folder in
 * `NODE_COMPILE_CACHE`. Without a writable folder, or with `NODE_DISABLE_COMPILE_CACHE`, each start compiles the
 * code again. Node caches only the modules that are loaded after `enableCompileCache`, so all of preseal is
 * imported after that call.
 */
import module from 'node:module'

/** Members of `node:module` that Node 20 lacks. */
interface CompileCache {
  enableCompileCache?(): unknown
  flushCompileCache?(): void
}

const cache = module as CompileCache
cache.enableCompileCache?.()
const { running } = await import('./cli/run.ts')
await running
// Writes the cache now, because a devnet is often killed. If the process exits normally, Node adds the modules
// loaded later.
cache.flushCompileCache?.()
