import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compileEngine } from '../src/engine/wasm/generate/compile.ts'

// Before anything is loaded that imports it.
await compileEngine()

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** What takes long by its nature: builds, whole chains run once more by others, processes, most of the clients. `npm run test:long` */
export const LONG = [
  'test/solidity/artifacts/openZeppelin.test.ts',
  'test/package/bundle.test.ts',
  'test/cli/cli.test.ts',
  'test/cli/artifacts.test.ts',
  'test/cli/config.test.ts',
  'test/cli/endings.test.ts',
  'test/cli/fixtures.test.ts',
  'test/cli/networkUse.test.ts',
  'test/cli/page.test.ts',
  'test/cli/progress.test.ts',
  'test/cli/replay.test.ts',
  'test/cli/serve.test.ts',
  'test/cli/stateFiles.test.ts',
  'test/cli/cliFaults.test.ts',
  'test/clients/cast.test.ts',
  'test/clients/castSend.test.ts',
  'test/clients/ethersErrors.test.ts',
  'test/clients/ethersWatching.test.ts',
  'test/clients/forge.test.ts',
  'test/clients/foundryOnFork.test.ts',
  'test/clients/hardhatFixtures.test.ts',
  'test/clients/hardhatStories.test.ts',
  'test/clients/prool.test.ts',
  'test/clients/viemErrors.test.ts',
  'test/clients/viemFaultsOfRequests.test.ts',
  'test/clients/viemPreconfirmation.test.ts',
  'test/clients/viemTestActionsOnFork.test.ts',
  'test/clients/web3.test.ts',
  'test/conversations.test.ts',
  'test/engine/ethereumjs/adapter.test.ts',
  'test/engine/ethereumjs/unpatched.test.ts',
  'test/engine/fusedInstructions.test.ts',
  'test/engine/precompiles/precompilesOnCurves.test.ts',
  'test/engine/wasm/heap.test.ts',
  'test/fixtures/readme.test.ts',
  'test/flows/anvil.test.ts',
  'test/flows/blobs.test.ts',
  'test/flows/eachLogOnce.test.ts',
  'test/flows/export.test.ts',
  'test/flows/faultInvariants.test.ts',
  'test/flows/hostile.test.ts',
  'test/flows/preconfirmationLive.test.ts',
  'test/flows/replay.test.ts',
  'test/flows/requestTimeout.test.ts',
  'test/flows/stateFilesOfAnvil.test.ts',
  'test/flows/ways.test.ts',
  'test/forks/differentialOfHardforks.test.ts',
  'test/forks/offlineProcesses.test.ts',
  'test/forks/proofsAtLength.test.ts',
  'test/forks/randomFaults.test.ts',
  'test/malformed.test.ts',
  'test/package/package.test.ts',
  'test/sequencer/roots.test.ts',
  'test/solidity/coverage/forge.test.ts',
  'test/solidity/coverage/project.test.ts',
  'test/solidity/optimized.test.ts',
  'test/measuring/coverage/reporters.test.ts',
  'test/server/many/chainsClients.test.ts',
  'test/testing/fixtureCache.test.ts',
  'test/measuring/gas/page.test.ts',
  'test/measuring/gas/reporters.test.ts',
  'test/measuring/gas/snapshots.test.ts',
  'test/reports/runners.test.ts',
  'test/testing/solidityPage.test.ts',
]

/** Far more than any of them takes, but for a machine that has other things to do: a minute was too little for one. */
const LIMIT_MS = 300_000

export default defineConfig({
  root: path('..'),
  // Examples import the package by its name, as their readers will.
  resolve: {
    alias: {
      'preseal/testing': path('../src/testing/index.ts'),
      'preseal/playwright': path('../src/testing/playwright/index.ts'),
      'preseal/vitest/setup': path('../src/testing/vitest/setup.ts'),
      'preseal/vitest': path('../src/testing/vitest/index.ts'),
      preseal: path('../src/index.ts'),
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: LONG,
    globalSetup: path('support/processes/bundledCli.ts'),
    setupFiles: path('support/chains/importsSettle.ts'),
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: 60_000 } },
    // By default one processor is left idle, which is half of a machine with two. Other jobs may be beside this one.
    maxWorkers: process.env.PRESEAL_TEST_WORKERS ?? '100%',
    // Loading EthereumJS anew for each of a hundred files took longer than the tests. Files share what they import, and so
    // leave nothing behind: what a test starts it ends.
    isolate: false,
  },
})
