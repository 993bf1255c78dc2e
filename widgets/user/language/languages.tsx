import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { languageConfig, type ManagedLanguage, maxLanguageName } from '../../../core/contract/user/language.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import engine from '../../../core/engine/engine.css?sheet'
import { useFile } from '../../../core/engine/files/use-file.ts'
import { Ask } from '../../../core/engine/form/ask.tsx'
import { refusal } from '../../../core/engine/form/refusal.ts'
import type { CallAction } from '../../../core/engine/screen.ts'
import { Dict } from '../../../core/engine/table/value.tsx'
import { eatDateTime } from '../../../core/rules/time.ts'
import { Button, Callout, Flex, TextField } from '../../../core/ui/basics.ts'
import { SegmentedControl } from '../../../core/ui/more.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { EditRow } from './edit-row.tsx'
import { LanguageDrawer } from './language-detail.tsx'

const { page, save, state, setDefault, remove } = languageConfig
type Row = ManagedLanguage & Record<string, unknown>
type Action = CallAction<Row>

const columns = [
  'sort',
  'flag',
  'languageName',
  'languageCode',
  'languageStatus',
  'interfaceReady',
  'labelShare',
  'updatedBy',
  'updatedTime',
] as const
const shown = ['all', 'on', 'off'] as const

const Flag = ({ uploadNo }: { uploadNo: string | null }) => {
  const address = useFile(uploadNo)
  return address ? (
    <img src={address} alt="" width={32} height={24} onError={event => event.currentTarget.remove()} />
  ) : (
    <span className="mk-none">–</span>
  )
}

/** What may be done to a language, with the question that goes before. */
const actionsOf = (row: ManagedLanguage, old: string): Action[] => {
  const at = ([one]: readonly Row[]) => ({ languageCode: one?.languageCode, version: one?.version })
  const isOn = row.languageStatus !== 'draft'
  const { languageName } = row
  return [
    isOn
      ? {
          run: state,
          label: 'language.disable',
          input: rows => ({ ...at(rows), enabled: false }),
          confirm: () => ({
            key: 'language.confirmDisable',
            params: { languageName, n: row.staffCount, default: old },
          }),
        }
      : {
          run: state,
          label: 'language.enable',
          input: rows => ({ ...at(rows), enabled: true }),
          confirm: row.interfaceReady ? 'language.confirmEnable' : 'language.confirmEnableDict',
        },
    {
      run: setDefault,
      label: 'language.setDefault',
      input: at,
      confirm: () => ({ key: 'language.confirmDefault', params: { languageName, old } }),
    },
    { run: remove, label: 'language.remove', tone: 'danger', input: at, confirm: 'language.confirmRemove' },
  ]
}

type Shown = (typeof shown)[number]

/** What is searched for, what is changed now, what is asked and what is open. */
const useLanguages = () => {
  const [search, setSearch] = useState('')
  const [enabled, setEnabled] = useState<Shown>('all')
  const [editing, setEditing] = useState<string | null>(null)
  const [note, setNote] = useState(false)
  const [asked, setAsked] = useState<{ action: Action; row: ManagedLanguage } | null>(null)
  const [open, setOpen] = useState<ManagedLanguage | null>(null)
  const read = useRead(page, {
    pageSize: 100,
    ...(search.trim() ? { search } : {}),
    ...(enabled === 'all' ? {} : { enabled: enabled === 'on' }),
  })
  const free = (go: () => void) => (editing === null ? go() : setNote(true))
  const closed = (saved: boolean) => {
    setEditing(null)
    setNote(false)
    if (saved) void read.retry()
  }
  return {
    search,
    setSearch,
    enabled,
    setEnabled,
    editing,
    note,
    asked,
    open,
    read,
    closed,
    edit: (languageCode: string) => free(() => setEditing(languageCode)),
    ask: (action: Action, row: ManagedLanguage) => free(() => setAsked({ action, row })),
    show: (row: ManagedLanguage) => free(() => setOpen(row)),
    hide: () => setOpen(null),
    answered: (changed?: boolean) => {
      setAsked(null)
      if (changed) void read.retry()
    },
  }
}
type State = ReturnType<typeof useLanguages>

const ActionButton = ({ row, action, ask }: { row: ManagedLanguage; action: Action; ask: State['ask'] }) => {
  const t = useText()
  const may = useMay()
  const off = refusal(t, { run: action.run, label: action.label }, row)
  return (
    may.call(action.run as Endpoint) && (
      <Button
        size="1"
        variant="soft"
        color={action.tone === 'danger' ? 'red' : 'gray'}
        disabled={off !== null}
        title={off ?? undefined}
        onClick={() => ask(action, row)}
      >
        {t(action.label)}
      </Button>
    )
  )
}

const LanguageRow = ({ row, old, state }: { row: ManagedLanguage; old: string; state: State }) => {
  const t = useText()
  const may = useMay()
  return (
    <tr>
      <td>{row.sort}</td>
      <td>
        <Flag uploadNo={row.flagAttachNo} />
      </td>
      <th scope="row">{row.languageName}</th>
      <td>
        <span className="mk-key">{row.languageCode}</span>
      </td>
      <td>
        <Dict dict="LANGUAGE_STATUS" value={row.languageStatus} />
      </td>
      <td>{t(row.interfaceReady ? 'language.complete' : 'language.none')}</td>
      <td>{row.labelShare}</td>
      <td>{row.updatedBy}</td>
      <td>{eatDateTime(row.updatedTime).slice(0, 16)}</td>
      <td>
        <Flex gap="2">
          {may.call(save) && (
            <Button size="1" variant="soft" onClick={() => state.edit(row.languageCode)}>
              {t('language.edit')}
            </Button>
          )}
          {actionsOf(row, old).map(action => (
            <ActionButton key={action.label} row={row} action={action} ask={state.ask} />
          ))}
          <Button size="1" variant="soft" color="gray" onClick={() => state.show(row)}>
            {t('language.details')}
          </Button>
        </Flex>
      </td>
    </tr>
  )
}

const Toolbar = ({ state }: { state: State }) => {
  const t = useText()
  const may = useMay()
  return (
    <Flex gap="3" align="center" mb="3">
      <TextField.Root
        size="2"
        type="search"
        maxLength={maxLanguageName}
        value={state.search}
        aria-label={t('fields.search')}
        placeholder={t('fields.search')}
        onChange={event => state.setSearch(event.target.value)}
      />
      <SegmentedControl.Root
        size="1"
        value={state.enabled}
        aria-label={t('fields.languageStatus')}
        onValueChange={next => state.setEnabled(next as Shown)}
      >
        {shown.map(one => (
          <SegmentedControl.Item key={one} value={one}>
            {t(`language.show.${one}`)}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      {may.call(save) && <Button onClick={() => state.edit('')}>{t('language.new')}</Button>}
    </Flex>
  )
}

const Table = ({ list, state }: { list: readonly ManagedLanguage[]; state: State }) => {
  const t = useText()
  const { editing, closed } = state
  const old = list.find(one => one.languageStatus === 'default')?.languageName ?? ''
  return (
    <div className="mk-small" role="region" aria-label={t('language.list')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(name => (
              <th key={name} scope="col">
                {t(`fields.${name}`)}
              </th>
            ))}
            <th scope="col">{t('language.actions')}</th>
          </tr>
        </thead>
        <tbody>
          {editing === '' && <EditRow rest={columns.length - 3} close={closed} />}
          {list.map(row =>
            editing === row.languageCode ? (
              <EditRow key={row.languageCode} row={row} rest={columns.length - 3} close={closed} />
            ) : (
              <LanguageRow key={row.languageCode} row={row} old={old} state={state} />
            ),
          )}
          {list.length === 0 && editing !== '' && (
            <tr>
              <td colSpan={columns.length + 1}>{t('common.emptyList')}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** The languages, each changed in its own row; what is not saved comes before everything else. */
export const Languages = () => {
  useSheet(engine)
  const t = useText()
  const state = useLanguages()
  const { asked, open } = state
  return (
    <>
      <Toolbar state={state} />
      {state.note && (
        <Callout.Root color="amber" size="1" role="alert" mb="2">
          <Callout.Text>{t('language.saveFirst')}</Callout.Text>
        </Callout.Root>
      )}
      <Loaded read={state.read}>{({ list }) => <Table list={list} state={state} />}</Loaded>
      {asked && (
        <Ask
          action={asked.action as never}
          rows={[asked.row as Row]}
          rowKey="languageCode"
          fields={page.row}
          close={state.answered}
        />
      )}
      {open && <LanguageDrawer row={open} close={state.hide} />}
    </>
  )
}
