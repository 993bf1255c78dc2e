import { useEffect } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { smsTasks, type TaskPreview, typedFrom } from '../../../core/contract/marketing/sms-task.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Callout, Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { type Writing, Written } from '../../shared/message/writing.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { preview } = smsTasks
type Props = {
  answers: Readonly<Record<string, unknown>>
  writing: Writing
  /** Takes what proves that this preview was seen. */
  show: (token: string) => void
}

const asked = (answers: Props['answers']): InputOf<typeof preview> =>
  Object.fromEntries(
    Object.keys(preview.input.shape).flatMap(name => {
      const value = answers[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  ) as InputOf<typeof preview>

const Samples = ({ samples }: { samples: TaskPreview['samples'] }) =>
  samples.map(({ phone, messageText }) => (
    <Text key={`${phone} ${messageText}`} as="p" size="2" mb="2">
      <Text color="gray">{phone}</Text> {messageText}
    </Text>
  ))

const Notes = ({ data }: { data: TaskPreview }) => {
  const t = useText()
  const notes = [
    ...(data.recipientCount === 0 ? [t('errors.nobodyLeft')] : []),
    ...(data.gotLately > 0 ? [t('smsTask.gotLately', { n: data.gotLately })] : []),
    ...(data.needsApproval ? [t('smsTask.needsApproval')] : []),
  ]
  return notes.map(note => (
    <Callout.Root key={note} color="amber" size="1" role="status">
      <Callout.Text>{note}</Callout.Text>
    </Callout.Root>
  ))
}

const Whole = ({ data, writing, show }: Pick<Props, 'writing' | 'show'> & { data: TaskPreview }) => {
  const t = useText()
  const { previewToken } = data
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token alone says that there is something new
  useEffect(() => show(previewToken), [previewToken])
  const blocks = data.blocks.map(one => `${dictText(t, 'MESSAGE_BLOCK_REASON', one.blockReason)} ${one.count}`)
  return (
    <>
      <Text as="p" size="3" mb="2">
        {t('smsTask.effect', {
          recipients: data.recipientCount,
          parts: data.segmentsTotal,
          cost: formatMoney(data.costEstimate),
          left: formatMoney(data.budgetLeft),
        })}
      </Text>
      {blocks.length > 0 && (
        <Text as="p" size="2" color="gray" mb="2">
          {t('smsTask.leftOut', { list: blocks.join(', ') })}
        </Text>
      )}
      <Notes data={data} />
      <Facts schema={preview.output} value={data} names={['customersMatched', 'beginEstimate', 'finishEstimate']} />
      <Section title={t('smsTask.byNetwork')}>
        <SmallTable
          schema={preview.output.shape.perNetwork.element}
          rows={data.perNetwork}
          rowKey="network"
          names={['network', 'count']}
          empty={t('errors.nobodyLeft')}
        />
      </Section>
      <Section title={t('smsTask.samples')}>
        <Samples samples={data.samples} />
      </Section>
      {data.recipientCount >= typedFrom && <Written name="typedCount" writing={writing} />}
    </>
  )
}

/** What a task would do, counted as of now. */
export const TaskEffect = ({ answers, writing, show }: Props) => {
  const read = useRead(preview, asked(answers), { keepPreviousData: false })
  return <Loaded read={read}>{data => <Whole data={data} writing={writing} show={show} />}</Loaded>
}
