import { useRead } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { type NameListItem, nameList } from '../../../core/contract/risk/name-list.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { FileButton } from '../../shared/name-list/file-button.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const names = [
  'displayValue',
  'dimension',
  'nameListName',
  'listKind',
  'reasonCode',
  'remark',
  'listSource',
  'createdBy',
  'createdTime',
  'expireTime',
  'itemStatus',
  'timesHit',
  'lastHit',
]

type Detail = OutputOf<typeof nameList.itemDetail>

/** The file that an entry rests on. */
const Evidence = (file: NonNullable<Detail['evidence']>) => (
  <Section title={useText()('fields.evidenceFile')}>
    <FileButton {...file} />
  </Section>
)

/** What an entry rests on, and the other lists that hold its value. */
const Behind = ({ itemNo }: { itemNo: string }) => {
  const t = useText()
  const read = useRead(nameList.itemDetail, { itemNo })
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  if (!read.data) return <Loading rows={2} />
  const { evidence, list } = read.data
  return (
    <>
      {evidence && <Evidence {...evidence} />}
      <Section title={t('nameList.allEntries')}>
        <SmallTable
          schema={nameList.itemDetail.output.shape.list.element}
          rows={list}
          rowKey="itemNo"
          names={['nameListName', 'listKind', 'reasonCode', 'createdTime', 'expireTime', 'itemStatus']}
          empty=""
          label={t('nameList.allEntries')}
        />
      </Section>
    </>
  )
}

/** An entry of a list: its evidence, every list of its value, and the orders that it met. */
export const ItemDetail = ({ row }: { row: NameListItem }) => {
  const t = useText()
  const read = useRead(nameList.hits, { itemNo: row.itemNo, pageSize: 50 } as never)
  return (
    <>
      <Facts schema={nameList.items.row} value={row} names={names} />
      <Behind itemNo={row.itemNo} />
      <Section title={t('nameList.hits')}>
        {read.data ? (
          <SmallTable
            schema={nameList.hits.row}
            rows={read.data.list}
            rowKey="listHitNo"
            names={['hitAt', 'orderNo', 'listEffect']}
            empty={t('nameList.noHits')}
          />
        ) : read.error ? (
          <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
        ) : (
          <Loading rows={2} />
        )}
      </Section>
      <RecordLog of={{ objectType: 'name_list_item', objectNo: row.itemNo }} />
    </>
  )
}
