import { useRead } from '../../../core/client/providers.tsx'
import { type OrderBasic, order } from '../../../core/contract/order/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Verification } from '../verification.tsx'
import { CheckCounts, Checks } from './checks.tsx'
import { CardsSkeleton } from './order-skeleton.tsx'

const { shape } = order.basic.output

const groups = {
  identity: ['customerName', 'idNumber', 'phone', 'gender', 'birthDate', 'age', 'customerStatus', 'registerTime'],
  life: ['maritalStatus', 'education', 'childrenCount', 'residenceType', 'district', 'addressText', 'email'],
  work: ['occupation', 'employerName', 'monthlyIncome', 'payday'],
} as const

const creditNames = ['creditType', 'creditLimit', 'remainingLimit', 'creditStatus', 'creditExpiry', 'creditAdjustable']
const couponNames = ['couponNo', 'couponType', 'faceAmount', 'expireTime', 'couponStatus']
const loanNames = [
  'loanPurpose',
  'requestedAmount',
  'suggestedAmount',
  'approvalAmount',
  'loanAmount',
  'actualLoanAmount',
  'modelLevel',
  'modelScore',
  'incomingChannel',
  'promotionChannel',
  'lendingChannel',
  'dataSource',
  'applyTime',
  'auditTime',
  'payoutTime',
]
const refusedNames = ['refuseReason']

/** The sections of what is known from the application. */
export const BasicSections = ({ orderNo, basic }: { orderNo: string; basic: OrderBasic }) => {
  const t = useText()
  const { checks, customer, coupon, loan, payout, contacts } = basic
  const account = payout.payoutType === 'wallet' ? ['walletAccount'] : ['bankName', 'bankCardNo']
  const about = (name: keyof typeof groups) => (
    <Section title={t(`order.${name}`)}>
      <Facts schema={shape.customer} value={customer} names={groups[name]} />
    </Section>
  )
  return (
    <div className="mk-columns">
      <div className="mk-stack">
        <Section title={t('order.checks')} aside={<CheckCounts checks={checks} />}>
          <Checks checks={checks} />
        </Section>
        {about('identity')}
        {about('life')}
      </div>
      <div className="mk-stack">
        {about('work')}
        <Section title={t('order.loan')}>
          <Facts schema={shape.loan} value={loan} names={[...loanNames, ...(loan.refuseCode ? refusedNames : [])]} />
        </Section>
        <Section title={t('order.credit')}>
          <Facts schema={shape.customer} value={customer} names={creditNames} />
        </Section>
        <Section title={t('order.coupon')}>
          {coupon ? <Facts schema={shape.coupon.unwrap()} value={coupon} names={couponNames} /> : '–'}
        </Section>
        <Section title={t('order.payee')}>
          <Facts
            schema={shape.payout}
            value={{ ...payout, orderNo }}
            names={['payoutType', 'payoutSubtype', ...account, 'cardholderName', 'verifyResult', 'holderName']}
            own={{ verifyResult: <Verification result={payout.verifyResult} /> }}
          />
        </Section>
        {contacts && (
          <Section title={t('order.contacts')}>
            <SmallTable
              schema={shape.contacts.unwrap().element}
              rows={contacts}
              rowKey="contactNo"
              label={t('order.contacts')}
              names={['relation', 'contactName', 'contactPhone', 'lastFollowResult']}
              empty={t('order.noContacts')}
            />
          </Section>
        )}
      </div>
    </div>
  )
}

/** Checks first, then who the customer is, what they ask for, where it goes and who vouches. */
export const BasicTab = ({ orderNo }: { orderNo: string }) => (
  <Loaded read={useRead(order.basic, { orderNo })} skeleton={<CardsSkeleton cards={8} />}>
    {basic => <BasicSections orderNo={orderNo} basic={basic} />}
  </Loaded>
)
