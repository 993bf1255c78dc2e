import { lazy, Suspense } from 'react'
import { logCalls } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { type ContactBlockRow, contactBlock } from '../../core/contract/merchant/contact-block.ts'
import { useText } from '../../core/element/i18n.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { screen } from '../../core/engine/screen.ts'
import { Loading } from '../../core/ui/states.tsx'
import { addedWords } from '../shared/contact-block/added-words.ts'

const Detail = lazy(async () => ({ default: (await import('./contact-block/block-detail.tsx')).BlockDetail }))
const Lookup = lazy(async () => ({ default: (await import('./contact-block/lookup.tsx')).Lookup }))

const ForAll = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')
const Until = ({ row }: { row: ContactBlockRow }) => {
  const t = useText()
  return row.expireTime === null ? t('contactBlock.forEver') : null
}

const numbers = listScreen({
  list: contactBlock.page,
  rowKey: 'blockNo',
  filters: [
    'phone',
    'blockScope',
    'blockStatus',
    'blockReason',
    'merchantNo',
    'blockSource',
    'linkedCustomerNo',
    'createdTime',
    'expireTime',
  ],
  presets: [
    { label: 'config.all', filters: {} },
    { label: 'contactBlock.active', filters: { blockStatus: ['active'] } },
    { label: 'contactBlock.newLately', filters: { createdTime: 'last30' } },
  ],
  columns: [
    'blockNo',
    'phone',
    'blockScope',
    'blockReason',
    'blockStatus',
    { id: 'merchantName', cell: row => <ForAll name={row.merchantName} /> },
    'blockSource',
    'createdByName',
    'createdTime',
    'blockedCount',
    'lastBlocked',
  ],
  more: [
    'expireTime',
    'relation',
    'linkedCustomerNo',
    'linkedCustomerName',
    'remark',
    'endedTime',
    'endedByName',
    'endReason',
  ],
  toolbar: act => [
    act(contactBlock.add, {
      label: 'contactBlock.add',
      ask: [
        'phones',
        'blockScopes',
        'blockReason',
        'merchantNo',
        'relation',
        'linkedCustomerNo',
        'expireTime',
        'remark',
      ],
      confirm: 'contactBlock.addHint',
      done: answer => addedWords(answer as OutputOf<typeof contactBlock.add>),
    }),
  ],
  rowAndBulk: act => [
    act(contactBlock.change, {
      label: 'contactBlock.change',
      ask: ['blockScope'],
      confirm: 'contactBlock.changeHint',
    }),
  ],
  row: act => [
    act(contactBlock.remove, {
      label: 'contactBlock.remove',
      tone: 'danger',
      ask: ['reason', 'proofFile'],
      confirm: 'contactBlock.removeHint',
    }),
  ],
  head: row => <Until row={row} />,
  detail: row => (
    <Suspense fallback={<Loading rows={3} />}>
      <Detail row={row} />
    </Suspense>
  ),
  also: [contactBlock.detail, contactBlock.stops, upload.file, ...logCalls],
})

const stops = listScreen({
  list: contactBlock.stops,
  rowKey: 'stopNo',
  filters: ['stoppedAt', 'contactKind', 'medium', 'blockNo'],
  presets: [
    { label: 'config.all', filters: {} },
    { label: 'contactBlock.lately', filters: { stoppedAt: 'last7' } },
  ],
  columns: ['stoppedAt', 'phone', 'contactKind', 'medium', 'merchantName', 'stoppedByName', 'blockNo', 'stopNo'],
})

const lookup = screen([contactBlock.lookup], () => (
  <Suspense fallback={<Loading rows={2} />}>
    <Lookup />
  </Suspense>
))

/** Compliance and service staff make sure that a number is never again called or written to: relatives who complained, wrong numbers, people who asked to stop. */
export default tabbed([
  { name: 'numbers', label: 'contactBlock.numbers', screen: numbers },
  { name: 'stops', label: 'contactBlock.stops', screen: stops },
  { name: 'lookup', label: 'contactBlock.lookup', screen: lookup },
])
