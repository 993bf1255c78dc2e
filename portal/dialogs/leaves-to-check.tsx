import { refresh, useMay, useRead } from '../../core/client/providers.tsx'
import { home } from '../../core/contract/portal/home.ts'
import { message } from '../../core/contract/portal/message.ts'
import { type LeaveRow, leave } from '../../core/contract/schedule/leave.ts'
import { useText } from '../../core/element/i18n.ts'
import { DecideBox, samePersonText } from '../../core/engine/form/decide-box.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { eatDateTime } from '../../core/rules/time.ts'
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
  const { leaveNo, version, applicantName } = row
  const decide = async (result: 'approve' | 'reject', note: string) => {
    const input = { leaveNo, version, result, ...(note ? { auditRemark: note } : {}) }
    const outcome = await send(leave.audit, input, { ids: [leaveNo] })
    if (outcome.is !== 'unanswered') refresh(leave.page, message.page, message.count, home.mine)
  }
  return (
    <section aria-label={`${t('shell.leave')}: ${applicantName}`}>
      <DecideBox
        title={`${applicantName} · ${t(`dict.LEAVE_TYPE.${row.leaveType}`)}`}
        asked={t('shell.leaveAskedAt', { time: eatDateTime(row.createdTime) })}
        noteLabel="fields.auditRemark"
        busy={busy}
        {...(row.sharedWithMaker.length > 0 && { warning: samePersonText(t, row.sharedWithMaker) })}
        decide={(result, note) => void decide(result, note)}
      >
        <li>
          <LeaveTimes row={row} />
        </li>
        {row.remark && <li>{row.remark}</li>}
      </DecideBox>
    </section>
  )
}
