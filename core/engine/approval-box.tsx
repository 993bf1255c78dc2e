import { type Approval, common } from '../contract/common.ts'
import { useText } from '../element/i18n.ts'
import { formatMoney } from '../rules/amount.ts'
import { eatDateTime } from '../rules/time.ts'
import { Button } from '../ui/basics.ts'
import { DecideBox } from './decide-box.tsx'
import { useCommand } from './use-command.ts'

/** Amounts travel as decimals and are read with separators. */
const shown = (text: string) => (/^\d+\.\d\d$/.test(text) ? formatMoney(text) : text)

/** One request for a second person: what it would change, and the ways to decide it. */
export const ApprovalBox = ({ approval, onChange }: { approval: Approval; onChange: () => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { approvalNo, version } = approval
  const run = async (endpoint: typeof common.approve | typeof common.reject | typeof common.withdraw, given = {}) => {
    const outcome = await send(endpoint, { approvalNo, version, ...given } as never, { ids: [approvalNo] })
    if (outcome.is === 'done') onChange()
  }
  return (
    <DecideBox
      title={t.maybe(`afterLoan.approval.${approval.approvalAction}`) ?? approval.approvalAction}
      asked={t('shell.approvalBy', { name: approval.makerName, time: eatDateTime(approval.submitTime) })}
      noteLabel="fields.reason"
      busy={busy}
      decide={
        approval.checkable
          ? (result, reason) => void (result === 'approve' ? run(common.approve) : run(common.reject, { reason }))
          : undefined
      }
      also={
        approval.mine &&
        approval.approvalStatus === 'pending' && (
          <Button size="1" variant="soft" color="gray" loading={busy} onClick={() => void run(common.withdraw)}>
            {t('actions.withdraw')}
          </Button>
        )
      }
    >
      {approval.summary.map(line => (
        <li key={line.label}>
          {t('common.labelled', {
            label: t.maybe(line.label) ?? line.label,
            value: `${line.before ? `${shown(line.before)} → ` : ''}${line.after ? shown(line.after) : '–'}`,
          })}
        </li>
      ))}
    </DecideBox>
  )
}
