import { useRead } from '../../../core/client/providers.tsx'
import { type SmsTemplateRow, smsTemplates } from '../../../core/contract/marketing/sms-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { InLanguages } from './in-languages.tsx'

const { detail, page } = smsTemplates
const facts = [
  ...['templateName', 'merchantName', 'appName', 'mostParts', 'templateVersion', 'usedTasks'],
  ...['authorName', 'enabledBy', 'createdBy', 'createdTime', 'updatedTime'],
]

/** Its status beside the number. */
export const templateHead = (row: SmsTemplateRow) => (
  <>
    <Dict dict="TEMPLATE_STATUS" value={row.templateStatus} />
    <Text size="2" truncate>
      {row.templateName}
    </Text>
  </>
)

/** One text: as customers read it, what was in force before, and the tasks that sent it. */
export const TemplateDetail = ({ row }: { row: SmsTemplateRow }) => {
  const t = useText()
  const read = useRead(detail, { templateNo: row.templateNo }, { follows: true })
  const { versions, uses } = detail.output.shape
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Section title={t('smsTemplate.asRead')}>
            <InLanguages list={data.measured} />
          </Section>
          <Section title={t('smsTemplate.about')}>
            <Facts schema={page.row} value={data.row} names={facts} />
          </Section>
          <Section title={t('smsTemplate.versions')}>
            <SmallTable
              schema={versions.element}
              rows={data.versions}
              rowKey="templateVersion"
              names={['templateVersion', 'contentEn', 'contentSw', 'authorName', 'enabledBy', 'enabledTime']}
              empty={t('messageTemplate.neverEnabled')}
            />
          </Section>
          <Section title={t('smsTemplate.uses')}>
            <SmallTable
              schema={uses.element}
              rows={data.uses}
              rowKey="taskNo"
              names={['taskNo', 'taskName', 'textsSent', 'textsArrived', 'createdTime']}
              empty={t('smsTemplate.neverUsed')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}
