/**
 * What viem's watchers are told of a reorg: in tables, which test/support/clients/watchers.ts explains.
 *
 * Those who watch events are told each removed log again, then those of the new blocks: filters and `logs` do the same. Of
 * those who watch blocks
 * - who polls is told a block only if its number is greater than all before, and so misses new blocks in old places;
 * - who is told of heads is told of each, but asks for its block by number, and tells what stands there by then.
 */
import { describe, it } from 'vitest'
import { signed, watched } from '../support/clients/watchers.ts'

describe('viem is told', () => {
  it('where blocks come with what the old ones had: of each event that it is gone, and that it is there', async () => {
    const { sees } = await watched({
      steps: { reorg: ({ faults }) => faults.reorg({ depth: 2, transactions: 'keep' }) },
    })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP                                 | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –                                            | –                 | –
      a, mine | 2: a         | 2: a          | a 2#0                                        | 2: a              | a 2#0
      b, mine | 3: b         | 3: b          | b 3#0                                        | 3: b              | b 3#0
      reorg   | –            | –             | a 2#0 removed, b 3#0 removed, a 2'#0, b 3'#0 | 2': a, 3': b      | a 2#0 removed, b 3#0 removed, a 2'#0, b 3'#0
      mine    | 4            | 4             | –                                            | 4                 | –
    `)
  })

  it('where their transactions wait: of each event that it is gone, and again when it lands', async () => {
    const { sees } = await watched({
      steps: { reorg: ({ faults }) => faults.reorg({ depth: 2, transactions: 'wait' }) },
    })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP                 | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –                            | –                 | –
      a, mine | 2: a         | 2: a          | a 2#0                        | 2: a              | a 2#0
      b, mine | 3: b         | 3: b          | b 3#0                        | 3: b              | b 3#0
      reorg   | –            | –             | a 2#0 removed, b 3#0 removed | 2', 3'            | a 2#0 removed, b 3#0 removed
      tick    | –            | 4?: a b       | –                            | –                 | –
      seal    | 4: a b       | –             | a 4#0, b 4#1                 | 4: a b            | a 4#0, b 4#1
    `)
  })

  it('where their transactions are dropped: of each event that it is gone', async () => {
    const { sees } = await watched({
      steps: { reorg: ({ faults }) => faults.reorg({ depth: 1, transactions: 'drop' }) },
    })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP  | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –             | –                 | –
      a, mine | 2: a         | 2: a          | a 2#0         | 2: a              | a 2#0
      reorg   | –            | –             | a 2#0 removed | 2'                | a 2#0 removed
      tick    | –            | 3?            | –             | –                 | –
      seal    | 3            | –             | –             | 3                 | –
    `)
  })

  it('where blocks come with other transactions: of what is gone, of what came, and of what lands later', async () => {
    const { sees } = await watched({
      steps: {
        reorg: async (devnet) =>
          devnet.faults.reorg({ depth: 1, transactions: [[await signed(devnet, 'b')]] }),
      },
    })
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP          | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –                     | –                 | –
      a, mine | 2: a         | 2: a          | a 2#0                 | 2: a              | a 2#0
      reorg   | –            | –             | a 2#0 removed, b 2'#0 | 2': b             | a 2#0 removed, b 2'#0
      mine    | 3: a         | 3: a          | a 3#0                 | 3: a              | a 3#0
    `)
  })

  it('where a pending block is begun anew: nothing, by those who watch them', async () => {
    const { sees } = await watched({
      steps: { reorg: ({ faults }) => faults.reorg({ depth: 1, transactions: 'keep' }) },
    })
    // They know its number.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP          | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –                     | –                 | –
      a, mine | 2: a         | 2: a          | a 2#0                 | 2: a              | a 2#0
      b, tick | –            | 3?: b         | –                     | –                 | –
      reorg   | –            | –             | a 2#0 removed, a 2'#0 | 2': a             | a 2#0 removed, a 2'#0
      c, tick | –            | –             | –                     | –                 | –
      seal    | 3: b c       | –             | b 3#0, c 3#1          | 3: b c            | b 3#0, c 3#1
    `)
  })

  it('where fewer blocks come than go: nothing where it polls blocks, until the chain is longer than it was', async () => {
    const { sees } = await watched({
      steps: { reorg: ({ faults }) => faults.reorg({ depth: 2, transactions: 'wait', blocks: 1 }) },
    })
    // They never learn where a and b are by now.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP                 | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –                            | –                 | –
      a, mine | 2: a         | 2: a          | a 2#0                        | 2: a              | a 2#0
      b, mine | 3: b         | 3: b          | b 3#0                        | 3: b              | b 3#0
      reorg   | –            | –             | a 2#0 removed, b 3#0 removed | 2'                | a 2#0 removed, b 3#0 removed
      mine    | –            | –             | a 3'#0, b 3'#1               | 3': a b           | a 3'#0, b 3'#1
      mine    | 4            | 4             | –                            | 4                 | –
    `)
  })

  it('where a block goes as soon as it came: over WebSocket of the newest twice, and of the one before it last', async () => {
    const { devnet, sees } = await watched()
    await devnet.faults.planReorg({ depth: 2, transactions: 'wait' }, { block: 3 })
    // The heads of 3, 2' and 3' come at once. viem asks for block 3 and block 2, and not for block 3 again while it waits
    // for that: the answer, which is 3', is told for both of its heads. Nobody is told of 3.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP                        | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –                                   | –                 | –
      a, mine | 2: a         | 2: a          | a 2#0                               | 2: a              | a 2#0
      b, mine | 3'           | 3'            | b 3#0, a 2#0 removed, b 3#0 removed | 3', 3', 2'        | b 3#0, a 2#0 removed, b 3#0 removed
      mine    | 4: a b       | 4: a b        | a 4#0, b 4#1                        | 4: a b            | a 4#0, b 4#1
    `)
  })

  it('where a node has no filters: over HTTP not that an event is gone', async () => {
    const { devnet, sees } = await watched({
      steps: { reorg: ({ faults }) => faults.reorg({ depth: 1, transactions: 'wait' }) },
    })
    const method = 'eth_newFilter'
    await devnet.faults.rpcError({ method, code: -32601, message: 'no filters here' }, 'always')
    // viem then asks how far the chain is, and with eth_getLogs for blocks with new numbers. It counts from its second poll
    // on, here that of block 2, of whose events it is not told.
    await sees(`
      done    | blocks, HTTP | pending, HTTP | events, HTTP | blocks, WebSocket | events, WebSocket
      watch   | 1            | 1             | –            | –                 | –
      a, mine | 2: a         | 2: a          | –            | 2: a              | a 2#0
      b, mine | 3: b         | 3: b          | b 3#0        | 3: b              | b 3#0
      reorg   | –            | –             | –            | 3'                | b 3#0 removed
      mine    | 4: b         | 4: b          | b 4#0        | 4: b              | b 4#0
    `)
  })
})
