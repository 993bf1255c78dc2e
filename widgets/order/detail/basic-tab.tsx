import { useRead } from '../../../core/client/providers.tsx'
import { type OrderBasic, order } from '../../../core/contract/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Badge } from '../../../core/ui/basics.ts'
import { Facts, Section } from '../../shared/facts.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Verification } from '../verification.tsx'
import { Checks } from './checks.tsx'
import { CardsSkeleton } from './order-skeleton.tsx'

const { shape } = order.basic.output

const groups = {
  identity: ['customerName', 'idNumber', 'phone', 'gender', 'birthDate', 'age', 'customerStatus', 'registerTime'],
  life: ['maritalStatus', 'education', 'childrenCount', 'residenceType', 'district', 'addressText', 'email'],
  work: ['occupation', 'employerName', 'monthlyIncome', 'payday'],
  credit: ['creditType', 'creditLimit', 'remainingLimit'],
} as const

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
const refusedNames = ['refuseCode', 'refuseReason']

const Body = ({ orderNo, basic }: { orderNo: string; basic: OrderBasic }) => {
  const t = useText()
  const { checks, customer, loan, payout, contacts } = basic
  const mismatches = checks.filter(check => check.checkResult === 'mismatch').length
  const account = payout.payoutType === 'wallet' ? ['walletAccount'] : ['bankName', 'bankCardNo']
  const about = (name: keyof typeof groups) => (
    <Section title={t(`order.${name}`)}>
      <Facts schema={shape.customer} value={customer} names={groups[name]} />
    </Section>
  )
  return (
    <div className="mk-columns">
      <div className="mk-stack">
        <Section
          title={t('order.checks')}
          aside={mismatches > 0 && <Badge color="red">{t('order.mismatches', { n: mismatches })}</Badge>}
        >
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
        {about('credit')}
        <Section title={t('order.payee')}>
          <Facts
            schema={shape.payout}
            value={{ ...payout, orderNo }}
            names={['payoutType', 'payoutSubtype', ...account, 'cardholderName', 'verifyResult', 'holderName']}
            own={{ verifyResult: <Verification result={payout.verifyResult} /> }}
          />
        </Section>
        <Section title={t('order.contacts')}>
          <SmallTable
            schema={shape.contacts.element}
            rows={contacts}
            rowKey="contactNo"
            label={t('order.contacts')}
            names={['relation', 'contactName', 'contactPhone', 'lastFollowResult']}
            empty={t('order.noContacts')}
          />
        </Section>
      </div>
    </div>
  )
}

/** Checks first, then who the customer is, what they ask for, where it goes and who vouches. */
export const BasicTab = ({ orderNo }: { orderNo: string }) => (
  <Loaded read={useRead(order.basic, { orderNo })} skeleton={<CardsSkeleton cards={8} />}>
    {basic => <Body orderNo={orderNo} basic={basic} />}
  </Loaded>
)
