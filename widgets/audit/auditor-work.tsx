import { useRead } from '../../core/client/providers.tsx'
import { auditPerson } from '../../core/contract/audit/person.ts'
import { useText } from '../../core/element/i18n.ts'
import { Facts, Section } from '../../core/engine/drawer/facts.tsx'
import { Loaded } from '../shared/loaded.tsx'
import { SmallTable } from '../shared/small-table.tsx'

/** What an auditor did in the last 30 days, and holds now. */
export const AuditorWork = ({ userNo }: { userNo: string }) => {
  const t = useText()
  const { output } = auditPerson.work
  return (
    <Loaded read={useRead(auditPerson.work, { userNo })}>
      {of => (
        <>
          <Facts
            schema={output}
            value={of}
            names={['done', 'pass', 'refuse', 'sentBack', 'passShare', 'averageSeconds', 'overdueShare']}
          />
          <Section title={t('auditPerson.open')} aside={of.openTasks.length}>
            <SmallTable
              schema={output.shape.openTasks.element}
              rows={of.openTasks}
              rowKey="orderNo"
              names={['orderNo', 'auditTaskStatus', 'auditStep', 'loanAmount', 'allotTime', 'leaseLive']}
              label={t('auditPerson.open')}
              empty={t('auditPerson.noOpen')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}
