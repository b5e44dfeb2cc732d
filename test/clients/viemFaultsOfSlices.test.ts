/**
 * What viem's watchers are told where slices go wrong, and blocks are not sealed as they were foreseen: in tables, which
 * test/support/clients/watchers.ts explains.
 *
 * What they ask and hear is about sealed blocks:
 * - `watchBlocks` over HTTP asks for the block `latest`, and tells it if its number is greater than that of the last;
 * - `watchContractEvent` over HTTP installs a filter with its first poll, and asks for its changes with each other;
 * - `watchBlocks` over WebSocket subscribes to `newHeads`, and asks for the block with the number of each head;
 * - `watchContractEvent` over WebSocket subscribes to `logs`.
 *
 * So for them nothing is pre-confirmed, and what goes wrong before the seal escapes them. With the tag `pending`
 * `watchBlocks` has to poll (over WebSocket with `poll: true`; without, the tag means nothing). By the rule of numbers it
 * then tells each block once, as it was when first seen: never its later slices, nor what was sealed, unless the number is new.
 */
import { describe, it } from 'vitest'
import { watched } from '../support/clients/watchers.ts'

describe('viem is told', () => {
  it('where nothing goes wrong: of pending blocks what the first slice had, and whatever was sealed', async () => {
    const { sees } = await watched()
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      b, tick | –            | –             | –            | –                 | –
      tick    | –            | –             | –            | –                 | –
      c, tick | 2: a b       | 3?: c         | a 2#0, b 2#1 | 2: a b            | a 2#0, b 2#1
      seal    | 3: c         | –             | c 3#0        | 3: c              | c 3#0
    `)
  })

  it('where a slice never comes: of the block once it is sealed; of a pending block that lost its first, nothing', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.omitSlice({ block: 2, slice: 2 })
    await devnet.faults.omitSlice({ block: 3, slice: 1 })
    // Where `pending` is absent, it is `latest`, which has no new number.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      b, tick | –            | –             | –            | –                 | –
      tick    | –            | –             | –            | –                 | –
      tick    | 2: a b       | –             | a 2#0, b 2#1 | 2: a b            | a 2#0, b 2#1
      tick    | –            | –             | –            | –                 | –
      c, tick | –            | –             | –            | –                 | –
      tick    | 3: c         | 4?            | c 3#0        | 3: c              | c 3#0
    `)
  })

  it('where a slice is told twice: nothing of that', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.duplicateSlice({ times: 2 })
    // Only `pendingLogs` and the kinds of Flashblocks bring it again, for which viem has no watcher.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      b, tick | –            | –             | –            | –                 | –
      seal    | 2: a b       | –             | a 2#0, b 2#1 | 2: a b            | a 2#0, b 2#1
    `)
  })

  it('where a slice comes late: of the pending block as late, or of the sealed one in its place', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.delaySlice({ slices: 1 }, { block: 2, slice: 1 })
    await devnet.faults.delaySlice({ slices: 2 }, { block: 3, slice: 1 })
    // Block 3 is sealed before it is shown: then `pending` is `latest`, whose number is new.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | –             | –            | –                 | –
      b, tick | –            | 2?: a b       | –            | –                 | –
      seal    | 2: a b       | –             | a 2#0, b 2#1 | 2: a b            | a 2#0, b 2#1
      c, tick | –            | –             | –            | –                 | –
      seal    | 3: c         | 3: c          | c 3#0        | 3: c              | c 3#0
    `)
  })

  it('where pending is absent: of sealed blocks, by those who watch pending ones, too', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.absentPending({ slices: 4 })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | –             | –            | –                 | –
      tick    | –            | –             | –            | –                 | –
      tick    | –            | –             | –            | –                 | –
      tick    | 2: a         | 2: a          | a 2#0        | 2: a              | a 2#0
      b, tick | –            | 3?: b         | –            | –                 | –
    `)
  })

  it('where pending is stale: of the next pending block late', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.stalePending({ slices: 4 }, { block: 2, slice: 2 })
    // While block 2 is sealed and `pending` still shows it as it was, its number is no new one.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      b, tick | –            | –             | –            | –                 | –
      tick    | –            | –             | –            | –                 | –
      c, tick | 2: a b       | –             | a 2#0, b 2#1 | 2: a b            | a 2#0, b 2#1
      tick    | –            | –             | –            | –                 | –
      tick    | –            | 3?: c         | –            | –                 | –
    `)
  })

  it('where a transaction is dropped and lands later: of two pending blocks that have it, and one sealed', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.dropTransaction({ lands: 'next' })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      seal    | 2            | –             | –            | 2                 | –
      tick    | –            | 3?: a         | –            | –                 | –
      seal    | 3: a         | –             | a 3#0        | 3: a              | a 3#0
    `)
  })

  it('where a transaction is dropped for good: of a pending block that had it, and no word more', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.dropTransaction({ lands: 'never' })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, tick | –            | 2?: a         | –            | –                 | –
      seal    | 2            | –             | –            | 2                 | –
      tick    | –            | 3?            | –            | –                 | –
      seal    | 3            | –             | –            | 3                 | –
    `)
  })

  it('where a block is sealed in another order: of that order, but by those who watch pending ones', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.sealDifferently({ order: 'reversed' })
    await sees(`
      done       | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch      | 1            | 1             | –            | –                 | –
      a, b, tick | –            | 2?: a b       | –            | –                 | –
      seal       | 2: b a       | –             | b 2#0, a 2#1 | 2: b a            | b 2#0, a 2#1
    `)
  })

  it('where a block is sealed at another time: of that time, but by those who watch pending ones', async () => {
    const { devnet, sees } = await watched({ withTimes: true })
    await devnet.faults.sealDifferently({ laterSeconds: 3 })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1 +0s        | 1 +0s         | –            | –                 | –
      a, tick | –            | 2? +0s: a     | –            | –                 | –
      seal    | 2 +3s: a     | –             | a 2#0 +3s    | 2 +3s: a          | a 2#0 +3s
    `)
  })
})
