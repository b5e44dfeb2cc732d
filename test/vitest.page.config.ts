/** What the page shows, in a Chromium: `npm run test:page`. Screenshots are left in `dist-stories/`. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: ['test/page/stories/**/*.story.ts'],
    exclude: [],
    globalSetup: path('support/page/builtPage.ts'),
  },
})
