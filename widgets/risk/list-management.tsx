import { lazy, Suspense } from 'react'
import { logCalls } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import type { Endpoint, OutputOf } from '../../core/contract/endpoint.ts'
import { nameList, nameLists } from '../../core/contract/risk/name-list.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { type Action, screen } from '../../core/engine/screen.ts'
import { Loading } from '../../core/ui/states.tsx'
import { StatusBadge } from '../../core/ui/status-badge.tsx'

const Lookup = lazy(async () => ({ default: (await import('../shared/name-list/lookup.tsx')).Lookup }))
const ItemDetail = lazy(async () => ({ default: (await import('./name-list/item-detail.tsx')).ItemDetail }))

type Row = ConfigRow<typeof nameLists>
const ForAll = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')
const Conflict = ({ on }: { on: boolean }) =>
  on ? <StatusBadge tone="bad" label={useText()('nameList.conflict')} /> : null

/** How many values were taken, and which were not. */
const said = (answer: unknown) => {
  const { results } = answer as OutputOf<typeof nameList.add>
  const of = (outcome: string) => results.filter(one => one.outcome === outcome)
  return {
    key: 'nameList.added' as const,
    params: {
      added: of('added').length,
      waits: of('waits').length,
      exists: of('exists').length,
      wrong: of('format').length,
      values: of('format')
        .map(one => one.value)
        .slice(0, 5)
        .join(', '),
    },
  }
}

const add: Action<Row> = {
  run: nameList.add as unknown as Endpoint as never,
  label: 'nameList.add',
  input: rows => ({ nameListNo: rows[0]?.nameListNo }),
  ask: ['values', 'reasonCode', 'remark', 'expireTime', 'evidenceFile'],
  when: row => row.feedKey === null || 'errors.listFed',
  confirm: 'nameList.addHint',
  done: said,
}

const lists = configScreen({
  config: nameLists,
  filters: ['nameListName', 'listKind', 'dimension'],
  columns: [
    'nameListName',
    'nameListNo',
    'listKind',
    'dimension',
    'listEffect',
    { id: 'merchantName', cell: (row: Row) => <ForAll name={row.merchantName} /> },
    'activeCount',
    'hits7',
  ],
  more: ['feedKey', 'defaultMonths'],
  settings: [
    'nameListName',
    'nameListNo',
    'listKind',
    'dimension',
    'listEffect',
    'merchantName',
    'defaultMonths',
    'feedKey',
    'activeCount',
    'hits7',
  ],
  confirm: {
    enable: 'nameList.confirmEnable',
    disable: 'nameList.confirmDisable',
    delete: 'nameList.confirmDelete',
  },
  row: [add],
  also: [nameList.add],
})

const items = listScreen({
  list: nameList.items,
  rowKey: 'itemNo',
  filters: [
    'listValue',
    'listKind',
    'dimension',
    'itemStatus',
    'reasonCode',
    'listSource',
    'expireTime',
    'createdTime',
    'nameListNo',
  ],
  presets: [
    { label: 'config.all', filters: {} },
    { label: 'nameList.activeOnly', filters: { itemStatus: ['active'] } },
    { label: 'nameList.newLately', filters: { createdTime: 'last7' } },
  ],
  columns: [
    'itemNo',
    'displayValue',
    'dimension',
    'nameListName',
    'listKind',
    'reasonCode',
    'listSource',
    'createdTime',
    'expireTime',
    'itemStatus',
    'timesHit',
    { id: 'conflict', cell: row => <Conflict on={row.conflict} /> },
  ],
  more: ['remark', 'createdBy', 'lastHit', 'nameListNo', 'pendingApproval'],
  rowAndBulk: act => [
    act(nameList.extend, {
      label: 'nameList.extend',
      ask: ['expireTime', 'reasonCode'],
      confirm: 'nameList.extendHint',
    }),
    act(nameList.removeItems, {
      label: 'nameList.remove',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'nameList.removeHint',
    }),
  ],
  detail: row => (
    <Suspense fallback={<Loading rows={3} />}>
      <ItemDetail row={row} />
    </Suspense>
  ),
  also: [nameList.hits, nameList.itemDetail, upload.file, ...logCalls],
})

const hits = listScreen({
  list: nameList.hits,
  rowKey: 'listHitNo',
  presets: [
    { label: 'config.all', filters: {} },
    { label: 'nameList.hitLately', filters: { hitAt: 'last7' } },
  ],
  filters: ['hitAt', 'orderNo', 'nameListNo', 'itemNo'],
  columns: ['hitAt', 'orderNo', 'nameListName', 'listKind', 'listEffect', 'displayValue', 'listHitNo'],
})

const lookup = screen([nameList.lookup], () => (
  <Suspense fallback={<Loading rows={2} />}>
    <Lookup call={nameList.lookup} />
  </Suspense>
))

/** Fraud and risk staff keep black, grey and white lists, and look up why a customer is on one. */
export default tabbed([
  { name: 'lists', label: 'nameList.lists', screen: lists },
  { name: 'items', label: 'nameList.items', screen: items },
  { name: 'hits', label: 'nameList.hits', screen: hits },
  { name: 'lookup', label: 'nameList.lookup', screen: lookup },
])
