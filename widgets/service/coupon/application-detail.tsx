import { useRead } from '../../../core/client/providers.tsx'
import { type ApplyRow, serviceCoupon } from '../../../core/contract/service/service-coupon.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Callout, Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { shape } = serviceCoupon.auditDetail.output
const names = [
  'couponApplyStatus',
  'configName',
  'couponType',
  'couponRepayType',
  'customerName',
  'phone',
  'merchantName',
  'orderNo',
  'faceAmount',
  'couponCount',
  'totalAmount',
  'reason',
  'applicantName',
  'applyTime',
  'auditorName',
  'auditTime',
  'auditRemark',
]

/** The figures that decide, on one line. */
const Deciding = ({ row }: { row: ApplyRow }) => {
  const t = useText()
  return (
    <Callout.Root size="1" color="gray" mb="2">
      <Callout.Text>
        {t('serviceCoupon.deciding', {
          given: row.given30Days,
          due: formatMoney(row.amountDue),
          left: formatMoney(row.budgetLeft),
        })}
      </Callout.Text>
    </Callout.Root>
  )
}

/** An application with the customer's coupons of a year, and how often its applicant was agreed with. */
export const ApplicationDetail = ({ row }: { row: ApplyRow }) => {
  const t = useText()
  const read = useRead(serviceCoupon.auditDetail, { applyNo: row.applyNo }, { follows: true })
  return (
    <Loaded read={read}>
      {({ application, coupons, lastYear, applicant }) => (
        <>
          <Deciding row={application} />
          <Section title={t('fields.application')}>
            <Facts schema={shape.application} value={application} names={names} />
          </Section>
          <Section title={t('serviceCoupon.customer')}>
            <Text as="p" size="2">
              {t('serviceCoupon.yearLine', lastYear)}
            </Text>
            <Text as="p" size="2">
              {t('serviceCoupon.applicantLine', applicant)}
            </Text>
          </Section>
          <Section title={t('serviceCoupon.issued')}>
            <SmallTable
              schema={shape.coupons.element}
              rows={coupons}
              rowKey="couponNo"
              names={['couponNo', 'faceAmount', 'couponStatus', 'expireTime', 'boundOrderNo', 'usedTime']}
              empty={t('serviceCoupon.noCoupons')}
            />
          </Section>
          <RecordLog of={{ objectType: 'couponApplication', objectNo: row.applyNo }} />
        </>
      )}
    </Loaded>
  )
}
