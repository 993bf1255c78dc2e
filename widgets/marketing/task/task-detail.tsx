import { useRead } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { type SmsTaskRow, smsTasks } from '../../../core/contract/marketing/sms-task.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { Figures } from '../../shared/figures.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { WaitingApproval } from '../../shared/record/waiting-approval.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { detail, messages, page } = smsTasks
type Whole = OutputOf<typeof detail>

/** From everybody whom it meant to those who borrowed. */
const Funnel = ({ task }: { task: SmsTaskRow }) => {
  const t = useText()
  const names = ['customersMatched', 'customersLeftOut', 'recipientCount', 'textsTaken', 'textsArrived'] as const
  const list = [...names, 'appliedCount' as const, 'paidOutCount' as const].map(name => ({
    label: t(`fields.${name}`),
    value: task[name],
  }))
  return (
    <Flex direction="column" mb="3">
      <Figures label={t('smsTask.funnel')} list={list} />
    </Flex>
  )
}

const Parts = ({ data }: { data: Whole }) => {
  const t = useText()
  const { perNetwork, perLanguage, blocks } = detail.output.shape
  return (
    <>
      <Section title={t('smsTask.byNetwork')}>
        <SmallTable
          schema={perNetwork.element}
          rows={data.perNetwork}
          rowKey="network"
          names={['network', 'textsTaken', 'textsArrived', 'failedCount']}
          empty={t('smsTask.nothingSent')}
        />
      </Section>
      <Section title={t('smsTask.byLanguage')}>
        <SmallTable
          schema={perLanguage.element}
          rows={data.perLanguage}
          rowKey="language"
          names={['language', 'count', 'textsArrived']}
          empty={t('smsTask.nothingSent')}
        />
      </Section>
      <Section title={t('smsTask.whyLeftOut')}>
        <SmallTable
          schema={blocks.element}
          rows={data.blocks}
          rowKey="blockReason"
          names={['blockReason', 'count']}
          empty={t('smsTask.nobodyLeftOut')}
        />
      </Section>
    </>
  )
}

/** One task: how far its texts came, by network and language, who was left out and why, each text, and what was said. */
export const TaskDetail = ({ row, reload }: { row: SmsTaskRow; reload: () => void }) => {
  const t = useText()
  const read = useRead(detail, { taskNo: row.taskNo }, { follows: true })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <WaitingApproval objectType="sms_task" objectNo={row.taskNo} reload={reload} />
          <Section title={t('smsTask.overview')}>
            <Funnel task={data.task} />
            <Facts
              schema={page.row}
              value={data.task}
              names={[
                ...['smsTaskStatus', 'waitingReason', 'merchantName', 'templateName', 'templateVersion', 'userGroupNo'],
                ...['textsRefused', 'failedCount', 'textsUnknown', 'cancelledCount', 'optOutCount', 'paidOutAmount'],
                ...[
                  'segmentsTotal',
                  'costEstimate',
                  'costActual',
                  'ratePerMinute',
                  'sendTime',
                  'beganTime',
                  'overTime',
                ],
              ]}
            />
          </Section>
          <Parts data={data} />
          <Section title={t('smsTask.text')}>
            {data.contents.map(({ language, messageText }) => (
              <Text key={language} as="p" size="2" mb="2">
                <Text color="gray">{dictText(t, 'LANGUAGE', language)}</Text> {messageText}
              </Text>
            ))}
          </Section>
          <Section title={t('smsTask.messages')}>
            <PagedTable
              list={messages}
              filters={{ taskNo: row.taskNo }}
              size={10}
              batch={50}
              rowKey="messageNo"
              names={[
                ...['phone', 'messageStatus', 'failReason', 'heldReason', 'segments', 'messageCost'],
                ...['submitTime', 'deliverTime', 'triedTimes'],
              ]}
              empty={t('smsTask.nothingSent')}
              label={t('smsTask.messages')}
            />
          </Section>
          <RecordLog of={{ objectType: 'sms_task', objectNo: row.taskNo }} />
        </>
      )}
    </Loaded>
  )
}
