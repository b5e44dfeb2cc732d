/** Shows the code of an account: bytecode, instructions, ABI, and source files. */
import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import type { KnownCode } from '../../decode/contracts.ts'
import { visible } from '../../format.ts'
import { useLoad } from '../../live/load.ts'
import { query, setQuery } from '../../navigation.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Bytes, Copy, Select } from '../../parts/controls.tsx'
import { type SourceAnswer, sourceFile } from '../../parts/SourceText.tsx'
import { VirtualRows } from '../../parts/tables.tsx'
import { Text } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { disassembled, functionsOf } from './account.ts'

const MOST_ABI = 100_000

export function CodeTab({ code, abi }: { code: Hex; abi: Parameters<typeof functionsOf>[0] | undefined }) {
  const instructions = useMemo(() => disassembled(code), [code])
  const signatures = useMemo(
    () => new Map<string, string>(functionsOf(abi ?? []).map((one) => [one.selector, one.signature])),
    [abi],
  )
  const text = useMemo(() => JSON.stringify(abi ?? [], undefined, 1), [abi])
  return (
    <>
      <h2>Bytecode</h2>
      <Bytes hex={code} what="the bytecode" limit={300} />
      <h2>Instructions</h2>
      <VirtualRows
        label="instructions"
        count={instructions.length}
        rowRem={1.5}
        columns={[
          { name: 'at', width: '5rem', class: 'end' },
          { name: 'opcode', width: '9rem' },
          { name: 'pushed' },
        ]}
        row={(i) => {
          const { at, name, pushed } = instructions[i]!
          return [
            <span class="number quiet" key="at" title={`byte ${at}`}>
              {`0x${at.toString(16).padStart(4, '0')}`}
            </span>,
            <code key="name">{name}</code>,
            <>
              <code title={pushed}>{pushed}</code>
              {name === 'PUSH4' && signatures.has(pushed) && (
                <span class="pushed-name">
                  <Text limit={100}>{signatures.get(pushed)!}</Text>
                </span>
              )}
            </>,
          ]
        }}
      />
      {abi !== undefined && (
        <>
          <h2>
            ABI <Copy text={JSON.stringify(abi)} what="the ABI" />
          </h2>
          <details>
            <summary>{abi.length} items</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable. */}
            <pre class="code-text" tabIndex={0}>
              <Text limit={MOST_ABI}>{text}</Text>
            </pre>
          </details>
        </>
      )}
    </>
  )
}

export function SourcesTab({ codes, block }: { codes: readonly KnownCode[]; block: string }) {
  const code = codes.find(({ address }) => address === query.value.get('of')) ?? codes[0]!
  return (
    <>
      {codes.length > 1 && (
        <label class="source-choice">
          code{' '}
          <Select
            value={code.address}
            options={codes.map(({ address, name }) => [address, visible(name ?? address, 80)])}
            onChosen={(of) => setQuery({ of, file: undefined })}
          />
        </label>
      )}
      <Files key={code.address} address={code.address} block={block} />
    </>
  )
}

function Files({ address, block }: { address: string; block: string }) {
  const asked = useLoad(
    () => request<readonly { readonly path: string }[] | null>('preseal_getSources', [address, block]),
    [address, block],
  )
  return (
    <Answer asked={asked.value}>
      {(files) => {
        const paths = files?.map(({ path }) => path) ?? []
        const chosen = paths.find((path) => path === query.value.get('file')) ?? paths[0]
        if (chosen === undefined) return <Nothing>no sources are known</Nothing>
        return (
          <>
            <label class="source-choice">
              file{' '}
              <Select
                value={chosen}
                options={paths.map((path) => [path, visible(path, 200)])}
                onChosen={(file) => setQuery({ file })}
              />
            </label>
            <File key={chosen} address={address} path={chosen} block={block} />
          </>
        )
      }}
    </Answer>
  )
}

function File({ address, path, block }: { address: string; path: string; block: string }) {
  const asked = useLoad(() => sourceFile(address, path, block), [address, path, block])
  return (
    <Answer asked={asked.value}>
      {(file) =>
        file === null ? (
          <Nothing>the text of this file is not known</Nothing>
        ) : (
          <Lines {...file} path={path} />
        )
      }
    </Answer>
  )
}

const MOST_LETTERS = 2_000

/** Returns the width of a line in characters. A tab counts as four. */
function lengthOf(line: string): number {
  return line.length + 3 * (line.split('\t').length - 1)
}

function Lines({ text, isCut, path }: SourceAnswer) {
  const lines = useMemo(() => text.split('\n'), [text])
  const longest = useMemo(() => Math.min(MOST_LETTERS, Math.max(...lines.map(lengthOf))), [lines])
  return (
    <>
      <p class="quiet source-count">
        {lines.length} lines{isCut && ', the first million characters'} <Copy text={text} what="the source" />
      </p>
      <div class="source-lines" style={{ '--longest': `${longest}ch` }}>
        <VirtualRows
          label={visible(path, 200)}
          count={lines.length}
          rowRem={1.25}
          columns={[{ name: 'line', width: '3.5rem', class: 'end' }, { name: 'source' }]}
          row={(i) => [
            <span class="quiet" key="line">
              {i + 1}
            </span>,
            <code key="text">
              <Text limit={MOST_LETTERS}>{lines[i]!}</Text>
            </code>,
          ]}
        />
      </div>
    </>
  )
}
