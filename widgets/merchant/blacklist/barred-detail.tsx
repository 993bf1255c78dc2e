import { useRead } from '../../../core/client/providers.tsx'
import { type BlacklistRow, blacklist } from '../../../core/contract/merchant/blacklist.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { FileButton } from '../../shared/name-list/file-button.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const names = [
  'displayValue',
  'dimension',
  'customerName',
  'reasonCode',
  'remark',
  'merchantName',
  'nameListName',
  'listSource',
  'createdByName',
  'createdTime',
  'expireTime',
  'itemStatus',
  'timesHit',
  'lastHit',
]

/** What an entry rests on, the other lists of its value, and whom it refused. */
const Behind = ({ itemNo }: { itemNo: string }) => {
  const t = useText()
  const read = useRead(blacklist.detail, { itemNo })
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  if (!read.data) return <Loading rows={3} />
  const { evidence, list, orders, persons } = read.data
  const { shape } = blacklist.detail.output
  return (
    <>
      {evidence && (
        <Section title={t('fields.evidenceFile')}>
          <FileButton {...evidence} />
        </Section>
      )}
      <Section title={t('nameList.allEntries')}>
        <SmallTable
          schema={shape.list.element}
          rows={list}
          rowKey="itemNo"
          names={['nameListName', 'listKind', 'reasonCode', 'createdTime', 'expireTime', 'itemStatus']}
          empty=""
          label={t('nameList.allEntries')}
        />
      </Section>
      <Section title={t('nameList.hits')}>
        <SmallTable
          schema={shape.orders.element}
          rows={orders}
          rowKey="orderNo"
          names={['orderNo', 'hitAt']}
          empty={t('nameList.noHits')}
        />
        <Text size="2" color="gray">
          {t('blacklist.persons', { n: persons })}
        </Text>
      </Section>
    </>
  )
}

/** An entry of a black list that people fill. */
export const BarredDetail = ({ row }: { row: BlacklistRow }) => (
  <>
    <Facts schema={blacklist.page.row} value={row} names={names} />
    <Behind itemNo={row.itemNo} />
    <RecordLog of={{ objectType: 'name_list_item', objectNo: row.itemNo }} />
  </>
)
