/** Builds the page into `dist/page/`, or serves it with hot reload (`npm run page`) and the devnet at `PRESEAL_URL`. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type ProxyOptions } from 'vite'

const devnet = process.env.PRESEAL_URL ?? 'http://127.0.0.1:8545'

/** Forwards JSON-RPC to the devnet. Vite serves other requests. */
const toDevnet: ProxyOptions = {
  target: devnet,
  ws: true,
  changeOrigin: true,
  bypass: ({ method, url, headers }) =>
    method === 'POST' || headers.upgrade === 'websocket' ? undefined : (url ?? '/'),
}

/** Matches modules that most views need. They form one chunk, because a separate request for each would take longer. */
const COMMON =
  /node_modules\/@?preact|src\/page\/((live|source)\/|(?!search)\w+\.ts$|parts\/(Answer|chain|controls)\.tsx)/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The base is absolute, because paths of routes have several segments and may be below `/c/NAME`.
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows neither inline code nor `data:` URLs, except for images.
    assetsInlineLimit: 0,
    // All styles are in one file: it is small, and the order of rules does not depend on which view loads first.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'common', test: COMMON }] } } },
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', proxy: { '^/$': toDevnet, '^/c/[^/]+$': toDevnet, '^/health$': devnet } },
})
