/**
 * How the page is built (`npm run build`, into `dist/page/`) and developed (`npm run page`: with reload on each change, and with
 * JSON-RPC of the devnet at `PRESEAL_URL`, http://127.0.0.1:8545 by default).
 */
import { fileURLToPath } from 'node:url'
import { defineConfig, type ProxyOptions } from 'vite'

const devnet = process.env.PRESEAL_URL ?? 'http://127.0.0.1:8545'

/** JSON-RPC goes to the devnet; what a browser reads comes from Vite. */
const toDevnet: ProxyOptions = {
  target: devnet,
  ws: true,
  changeOrigin: true,
  bypass: ({ method, url, headers }) =>
    method === 'POST' || headers.upgrade === 'websocket' ? undefined : (url ?? '/'),
}

/**
 * The modules that most views need, in one chunk: a request for each would cost more than it saves. Nothing here decodes ABIs, which is
 * most of the page's code, and the search is loaded when it is used.
 */
const COMMON =
  /node_modules\/@?preact|src\/page\/((live|source)\/|(?!search)\w+\.ts$|parts\/(Answer|amounts|Fields|Hint|links|StateBadge|VirtualRows)\.tsx)/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // From the root of the port, also for the chains of `preseal serve`: deep links have any number of slashes.
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no inline code, and no data.
    assetsInlineLimit: 0,
    // All of it is small, and the same rules are in force whatever view came first.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'common', test: COMMON }] } } },
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', proxy: { '^/$': toDevnet, '^/c/[^/]+$': toDevnet, '^/health$': devnet } },
})
