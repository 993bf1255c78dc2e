import { useRead } from '../../../core/client/providers.tsx'
import { type NameListItem, nameList } from '../../../core/contract/risk/name-list.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Failed, Loading } from '../../../core/ui/states.tsx'
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

/** An entry of a list, and the orders that it met. */
export const ItemDetail = ({ row }: { row: NameListItem }) => {
  const t = useText()
  const read = useRead(nameList.hits, { itemNo: row.itemNo, pageSize: 50 } as never)
  return (
    <>
      <Facts schema={nameList.items.row} value={row} names={names} />
      <section className="mk-section" aria-label={t('nameList.hits')}>
        <h3>{t('nameList.hits')}</h3>
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
      </section>
    </>
  )
}
