import { useRead } from '../../../core/client/providers.tsx'
import { type ContactBlockRow, contactBlock } from '../../../core/contract/merchant/contact-block.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { Holdings } from '../../shared/contact-block/holdings.tsx'
import { FileButton } from '../../shared/name-list/file-button.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const names = [
  'phone',
  'blockScope',
  'blockReason',
  'merchantName',
  'relation',
  'linkedCustomerName',
  'blockSource',
  'remark',
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

/** The file by which a second person was asked to let the number be contacted again. */
const Proof = (file: { uploadNo: string; fileName: string }) => (
  <Section title={useText()('fields.proofFile')}>
    <FileButton {...file} />
  </Section>
)

const Behind = ({ blockNo }: { blockNo: string }) => {
  const t = useText()
  const read = useRead(contactBlock.detail, { blockNo })
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  if (!read.data) return <Loading rows={3} />
  const { lists, sent, contactOf, proof } = read.data
  const { shape } = contactBlock.detail.output
  return (
    <>
      {proof && <Proof {...proof} />}
      <Section title={t('contactBlock.lists')}>
        <Holdings list={lists} />
      </Section>
      <Section title={t('contactBlock.contactOf')}>
        <SmallTable
          schema={shape.contactOf.element}
          rows={contactOf}
          rowKey="orderNo"
          names={['orderNo', 'relation']}
          empty={t('contactBlock.ofNone')}
        />
      </Section>
      <Section title={t('contactBlock.sent')}>
        <SmallTable
          schema={shape.sent.element}
          rows={sent}
          rowKey="messageNo"
          names={['createdTime', 'messageNo']}
          empty={t('contactBlock.nothingSent')}
        />
      </Section>
    </>
  )
}

/** The contacts that an entry has stopped. */
const Stops = ({ blockNo }: { blockNo: string }) => {
  const t = useText()
  const read = useRead(contactBlock.stops, { blockNo, pageSize: 50 })
  return (
    <Section title={t('contactBlock.stops')}>
      {read.data ? (
        <SmallTable
          schema={contactBlock.stops.row}
          rows={read.data.list}
          rowKey="stopNo"
          names={['stoppedAt', 'contactKind', 'medium', 'stoppedByName']}
          empty={t('contactBlock.noStops')}
        />
      ) : read.error ? (
        <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
      ) : (
        <Loading rows={2} />
      )}
    </Section>
  )
}

/** An entry of the do-not-contact list: what it forbids, what was sent before, and what it has stopped. */
export const BlockDetail = ({ row }: { row: ContactBlockRow }) => (
  <>
    <Facts schema={contactBlock.page.row} value={row} names={names} />
    <Behind blockNo={row.blockNo} />
    <Stops blockNo={row.blockNo} />
    <RecordLog of={{ objectType: 'contact_block', objectNo: row.blockNo }} />
  </>
)
