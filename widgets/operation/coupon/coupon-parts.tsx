import { useRead } from '../../../core/client/providers.tsx'
import { type Coupon, type CouponBatch, coupon } from '../../../core/contract/operation/coupon.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { RecordLog } from '../../shared/record-log.tsx'

const held = [
  'couponName',
  'couponTemplateNo',
  'couponType',
  'couponRepayType',
  'couponStatus',
  'faceAmount',
  'minOrderAmount',
  'customerName',
  'phone',
  'merchantName',
  'startTime',
  'expireTime',
  'boundOrderNo',
  'couponSource',
  'sourceNo',
  'createdTime',
  'usedTime',
  'takenOff',
  'revokeReason',
]

/** A coupon: what it is worth, who holds it, and what became of it. */
export const CouponDetail = ({ row }: { row: Coupon }) => (
  <>
    <Facts schema={coupon.coupons.row} value={row} names={held} />
    <RecordLog of={{ objectType: 'coupon', objectNo: row.couponNo }} />
  </>
)

const issued = [
  'issueBatchStatus',
  'couponName',
  'faceAmount',
  'issueCount',
  'totalAmount',
  'issuedOk',
  'issuedFailed',
  'startTime',
  'reason',
  'makerName',
  'checkerName',
  'createdTime',
  'finishTime',
]

/** An issue: its customers one by one, with the coupon or the reason of each. */
export const BatchDetail = ({ row }: { row: CouponBatch }) => {
  const t = useText()
  return (
    <>
      <Facts schema={coupon.batches.row} value={row} names={issued} />
      <Section title={t('coupon.batchRows')}>
        <PagedTable
          list={coupon.batchRows}
          filters={{ issueBatchNo: row.issueBatchNo }}
          size={10}
          batch={50}
          rowKey="batchRowNo"
          names={['rowNo', 'named', 'customerNo', 'couponNo', 'failReason']}
          empty={t('coupon.noRows')}
          label={t('coupon.batchRows')}
        />
      </Section>
      <RecordLog of={{ objectType: 'coupon_issue_batch', objectNo: row.issueBatchNo }} />
    </>
  )
}

/** How a kind of coupon was given and used in the last 30 days, and what it cost. */
export const TemplateStat = ({ couponTemplateNo }: { couponTemplateNo: string }) => {
  const t = useText()
  const read = useRead(coupon.stat, { couponTemplateNo })
  return (
    <Loaded read={read}>
      {({ issued: given, used, expired, cost, byDay }) => (
        <>
          <Text as="p" size="2">
            {t('coupon.statLine', { issued: given, used, expired, cost: formatMoney(cost) })}
          </Text>
          {(['issued', 'used'] as const).map(name => (
            <Section key={name} title={t(name === 'issued' ? 'coupon.issuedByDay' : 'coupon.usedByDay')}>
              <Bars
                label={t(name === 'issued' ? 'coupon.issuedByDay' : 'coupon.usedByDay')}
                bars={byDay.map(day => ({
                  name: day.date.slice(5),
                  value: day[name],
                  label: `${day.date} ${day[name]}`,
                }))}
              />
            </Section>
          ))}
        </>
      )}
    </Loaded>
  )
}
