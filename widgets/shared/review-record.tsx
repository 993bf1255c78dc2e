import { useRead } from '../../core/client/providers.tsx'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { order } from '../../core/contract/order/order.ts'
import { useText } from '../../core/element/i18n.ts'
import { Facts, Section } from '../../core/engine/drawer/facts.tsx'
import { eatDateTime } from '../../core/rules/time.ts'
import { Text } from '../../core/ui/basics.ts'
import { StatusBadge, type Tone } from '../../core/ui/status-badge.tsx'
import { Loaded } from './loaded.tsx'
import { PagedTable } from './paged-table.tsx'

type AuditRecord = OutputOf<typeof order.records>['list'][number]
const { element } = order.records.output.shape.list

const tones: Record<AuditRecord['auditResult'], Tone> = { pass: 'good', refuse: 'bad', sent_back: 'attention' }
const namesOf = (record: AuditRecord) => [
  'auditorName',
  ...(record.auditResult === 'pass' ? ['approvalAmount'] : []),
  ...(record.auditResult === 'refuse' ? ['refuseReason'] : []),
  ...(record.auditResult === 'sent_back' ? ['sendBackReason'] : ['faceConsistency']),
  'remark',
  'seconds',
]

const Decision = ({ record }: { record: AuditRecord }) => {
  const t = useText()
  const zh = t.language === 'zh'
  return (
    <Section
      title={t('order.stepNo', { n: record.auditStep })}
      aside={
        <>
          <StatusBadge tone={tones[record.auditResult]} label={t(`dict.AUDIT_RESULT.${record.auditResult}`)} />{' '}
          <Text size="1" color="gray" weight="regular">
            {eatDateTime(record.submitTime)}
          </Text>
        </>
      }
    >
      <Facts schema={element} value={record} names={namesOf(record)} />
      {record.answers.length > 0 && (
        <dl className="mk-answers" aria-label={t('order.answers')}>
          {record.answers.map(one => (
            <div key={one.questionZh}>
              <dt>{zh ? one.questionZh : one.questionLocal}</dt>
              <dd>{zh ? one.answerZh : one.answer}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}

/** What each reviewer decided and answered, and whom they called. */
export const ReviewTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  return (
    <div className="mk-stack">
      <Loaded read={useRead(order.records, { orderNo })}>
        {({ list }) =>
          list.length === 0 ? (
            <Section title={t('order.records')}>
              <Text size="2" color="gray">
                {t('order.noReview')}
              </Text>
            </Section>
          ) : (
            <div className="mk-cards">
              {list.map(record => (
                <Decision key={record.auditRecordNo} record={record} />
              ))}
            </div>
          )
        }
      </Loaded>
      <Section title={t('order.followUps')}>
        <PagedTable
          list={order.follows}
          filters={{ orderNo }}
          size={5}
          batch={10}
          rowKey="followNo"
          label={t('order.followUps')}
          names={['createdTime', 'relation', 'contactName', 'followResult', 'followRemark', 'createdByName']}
          empty={t('order.noFollows')}
          cells={{ contactName: follow => (follow.contactNo ? String(follow.contactName) : t('order.customerSelf')) }}
        />
      </Section>
    </div>
  )
}
