import { auditQuestion, auditQuestions } from '../../core/contract/audit/question.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { Answers } from './question/answers.tsx'
import { ArrangeQuestions } from './question/arrange-questions.tsx'
import { OptionCount, QuestionMerchants, QuestionText } from './question/cells.tsx'
import { TryQuestion } from './question/try-question.tsx'

type QuestionRow = ConfigRow<typeof auditQuestions>

/** The audit manager writes the questions that auditors answer before they decide, in Chinese and in the local language. */
export default configScreen({
  config: auditQuestions,
  filters: ['search', 'questionType', 'loanKindScope', 'merchantNo'],
  columns: [
    'sort',
    {
      id: 'question',
      label: 'auditQuestion.question',
      width: 320,
      cell: (row: QuestionRow) => <QuestionText row={row} />,
    },
    'questionType',
    { id: 'options', width: 90, cell: (row: QuestionRow) => <OptionCount row={row} /> },
    'required',
    'loanKindScope',
    { id: 'merchantNos', cell: (row: QuestionRow) => <QuestionMerchants row={row} /> },
    'answerCount',
  ],
  more: ['questionZh', 'questionLocal', 'questionNo'],
  settings: [
    'questionNo',
    'questionZh',
    'questionLocal',
    'questionType',
    'required',
    'loanKindScope',
    'merchantNames',
    'sort',
    'answerCount',
    'openReviews',
  ],
  preview: values => <TryQuestion values={values} />,
  confirm: {
    enable: 'auditQuestion.confirmEnable',
    disable: 'auditQuestion.confirmDisable',
    delete: 'auditQuestion.confirmDelete',
  },
  tabs: [{ name: 'answers', label: 'auditQuestion.answers', body: row => <Answers row={row} /> }],
  toolbar: [{ label: 'auditQuestion.sort', needs: auditQuestion.arrange, dialog: ArrangeQuestions }],
  also: [auditQuestion.arrange, auditQuestion.answers],
})
