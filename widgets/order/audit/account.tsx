import { useRef, useState } from 'react'
import { newKey } from '../../../core/client/call.ts'
import { CallError } from '../../../core/client/errors.ts'
import { useMay } from '../../../core/client/providers.tsx'
import { audit } from '../../../core/contract/audit.ts'
import { order } from '../../../core/contract/order.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useAct } from '../../../core/engine/use-act.ts'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { Facts } from '../../shared/facts.tsx'
import { Verification } from '../verification.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { useWork } from './work.ts'
import { WorkSection } from './work-section.tsx'

/** Where the money would go, whose account the network says it is, and another account instead. */
export const Account = () => {
  const t = useText()
  const act = useAct()
  const may = useMay()
  const { basic, lease, lose, reload, clear } = useWork()
  const { payout } = basic
  const key = useRef(newKey())
  const [busy, setBusy] = useState(false)
  const [changing, setChanging] = useState(false)
  const changed = () => {
    clear(['payout'])
    reload()
  }
  const verify = async () => {
    setBusy(true)
    try {
      await act.send(audit.verifyPayout, lease, {
        key: key.current,
        ids: [lease.orderNo],
        done: answer => t('audit.verified', { result: t(`dict.VERIFY_RESULT.${answer.verifyResult}`) }),
      })
      key.current = newKey()
      changed()
    } catch (error) {
      if (error instanceof CallError) key.current = newKey()
      lose(error)
    } finally {
      setBusy(false)
    }
  }
  const account = payout.payoutType === 'wallet' ? ['walletAccount'] : ['bankName', 'bankCardNo']
  return (
    <WorkSection title={t('order.payee')} name="payout" aside={<Verification result={payout.verifyResult} />}>
      <Facts
        schema={order.basic.output.shape.payout}
        value={{ ...payout, orderNo: lease.orderNo }}
        names={['payoutType', 'payoutSubtype', ...account, 'cardholderName', 'holderName']}
      />
      {may.call(audit.changePayout) && (
        <Flex gap="2" mt="2">
          <Button size="1" variant="soft" loading={busy} onClick={() => void verify()}>
            {t('audit.verifyName')}
          </Button>
          <Button size="1" variant="soft" color="gray" onClick={() => setChanging(true)}>
            {t('audit.changePayee')}
          </Button>
        </Flex>
      )}
      {changing && (
        <AccountDialog
          close={done => {
            setChanging(false)
            if (done) changed()
          }}
        />
      )}
    </WorkSection>
  )
}
