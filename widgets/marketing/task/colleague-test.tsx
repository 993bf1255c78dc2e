import { useRead } from '../../../core/client/providers.tsx'
import { smsTasks } from '../../../core/contract/marketing/sms-task.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Button, Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { useWriting, WritingNotes, Written } from '../../shared/message/writing.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { test, tested } = smsTasks

type Props = { answers: Readonly<Record<string, unknown>> }

/** Lets colleagues read the text before it goes to customers, and shows what came of it and what it cost. */
export const ColleagueTest = ({ answers }: Props) => {
  const t = useText()
  const read = useRead(tested, { templateNo: String(answers.templateNo) })
  const given = Object.fromEntries(
    Object.keys(test.input.shape).flatMap(name => {
      const value = answers[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  const writing = useWriting({
    save: test,
    first: given,
    saved: t('smsTask.testSent'),
    close: () => void read.retry(),
  })
  return (
    <Section title={t('smsTask.colleagues')}>
      <form ref={writing.box} noValidate onSubmit={event => event.preventDefault()}>
        <Text as="p" size="2" color="gray" mb="2">
          {t('smsTask.colleaguesHint')}
        </Text>
        <Written name="colleagueNos" writing={writing} />
        <Button type="button" variant="soft" mt="2" loading={writing.busy} onClick={() => void writing.submit()}>
          {t('actions.testColleagues')}
        </Button>
        <WritingNotes notes={writing.notes} />
      </form>
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={tested.output.shape.list.element}
            rows={list}
            rowKey="messageNo"
            names={[
              'colleagueName',
              'language',
              'messageStatus',
              'failReason',
              'segments',
              'messageCost',
              'createdTime',
            ]}
            empty={t('smsTask.nothingSent')}
          />
        )}
      </Loaded>
    </Section>
  )
}
