import { defineConfig } from 'vitest/config'
import usual, { LONG } from './vitest.config.ts'

export default defineConfig({ ...usual, test: { ...usual.test, include: [...LONG], exclude: [] } })
