import { useRead } from '../../../core/client/providers.tsx'
import { auditQuestion } from '../../../core/contract/audit/question.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { inLanguage, type QuestionRow } from './cells.tsx'

const Shares = auditQuestion.answers.output.shape.list.element

/** How auditors answered a question in the last 30 days: each option with its count and its share. */
export const Answers = ({ row }: { row: QuestionRow }) => {
  const t = useText()
  const read = useRead(auditQuestion.answers, { questionNo: row.questionNo })
  return (
    <Loaded read={read}>
      {({ answered, list }) => (
        <>
          <Text as="p" size="2" color="gray" mb="2">
            {t('auditQuestion.answered', { n: answered })}
          </Text>
          {row.questionType !== 'text' && (
            <SmallTable
              schema={Shares}
              rows={list}
              rowKey="optionNo"
              names={['optionZh', 'count', 'share']}
              headers={{ optionZh: t('auditQuestion.option') }}
              empty={t('auditQuestion.noAnswers')}
              cells={{ optionZh: one => inLanguage(t.language, one.optionZh, one.optionLocal) }}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
