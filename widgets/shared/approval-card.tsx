import { useState } from 'react'
import { useRead } from '../../core/client/providers.tsx'
import { type Approval, common } from '../../core/contract/common.ts'
import { useText } from '../../core/element/i18n.ts'
import { useCommand } from '../../core/engine/use-command.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Button, Callout, Flex, TextField } from '../../core/ui/basics.ts'

/** Amounts travel as decimals and are read with separators. */
const shown = (text: string) => (/^\d+\.\d\d$/.test(text) ? formatMoney(text) : text)

const Card = ({ approval, onChange }: { approval: Approval; onChange: () => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [reason, setReason] = useState('')
  const { approvalNo, version } = approval
  const decide = async (endpoint: typeof common.approve | typeof common.reject | typeof common.withdraw) => {
    const given = endpoint === common.reject ? { reason } : {}
    const outcome = await send(endpoint, { approvalNo, version, ...given } as never, { ids: [approvalNo] })
    if (outcome.is === 'done') onChange()
  }
  return (
    <Callout.Root color="amber" size="1" mb="3">
      <div className="mk-approval">
        <b>{t.maybe(`afterLoan.approval.${approval.approvalAction}`) ?? approval.approvalAction}</b> ·{' '}
        {t('shell.approvalBy', { name: approval.makerName, time: eatDateTime(approval.submitTime) })}
        <ul className="mk-changes">
          {approval.summary.map(line => (
            <li key={line.label}>
              {t.maybe(line.label) ?? line.label}: {line.before && `${shown(line.before)} → `}
              {line.after && shown(line.after)}
            </li>
          ))}
        </ul>
        <Flex gap="2" align="center" wrap="wrap">
          {approval.checkable && (
            <>
              <Button size="1" loading={busy} onClick={() => void decide(common.approve)}>
                {t('actions.approve')}
              </Button>
              <TextField.Root
                size="1"
                value={reason}
                maxLength={30}
                placeholder={t('fields.reason')}
                aria-label={t('fields.reason')}
                onChange={event => setReason(event.target.value)}
              />
              <Button
                size="1"
                variant="soft"
                color="red"
                disabled={!reason.trim()}
                loading={busy}
                onClick={() => void decide(common.reject)}
              >
                {t('actions.reject')}
              </Button>
            </>
          )}
          {approval.mine && (
            <Button size="1" variant="soft" color="gray" loading={busy} onClick={() => void decide(common.withdraw)}>
              {t('actions.withdraw')}
            </Button>
          )}
        </Flex>
      </div>
    </Callout.Root>
  )
}

type Of = { objectType: string; objectNo: string } | { orderNo: string }

/** What waits for a second person on a record or anywhere on an order, with what it would change; the maker cannot decide it. */
export const ApprovalCard = ({ onChange, ...of }: Of & { onChange: () => void }) => {
  const { data, retry } = useRead(common.approvals, { ...of, approvalStatus: ['pending'] }, { background: true })
  return data?.list.map(approval => (
    <Card
      key={approval.approvalNo}
      approval={approval}
      onChange={() => {
        void retry()
        onChange()
      }}
    />
  ))
}
