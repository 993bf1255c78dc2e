import { lazy, Suspense } from 'react'
import { logCalls } from '../../core/contract/common/common.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { teleBlock } from '../../core/contract/telemarketing/blacklist.ts'
import { useText } from '../../core/element/i18n.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { screen } from '../../core/engine/screen.ts'
import { Loading } from '../../core/ui/states.tsx'
import { addedWords } from '../shared/contact-block/added-words.ts'

const Detail = lazy(async () => ({ default: (await import('./blacklist/tele-detail.tsx')).TeleDetail }))
const Check = lazy(async () => ({ default: (await import('./blacklist/check-numbers.tsx')).CheckNumbers }))

const ForAll = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')

const numbers = listScreen({
  list: teleBlock.page,
  rowKey: 'blockNo',
  filters: ['phone', 'teleSource', 'blockStatus', 'merchantNo', 'createdTime', 'expireTime'],
  presets: [
    { label: 'config.all', filters: {} },
    { label: 'contactBlock.active', filters: { blockStatus: ['active'] } },
    { label: 'contactBlock.newLately', filters: { createdTime: 'last30' } },
  ],
  columns: [
    'blockNo',
    'phone',
    'teleSource',
    'reason',
    { id: 'merchantName', cell: row => <ForAll name={row.merchantName} /> },
    'blockStatus',
    'expireTime',
    'createdByName',
    'createdTime',
    'blockedCount',
  ],
  more: ['sourceRef', 'lastBlocked', 'endedTime', 'endedByName', 'endReason'],
  toolbar: act => [
    act(teleBlock.add, {
      label: 'contactBlock.add',
      ask: ['phones', 'reason', 'merchantNo', 'expireTime'],
      confirm: 'contactBlock.teleHint',
      done: answer => addedWords(answer as OutputOf<typeof teleBlock.add>),
    }),
  ],
  rowAndBulk: act => [
    act(teleBlock.remove, {
      label: 'contactBlock.allow',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'contactBlock.allowHint',
    }),
  ],
  detail: row => (
    <Suspense fallback={<Loading rows={3} />}>
      <Detail row={row} />
    </Suspense>
  ),
  also: [teleBlock.detail, ...logCalls],
})

const check = screen([teleBlock.check], () => (
  <Suspense fallback={<Loading rows={2} />}>
    <Check />
  </Suspense>
))

/** Supervisors keep the numbers that no telemarketer, marketing robot or marketing text may reach. */
export default tabbed([
  { name: 'numbers', label: 'contactBlock.numbers', screen: numbers },
  { name: 'check', label: 'contactBlock.check', screen: check },
])
