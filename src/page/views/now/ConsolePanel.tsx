/** The newest lines of `console.log`. */
import type { ConsoleLine } from '../../live/chain.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { AddressLink, TransactionLink } from '../../parts/links.tsx'
import { Text } from '../../parts/Text.tsx'
import { sinceWhen } from '../../served.ts'
import { Age } from './Age.tsx'
import { Panel } from './Panel.tsx'

export function ConsolePanel({ lines, nowMs }: { lines: readonly ConsoleLine[]; nowMs: number | undefined }) {
  return (
    <Panel title="console.log">
      {lines.length === 0 ? (
        <Nothing>no contract has logged {sinceWhen}</Nothing>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
        <ol class="lines" tabIndex={0} aria-label="lines of console.log, the newest first">
          {lines.map(({ id, atMs, text, from, name, transaction }) => (
            <li key={id}>
              <span class="quiet">
                {name !== undefined && <Text limit={60}>{name}</Text>} <AddressLink address={from} />{' '}
                {transaction === undefined ? 'in a call' : <TransactionLink hash={transaction} />},{' '}
                <Age ms={atMs} nowMs={nowMs} /> ago
              </span>
              <br />
              <Text>{text}</Text>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
