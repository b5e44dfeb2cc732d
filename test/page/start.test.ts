/** Modules that run code when they are loaded: each has to set up its state before that code reads it. */
import { beforeAll, expect, test, vi } from 'vitest'

beforeAll(() => {
  const media = { matches: true, addEventListener: () => {} }
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('matchMedia', () => media)
  vi.stubGlobal('location', { pathname: '/block/12', search: '?tab=logs', hash: '' })
  vi.stubGlobal('history', { state: null, replaceState: () => {} })
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('document', { documentElement: { dataset: {} }, querySelector: () => null })
  return () => vi.unstubAllGlobals()
})

test('the route is that of the address bar when the page is loaded', async () => {
  vi.stubGlobal('history', { state: { visit: '1' }, replaceState: () => {} })
  const { query, route } = await import('../../src/page/navigation.ts')
  expect(route.value).toEqual({ view: 'block', id: '12' })
  expect(query.value.get('tab')).toBe('logs')
})

test('the theme is that of the system when the page is loaded', async () => {
  const { shownTheme } = await import('../../src/page/theme.ts')
  expect(shownTheme.value).toBe('dark')
  expect(document.documentElement.dataset.theme).toBe('dark')
})
