import { expect, test } from 'vitest'
import { LruCache } from '../../../src/model/collections/lruCache.ts'

test('the entry used longest ago is dropped first', () => {
  const cache = new LruCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect(cache.get('b')).toBeUndefined()
  expect([cache.get('a'), cache.get('c'), cache.size]).toEqual([1, 3, 2])
})

test('a limit by weight drops as many entries as a heavy one needs', () => {
  const cache = new LruCache<string, string>(5, (text) => text.length)
  cache.set('a', 'xx')
  cache.set('b', 'xx')
  cache.set('c', 'xxxx')
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, undefined, 'xxxx'])
  cache.set('c', 'x')
  cache.set('d', 'xxxx')
  expect(cache.size).toBe(2)
})

test('a value heavier than the limit is not kept', () => {
  const cache = new LruCache<string, string>(5, (text) => text.length)
  expect(cache.set('a', 'xxxxxx')).toBe('xxxxxx')
  expect(cache.size).toBe(0)
})

test('a deleted entry weighs nothing', () => {
  const cache = new LruCache<string, string>(3, (text) => text.length)
  cache.set('a', 'xx')
  expect([cache.delete('a'), cache.delete('a')]).toEqual([true, false])
  cache.set('b', 'x')
  cache.set('c', 'xx')
  expect(cache.size).toBe(2)
})
