/**
 * Waits at the end of each file for what is still being imported. Files share what they import: an import that the end of its file
 * broke off would be broken for all files after it.
 */
import { afterAll, vi } from 'vitest'

afterAll(() => vi.dynamicImportSettled())
