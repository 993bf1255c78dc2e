import { useRead } from '../../../core/client/providers.tsx'
import { type TeleBlockRow, teleBlock } from '../../../core/contract/telemarketing/blacklist.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { Holdings } from '../../shared/contact-block/holdings.tsx'
import { RecordLog } from '../../shared/record-log.tsx'

const names = [
  'phone',
  'teleSource',
  'sourceRef',
  'reason',
  'merchantName',
  'createdByName',
  'createdTime',
  'expireTime',
  'blockStatus',
  'blockedCount',
  'lastBlocked',
  'endedTime',
  'endedByName',
  'endReason',
]

/** An entry of the telemarketing blacklist: where it came from, and every list of its number. */
export const TeleDetail = ({ row }: { row: TeleBlockRow }) => {
  const t = useText()
  const read = useRead(teleBlock.detail, { blockNo: row.blockNo })
  return (
    <>
      <Facts schema={teleBlock.page.row} value={row} names={names} />
      <Section title={t('contactBlock.lists')}>
        {read.data ? (
          <Holdings list={read.data.lists} />
        ) : read.error ? (
          <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
        ) : (
          <Loading rows={2} />
        )}
      </Section>
      <RecordLog of={{ objectType: 'contact_block', objectNo: row.blockNo }} />
    </>
  )
}
