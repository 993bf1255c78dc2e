import type { Approval } from '../../contract/common/approval.ts'
import { common } from '../../contract/common/common.ts'
import { useText } from '../../element/i18n.ts'
import { eatDateTime } from '../../rules/time.ts'
import { Button } from '../../ui/basics.ts'
import { RecordLink } from '../list/record-link.tsx'
import { DecideBox, samePersonText } from './decide-box.tsx'
import { useCommand } from './use-command.ts'

/** One request for a second person: what it would change, and the ways to decide it. */
export const ApprovalBox = ({
  approval,
  go,
  onChange,
}: {
  approval: Approval
  go?: (path: string) => void
  onChange: () => void
}) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { approvalNo, version, sharedWithMaker, money } = approval
  const shared = sharedWithMaker[0]
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
      {...(shared && {
        warning: money ? t(`errors.samePerson.${shared}`) : samePersonText(t, sharedWithMaker),
      })}
      barred={Boolean(shared && money)}
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
      <li>
        <RecordLink of={approval} {...(go && { go })} />
      </li>
      {approval.summary.map(line => (
        <li key={line.label}>
          {t('common.labelled', {
            label: line.label,
            value: `${line.before ? `${line.before} → ` : ''}${line.after ?? '–'}`,
          })}
        </li>
      ))}
    </DecideBox>
  )
}
