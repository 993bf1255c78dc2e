import { useRead } from '../../../../core/client/providers.tsx'
import { orderCollected } from '../../../../core/contract/order/collected.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Badge } from '../../../../core/ui/basics.ts'
import { Empty } from '../../../../core/ui/states.tsx'
import { Figures } from '../../../shared/figures.tsx'
import { Loaded } from '../../../shared/loaded.tsx'
import { SmallTable } from '../../../shared/small-table.tsx'
import { Consented } from './consent.tsx'

/** How well the face fits the own document, and other orders with a face like it. */
export const FacesTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const { shape } = orderCollected.faces.output
  return (
    <Loaded read={useRead(orderCollected.faces, { orderNo })}>
      {({ consentTime, faceScore, threshold, list }) => (
        <Consented consentTime={consentTime} none={faceScore === null}>
          <Figures
            label={t('order.tab.faces')}
            list={[
              {
                label: t('fields.faceScore'),
                value: faceScore,
                tone: Number(faceScore) >= Number(threshold) ? 'good' : 'bad',
              },
              { label: t('fields.threshold'), value: threshold },
            ]}
          />
          <div className="mk-card">
            <SmallTable
              schema={shape.list.element}
              rows={list}
              rowKey="orderNo"
              label={t('order.tab.faces')}
              names={[
                'orderNo',
                'likeness',
                'merchantName',
                'customerName',
                'sameIdNumber',
                'orderStatus',
                'overdueDays',
                'applyTime',
              ]}
              cells={{
                sameIdNumber: one =>
                  one.sameIdNumber ? (
                    t('common.yes')
                  ) : (
                    <Badge color="red" title={t('order.differentPerson')}>
                      {t('common.no')}
                    </Badge>
                  ),
              }}
              empty={t('order.noFaces')}
            />
          </div>
        </Consented>
      )}
    </Loaded>
  )
}

/** What the customer has with each merchant. */
export const MerchantsTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(orderCollected.merchants, { orderNo })}>
      {({ list }) =>
        list.length === 0 ? (
          <Empty title={t('order.noMerchants')} />
        ) : (
          <div className="mk-card">
            <SmallTable
              schema={orderCollected.merchants.output.shape.list.element}
              rows={list}
              rowKey="merchantNo"
              label={t('order.tab.merchants')}
              names={[
                'merchantName',
                'orderCount',
                'openLoans',
                'outstanding',
                'maxOverdueDays',
                'lastStatus',
                'lastApplyTime',
              ]}
              empty=""
            />
          </div>
        )
      }
    </Loaded>
  )
}
