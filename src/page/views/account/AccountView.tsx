/** The view of an account: balance, code, storage, history, and forms that call it or send transactions. */
import { useMemo } from 'preact/hooks'
import type { Hex } from '../../../bytes/hex.ts'
import { hashOf, type Item } from '../../../solidity/abi/codec.ts'
import { nameOf, proxyText, unlocked } from '../../accounts/names.ts'
import { codecsFor, contracts, type KnownCode, type KnownContract } from '../../decode/contracts.ts'
import { isReadOnly } from '../../environment.ts'
import { shortened } from '../../format.ts'
import { loaded, useLoad } from '../../live/load.ts'
import { Field, Fields } from '../../parts/Answer.tsx'
import { AddressLink, Count, Wei } from '../../parts/chain.tsx'
import { Copy, Hint } from '../../parts/controls.tsx'
import { AnswerAt, MomentChoice, useMoment, useStateLoad } from '../../parts/Moment.tsx'
import { type Tab, Tabs, tab } from '../../parts/Tabs.tsx'
import { FoundTransactions } from '../../parts/TransactionList.tsx'
import { KnownAddresses, Text } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import { type Account, accountAt, functionsOf, sizeOf } from './account.ts'
import { CodeTab, SourcesTab } from './CodeTab.tsx'
import { RawTab, ReadTab, TransferTab, WriteTab } from './FunctionTabs.tsx'
import { CreatedBy, HistoryTab } from './History.tsx'
import { StorageTab } from './StorageTab.tsx'
import { TokensTab } from './TokensTab.tsx'
import './account.css'

export function AccountView({ address }: { address: string }) {
  const { moment } = useMoment()
  const asked = useStateLoad((block) => accountAt(request, address, block), [address])
  // Contracts are requested by block, not by slice.
  const block = typeof moment.block === 'string' ? moment.block : moment.block.blockNumber
  const account = loaded(asked.value)
  const code = account?.code ?? '0x'
  const known = useLoad(
    async () => ({ code, contract: code === '0x' ? undefined : await contracts().find(address, block) }),
    [address, block, code],
  )
  const last = loaded(known.value)
  // The loaded contract may belong to the code of an earlier moment.
  const found = last?.code === code ? last : undefined
  return (
    <>
      <h1>
        <Title address={address} account={account} name={found?.contract?.info.name} />
      </h1>
      <p class="account-address">
        <span class="id">{address}</span> <Copy text={address} what="the address" />
      </p>
      <MomentChoice />
      <AnswerAt moment={moment} asked={asked.value}>
        {(account) =>
          // The tabs are shown when the contract is known, because they depend on it.
          found !== undefined && (
            <>
              <Overview address={address as Hex} account={account} contract={found.contract} block={block} />
              <KnownAddresses />
              <Tabs
                key={code.length}
                label="of the account"
                tabs={tabsOf(address as Hex, account, found.contract, block)}
              />
            </>
          )
        }
      </AnswerAt>
    </>
  )
}

function Transactions({ address }: { address: string }) {
  return (
    <>
      <p class="quiet">
        Transactions that this account sent or received, that created it, or in which it emitted an event.
        Other transactions that changed it are in its history.
      </p>
      <FoundTransactions search={{ address }} />
    </>
  )
}

interface TitleProps {
  address: string
  account: Account | undefined
  name: string | null | undefined
}

function Title({ address, account, name }: TitleProps) {
  const own = unlocked.value.find((one) => one.address.toLowerCase() === address)
  const known = name || (own === undefined ? nameOf(address) : undefined)
  if (known) return <Text limit={100}>{known}</Text>
  if (own !== undefined && !own.isImpersonated) return own.name.replace('account', 'Account')
  if (account !== undefined && account.code !== '0x' && !account.delegate) return 'Contract'
  return own === undefined ? 'Account' : 'Impersonated account'
}

function tabsOf(
  address: Hex,
  { code }: Account,
  contract: KnownContract | undefined,
  block: string,
): readonly (Tab | false)[] {
  const hasCode = code !== '0x'
  const codecs = codecsFor(address, new Map(contract && [[address, contract]]))
  const all = functionsOf(contract?.info.abi ?? [])
  const reads = all.filter(({ isView }) => isView)
  const writes = all.filter(({ isView }) => !isView)
  const sources = contract === undefined ? [] : codesOf(contract).filter(({ hasSources }) => hasSources)
  const at = { address, codecs }
  return [
    reads.length > 0 && tab('read', 'Read', () => <ReadTab {...at} functions={reads} />, reads.length),
    writes.length > 0 &&
      !isReadOnly &&
      tab('write', 'Write', () => <WriteTab {...at} functions={writes} />, writes.length),
    hasCode && tab('call', 'Raw call', () => <RawTab {...at} />),
    tab('transactions', 'Transactions', () => <Transactions address={address} />),
    hasCode && tab('storage', 'Storage', () => <StorageTab address={address} />),
    tab('history', 'History', () => <HistoryTab address={address} />),
    tab('tokens', 'Tokens', () => <TokensTab address={address} />),
    hasCode && tab('code', 'Code', () => <CodeTab code={code} abi={contract?.info.abi} />),
    sources.length > 0 && tab('sources', 'Sources', () => <SourcesTab codes={sources} block={block} />),
    !isReadOnly && tab('transfer', 'Send ether', () => <TransferTab address={address} />),
  ]
}

/** Returns all code that a call of the contract may run. Implementations of a proxy come first. */
function codesOf({ info }: KnownContract): readonly KnownCode[] {
  return [
    ...info.proxies.map(({ target }) => target).reverse(),
    info.code,
    ...info.facets.map(({ code }) => code),
  ]
}

interface OverviewProps {
  address: Hex
  account: Account
  contract: KnownContract | undefined
  block: string
}

function Overview({ address, account, contract, block }: OverviewProps) {
  const info = contract?.info
  return (
    <Fields>
      <Field name="balance" value={<Wei amount={account.balance} />} />
      <Field
        name="nonce"
        hint="number of transactions that the account has sent; for a contract, 1 plus the number of contracts it created"
        value={<Count value={account.nonce} />}
      />
      {account.delegate && !info?.proxies.some(({ kind }) => kind === 'eip7702') && (
        <Field {...DELEGATES} value={<AddressLink address={account.delegate} whole />} />
      )}
      <Field name="code">{account.code === '0x' ? 'none' : <CodeSize code={account.code} />}</Field>
      {info && account.delegate === undefined && <CodeFacts code={info.code} />}
      {account.code !== '0x' && account.delegate === undefined && (
        <CreatedBy
          address={address}
          code={account.code}
          block={block}
          takesNothing={contract !== undefined && takesNothing(contract)}
        />
      )}
      {info?.proxies.map(({ kind, target }) => (
        <Field
          key={target.address}
          {...(kind === 'eip7702'
            ? DELEGATES
            : { name: `proxy (${proxyText(kind)})`, hint: 'the contract to which calls are forwarded' })}
        >
          <AddressLink address={target.address} whole />{' '}
          {target.name && <Text limit={100}>{target.name}</Text>}
          <div class="quiet">
            <Compiled code={target} />
          </div>
        </Field>
      ))}
      {info !== undefined && info.facets.length > 0 && (
        <Field
          name="facets"
          hint="contracts whose code runs, depending on the selector of the call (EIP-2535)"
        >
          <ul class="facets">
            {info.facets.map(({ code, selectors }) => (
              <li key={code.address}>
                <AddressLink address={code.address} /> {code.name && <Text limit={100}>{code.name}</Text>}{' '}
                <span class="quiet">{selectors.length} functions</span>
              </li>
            ))}
          </ul>
        </Field>
      )}
    </Fields>
  )
}

function CodeSize({ code }: { code: Hex }) {
  const hash = useMemo(() => hashOf(code), [code])
  return (
    <>
      <Count value={sizeOf(code)} /> bytes{' '}
      <span class="quiet">
        with the hash{' '}
        <span class="id short-id">
          <Hint text={hash}>{shortened(hash)}</Hint>
        </span>
        <Copy text={hash} what="the hash of the code" />
      </span>
    </>
  )
}

/** Returns whether the constructor certainly has no parameters. False for a proxy, whose own constructor is unknown. */
function takesNothing({ info: { code, abi, proxies, facets } }: KnownContract): boolean {
  const isOwn = code.match === 'exact' && proxies.length + facets.length === 0
  return isOwn && !abi.some((item) => item.type === 'constructor' && (item as Item).inputs?.length)
}

const DELEGATES = {
  name: 'delegates to',
  hint: 'the contract whose code runs when the account is called (EIP-7702)',
}

const MATCHES: Readonly<Record<KnownCode['match'], string>> = {
  exact: 'matches the code of an artifact',
  similar: 'matches the code of an artifact except for metadata',
  ambiguous: 'matches several artifacts',
  named: 'by an added ABI',
  unknown: 'unknown: no artifact has this code',
}

function CodeFacts({ code }: { code: KnownCode }) {
  return (
    <Field name="known as">
      {code.name && <Text limit={100}>{code.name}</Text>} <span class="quiet">{MATCHES[code.match]}</span>
      {code.candidates.length > 0 && (
        <>
          {': '}
          <Text>{code.candidates.map(({ name }) => name).join(', ')}</Text>
        </>
      )}
      <div class="quiet">
        <Compiled code={code} />
      </div>
    </Field>
  )
}

function Compiled({ code: { source: place, compiler } }: { code: KnownCode }) {
  return (
    <>
      {place && <Text limit={200}>{place.line === null ? place.path : `${place.path}:${place.line}`}</Text>}
      {place && compiler && ' · '}
      {compiler && <Text limit={200}>{compilerText(compiler)}</Text>}
    </>
  )
}

function compilerText(compiler: NonNullable<KnownCode['compiler']>): string {
  const { version, language, optimizer, viaIR, evmVersion } = compiler
  const optimized = optimizer?.enabled
    ? `optimized${optimizer.runs === null ? '' : ` for ${optimizer.runs} runs`}`
    : 'not optimized'
  return [`${language} ${version}`, optimized, viaIR && 'via IR', evmVersion].filter(Boolean).join(', ')
}
