import { lazy, Suspense } from 'react'
import { logCalls } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { blacklist } from '../../core/contract/merchant/blacklist.ts'
import { useText } from '../../core/element/i18n.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { screen } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Loading } from '../../core/ui/states.tsx'

const Detail = lazy(async () => ({ default: (await import('./blacklist/barred-detail.tsx')).BarredDetail }))
const Lookup = lazy(async () => ({ default: (await import('../shared/name-list/lookup.tsx')).Lookup }))

const ForAll = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')

/** How many values were taken, which were not, and which open loans they touch. */
const said = (answer: unknown) => {
  const { results, openLoans, openAmount } = answer as OutputOf<typeof blacklist.add>
  const of = (outcome: string) => results.filter(one => one.outcome === outcome)
  return {
    key: 'blacklist.added' as const,
    params: {
      added: of('added').length,
      waits: of('waits').length,
      exists: of('exists').length,
      wrong: of('format').length,
      values: of('format')
        .map(one => one.value)
        .slice(0, 5)
        .join(', '),
      openLoans,
      openAmount: formatMoney(openAmount),
    },
  }
}

const entries = listScreen({
  list: blacklist.page,
  rowKey: 'itemNo',
  filters: [
    'listValue',
    'dimension',
    'itemStatus',
    'reasonCode',
    'merchantNo',
    'listSource',
    'expireTime',
    'createdTime',
    'neverHit',
  ],
  presets: [
    { label: 'config.all', filters: {} },
    { label: 'blacklist.active', filters: { itemStatus: ['active'] } },
    { label: 'blacklist.newLately', filters: { createdTime: 'last30' } },
    { label: 'blacklist.neverHit', filters: { neverHit: true, itemStatus: ['active'] } },
  ],
  columns: [
    'itemNo',
    'displayValue',
    'dimension',
    'customerName',
    'reasonCode',
    { id: 'merchantName', cell: row => <ForAll name={row.merchantName} /> },
    'itemStatus',
    'listSource',
    'createdByName',
    'createdTime',
    'expireTime',
    'timesHit',
  ],
  more: ['remark', 'nameListName', 'hasEvidence', 'lastHit'],
  toolbar: act => [
    act(blacklist.add, {
      label: 'blacklist.add',
      ask: ['dimension', 'values', 'reasonCode', 'merchantNo', 'remark', 'expireTime', 'evidenceFile'],
      confirm: 'blacklist.addHint',
      done: said,
    }),
    act(blacklist.addPerson, {
      label: 'blacklist.addPerson',
      ask: ['customerNo', 'dimensions', 'reasonCode', 'merchantNo', 'remark', 'expireTime', 'evidenceFile'],
      confirm: 'blacklist.personHint',
      done: said,
    }),
  ],
  rowAndBulk: act => [
    act(blacklist.extend, {
      label: 'blacklist.extend',
      ask: ['expireTime', 'reasonCode'],
      confirm: 'blacklist.extendHint',
    }),
    act(blacklist.remove, {
      label: 'blacklist.remove',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'blacklist.removeHint',
    }),
  ],
  detail: row => (
    <Suspense fallback={<Loading rows={3} />}>
      <Detail row={row} />
    </Suspense>
  ),
  also: [blacklist.detail, upload.file, ...logCalls],
})

const lookup = screen([blacklist.lookup], () => (
  <Suspense fallback={<Loading rows={2} />}>
    <Lookup call={blacklist.lookup} />
  </Suspense>
))

/** Risk and fraud staff bar a person, number, card, wallet or device by hand, with evidence: at one merchant, or at all of them. */
export default tabbed([
  { name: 'entries', label: 'blacklist.entries', screen: entries },
  { name: 'lookup', label: 'blacklist.lookup', screen: lookup },
])
