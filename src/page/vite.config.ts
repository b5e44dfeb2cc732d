/**
 * Builds the page (`npm run build`, into `dist/page/`) and serves it for development (`npm run page`: with hot reload, and JSON-RPC of the
 * devnet at `PRESEAL_URL`, by default http://127.0.0.1:8545).
 */
import { fileURLToPath } from 'node:url'
import { defineConfig, type ProxyOptions } from 'vite'

const devnet = process.env.PRESEAL_URL ?? 'http://127.0.0.1:8545'

/** Proxies JSON-RPC to the devnet; Vite serves the page. */
const toDevnet: ProxyOptions = {
  target: devnet,
  ws: true,
  changeOrigin: true,
  bypass: ({ method, url, headers }) =>
    method === 'POST' || headers.upgrade === 'websocket' ? undefined : (url ?? '/'),
}

/**
 * Matches the modules that most views need. They are in one chunk, because a request for each costs more than it saves.
 * The modules that decode ABIs, most of the page's code, and the search are in other chunks.
 */
const COMMON =
  /node_modules\/@?preact|src\/page\/((live|source)\/|(?!search)\w+\.ts$|parts\/(Answer|amounts|Fields|Hint|links|StateBadge|VirtualRows)\.tsx)/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Absolute, since deep links have several slashes, and chains of `preseal serve` have paths of their own.
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no inline code, and no data.
    assetsInlineLimit: 0,
    // The styles are small, and one file keeps the order of rules independent of the view loaded first.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'common', test: COMMON }] } } },
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', proxy: { '^/$': toDevnet, '^/c/[^/]+$': toDevnet, '^/health$': devnet } },
})
