import { useId, useState } from 'react'
import { filledOptions, type QuestionOption } from '../../../core/contract/audit/question.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Text } from '../../../core/ui/basics.ts'
import { CheckboxGroup, RadioGroup, TextArea } from '../../../core/ui/more.ts'
import { inLanguage } from './cells.tsx'

type Props = { values: Readonly<Record<string, unknown>> }

const Options = ({ words, several }: { words: readonly string[]; several: boolean }) => {
  const [chosen, setChosen] = useState<string[]>([])
  const items = words.map((word, at) => ({ value: String(at), word: word || '…' }))
  return several ? (
    <CheckboxGroup.Root size="1" value={chosen} onValueChange={setChosen}>
      {items.map(({ value, word }) => (
        <CheckboxGroup.Item key={value} value={value}>
          {word}
        </CheckboxGroup.Item>
      ))}
    </CheckboxGroup.Root>
  ) : (
    <RadioGroup.Root size="1" value={chosen[0] ?? ''} onValueChange={value => setChosen([value])}>
      {items.map(({ value, word }) => (
        <RadioGroup.Item key={value} value={value}>
          {word}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

/** A question as the auditor will see it, to be tried out while it is written; nothing of it is kept. */
export const TryQuestion = ({ values }: Props) => {
  const t = useText()
  const id = useId()
  const { questionZh = '', questionLocal = '', questionType, required } = values
  const words = filledOptions((values.options ?? []) as QuestionOption[]).map(({ optionZh = '', optionLocal = '' }) =>
    inLanguage(t.language, optionZh, optionLocal),
  )
  const question = inLanguage(t.language, String(questionZh), String(questionLocal))
  if (!question || !questionType) return null
  return (
    <section className="mk-section" aria-label={t('auditQuestion.preview')}>
      <h3>{t('auditQuestion.preview')}</h3>
      <fieldset className="mk-question">
        <legend id={id}>
          {question}{' '}
          {required === true && (
            <Text size="1" color="gray">
              {t('audit.required')}
            </Text>
          )}
        </legend>
        {questionType === 'text' ? (
          <TextArea rows={2} size="2" maxLength={200} aria-labelledby={id} />
        ) : (
          <Options key={String(questionType)} words={words} several={questionType === 'multiple'} />
        )}
      </fieldset>
    </section>
  )
}
