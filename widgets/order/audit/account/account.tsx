import { useMay } from '../../../../core/client/providers.tsx'
import { auditReview } from '../../../../core/contract/audit/review.ts'
import { order } from '../../../../core/contract/order/order.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Facts } from '../../../../core/engine/drawer/facts.tsx'
import { useCommand } from '../../../../core/engine/form/use-command.ts'
import { isProvenPayee } from '../../../../core/rules/payee.ts'
import { Button, Flex } from '../../../../core/ui/basics.ts'
import { useKept } from '../../../../core/ui/kept.ts'
import { ApprovalCard } from '../../../shared/approval-card.tsx'
import { Verification } from '../../verification.tsx'
import { useWork } from '../work.ts'
import { WorkSection } from '../work-section.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { CheckedDialog } from './checked-dialog.tsx'

const MarkButton = ({ waits, press }: { waits: boolean; press: () => void }) => {
  const t = useText()
  return (
    <Button
      size="1"
      variant="soft"
      color="gray"
      disabled={waits}
      title={waits ? t('audit.waitsForSecond') : undefined}
      onClick={press}
    >
      {t('actions.markChecked')}
    </Button>
  )
}

/** Where the money would go, whose account the network says it is, and another account instead. */
export const Account = () => {
  const t = useText()
  const { send, busy } = useCommand()
  const may = useMay()
  const { basic, summary, lease, lose, reload, clear } = useWork()
  const { payout } = basic
  const [asking, setAsking] = useKept<'another' | 'checked' | null>('account', null)
  const { pendingApproval } = summary
  const unproven =
    payout.verifyResult === 'failed' || (payout.payoutType === 'bank' && !isProvenPayee(payout.verifyResult))
  const close = (done?: boolean) => {
    setAsking(null)
    if (done) changed()
  }
  const changed = () => {
    clear(['payout'])
    reload()
  }
  const verify = async () => {
    const outcome = await send(auditReview.verifyPayout, lease, {
      ids: [lease.orderNo],
      done: answer => t('audit.verified', { result: t(`dict.VERIFY_RESULT.${answer.verifyResult}`) }),
    })
    if (outcome.is === 'done') changed()
    if (outcome.is === 'refused') lose(outcome.error)
  }
  const account = payout.payoutType === 'wallet' ? ['walletAccount'] : ['bankName', 'bankCardNo']
  return (
    <WorkSection title={t('order.payee')} name="payout" aside={<Verification result={payout.verifyResult} />}>
      <Facts
        schema={order.basic.output.shape.payout}
        value={{ ...payout, orderNo: lease.orderNo }}
        names={['payoutType', 'payoutSubtype', ...account, 'cardholderName', 'holderName']}
      />
      {may.call(auditReview.changePayout) && (
        <Flex gap="2" mt="2" wrap="wrap">
          <Button size="1" variant="soft" loading={busy} onClick={() => void verify()}>
            {t('audit.verifyName')}
          </Button>
          <Button size="1" variant="soft" color="gray" onClick={() => setAsking('another')}>
            {t('audit.changePayee')}
          </Button>
          {unproven && <MarkButton waits={pendingApproval !== null} press={() => setAsking('checked')} />}
        </Flex>
      )}
      {pendingApproval !== null && <ApprovalCard objectType="order" objectNo={lease.orderNo} onChange={changed} />}
      {asking === 'another' && <AccountDialog close={close} />}
      {asking === 'checked' && <CheckedDialog close={close} />}
    </WorkSection>
  )
}
