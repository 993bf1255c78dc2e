import { useState } from 'react'
import { type Approval, common } from '../contract/common.ts'
import { useText } from '../element/i18n.ts'
import { useSheet } from '../element/styles.ts'
import { formatMoney } from '../rules/amount.ts'
import { eatDateTime } from '../rules/time.ts'
import { Button, Callout, Flex, TextField } from '../ui/basics.ts'
import sheet from './engine.css?sheet'
import { useCommand } from './use-command.ts'

/** Amounts travel as decimals and are read with separators. */
const shown = (text: string) => (/^\d+\.\d\d$/.test(text) ? formatMoney(text) : text)

/** One request for a second person: what it would change, and the ways to decide it. */
export const ApprovalBox = ({ approval, onChange }: { approval: Approval; onChange: () => void }) => {
  useSheet(sheet)
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
          {approval.mine && approval.approvalStatus === 'pending' && (
            <Button size="1" variant="soft" color="gray" loading={busy} onClick={() => void decide(common.withdraw)}>
              {t('actions.withdraw')}
            </Button>
          )}
        </Flex>
      </div>
    </Callout.Root>
  )
}
