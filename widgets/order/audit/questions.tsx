import { useId } from 'react'
import type { AuditTask, Draft } from '../../../core/contract/audit/queue.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Text } from '../../../core/ui/basics.ts'
import { CheckboxGroup, RadioGroup, TextArea } from '../../../core/ui/more.ts'
import { ProblemText } from './field.tsx'
import { unanswered } from './problems.ts'
import { useWork } from './work.ts'
import { WorkSection } from './work-section.tsx'

type Question = AuditTask['questions'][number]
type Answer = NonNullable<Draft['answers']>[number]

const Options = ({
  question,
  answer,
  give,
}: {
  question: Question
  answer: Answer
  give: (answer: Answer) => void
}) => {
  const { language } = useText()
  const options = question.options.map(option => ({
    value: option.optionNo,
    label: language === 'zh' ? option.optionZh : option.optionLocal,
  }))
  if (question.questionType === 'multiple')
    return (
      <CheckboxGroup.Root
        size="1"
        value={[...answer.optionNos]}
        onValueChange={optionNos => give({ ...answer, optionNos })}
        className="mk-question-options"
      >
        {options.map(option => (
          <CheckboxGroup.Item key={option.value} value={option.value}>
            {option.label}
          </CheckboxGroup.Item>
        ))}
      </CheckboxGroup.Root>
    )
  return (
    <RadioGroup.Root
      size="1"
      value={answer.optionNos[0] ?? ''}
      onValueChange={optionNo => give({ ...answer, optionNos: [optionNo] })}
      className="mk-question-options"
    >
      {options.map(option => (
        <RadioGroup.Item key={option.value} value={option.value}>
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

const QuestionField = ({ question, missing }: { question: Question; missing: boolean }) => {
  const t = useText()
  const id = useId()
  const { draft, change } = useWork()
  const { questionNo, questionType, required } = question
  const answers = draft.answers ?? []
  const answer = answers.find(one => one.questionNo === questionNo) ?? { questionNo, optionNos: [] }
  const give = (given: Answer) => change({ answers: [...answers.filter(one => one.questionNo !== questionNo), given] })
  return (
    <fieldset className="mk-question" data-missing={missing || undefined}>
      <legend id={id}>
        {t.language === 'zh' ? question.questionZh : question.questionLocal}{' '}
        {required && (
          <Text size="1" color={missing ? 'red' : 'gray'} weight={missing ? 'medium' : 'regular'}>
            {t('audit.required')}
          </Text>
        )}
      </legend>
      {questionType === 'text' ? (
        <TextArea
          rows={2}
          size="2"
          maxLength={200}
          aria-labelledby={id}
          aria-invalid={missing}
          value={answer.text ?? ''}
          onChange={event => give({ ...answer, text: event.target.value })}
        />
      ) : (
        <Options question={question} answer={answer} give={give} />
      )}
      <ProblemText text={missing ? t('audit.answerThis') : undefined} />
    </fieldset>
  )
}

/** The personal review record, in the language of the interface. */
export const Questions = () => {
  const t = useText()
  const { task, draft, errors } = useWork()
  const open = unanswered(task, draft)
  return (
    <WorkSection title={t('audit.questions')} name="answers">
      {task.questions.length === 0 && (
        <Text size="2" color="gray">
          {t('audit.noQuestions')}
        </Text>
      )}
      {task.questions.map(question => (
        <QuestionField
          key={question.questionNo}
          question={question}
          missing={errors.answers !== undefined && open.has(question.questionNo)}
        />
      ))}
    </WorkSection>
  )
}
