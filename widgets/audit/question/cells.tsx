import type { auditQuestions } from '../../../core/contract/audit/question.ts'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { useText } from '../../../core/element/i18n.ts'
import { listed } from '../../../core/engine/table/columns.ts'

export type QuestionRow = ConfigRow<typeof auditQuestions>
type Props = { row: QuestionRow }

/** Words of a question or an option in the language of the console: Chinese, or the local ones. */
export const inLanguage = (language: string, zh: string, local: string): string => (language === 'zh' ? zh : local)

/** A question in the language of the console, the other one below it. */
export const QuestionText = ({ row: { questionZh, questionLocal } }: Props) => {
  const { language } = useText()
  const other = inLanguage(language === 'zh' ? 'en' : 'zh', questionZh, questionLocal)
  return <span title={other}>{inLanguage(language, questionZh, questionLocal)}</span>
}

/** How many options there are; their words stand in its description. */
export const OptionCount = ({ row: { options, questionType } }: Props) => {
  const t = useText()
  if (questionType === 'text') return '-'
  const words = options.map(one => inLanguage(t.language, one.optionZh, one.optionLocal))
  return <span title={listed(t, words)}>{options.length}</span>
}

/** All merchants, or which. */
export const QuestionMerchants = ({ row: { merchantNames } }: Props) => {
  const t = useText()
  if (merchantNames.length === 0) return t('auditQuestion.allMerchants')
  return (
    <span title={listed(t, merchantNames)}>{merchantNames.length > 1 ? merchantNames.length : merchantNames[0]}</span>
  )
}
