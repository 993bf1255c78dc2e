import { useState } from 'react'
import { refresh, useMay, useRead } from '../core/client/providers.tsx'
import { home } from '../core/contract/home.ts'
import { type LeaveRow, leave } from '../core/contract/leave.ts'
import { message } from '../core/contract/message.ts'
import { useText } from '../core/element/i18n.ts'
import { useCommand } from '../core/engine/use-command.ts'
import { eatDateTime } from '../core/rules/time.ts'
import { Button, Callout, Flex, TextField } from '../core/ui/basics.ts'
import { LeaveTimes } from './leave-dialog.tsx'

/** Leave of people in line that waits for the reader. */
export const useLeavesToCheck = (wanted: boolean): readonly LeaveRow[] => {
  const may = useMay()
  const asked = wanted && may.call(leave.audit)
  const { data } = useRead(leave.page, asked ? { box: 'toCheck', sort: 'createdTime' } : null, { background: true })
  return asked ? (data?.list ?? []) : []
}

/** One application: who, when, and the ways to decide it. */
export const LeaveToCheck = ({ row }: { row: LeaveRow }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [auditRemark, setRemark] = useState('')
  const { leaveNo, version, applicantName } = row
  const decide = async (result: 'approve' | 'reject') => {
    const note = auditRemark.trim()
    const input = { leaveNo, version, result, ...(note ? { auditRemark: note } : {}) }
    const outcome = await send(leave.audit, input, { ids: [leaveNo] })
    if (outcome.is !== 'unanswered') refresh(leave.page, message.page, message.count, home.mine)
  }
  return (
    <section aria-label={`${t('shell.leave')}: ${applicantName}`}>
      <Callout.Root color="amber" size="1" mb="3">
        <div className="mk-approval">
          <b>{`${applicantName} · ${t(`dict.LEAVE_TYPE.${row.leaveType}`)}`}</b> ·{' '}
          {t('shell.leaveAskedAt', { time: eatDateTime(row.createdTime) })}
          <ul className="mk-changes">
            <li>
              <LeaveTimes row={row} />
            </li>
            {row.remark && <li>{row.remark}</li>}
          </ul>
          <Flex gap="2" align="center" wrap="wrap">
            <Button size="1" loading={busy} onClick={() => void decide('approve')}>
              {t('actions.approve')}
            </Button>
            <TextField.Root
              size="1"
              value={auditRemark}
              maxLength={30}
              placeholder={t('fields.auditRemark')}
              aria-label={t('fields.auditRemark')}
              onChange={event => setRemark(event.target.value)}
            />
            <Button
              size="1"
              variant="soft"
              color="red"
              disabled={!auditRemark.trim()}
              loading={busy}
              onClick={() => void decide('reject')}
            >
              {t('actions.reject')}
            </Button>
          </Flex>
        </div>
      </Callout.Root>
    </section>
  )
}
