import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { facts } from '../../../testing/facts.ts'

const { auditQuestion } = contract
let made = 0

/** A question with two options; each call another one. */
const input = () => ({
  questionZh: `第${++made}题`,
  questionLocal: `Question ${made}`,
  questionType: 'single',
  options: [
    { optionZh: '是', optionLocal: 'Yes' },
    { optionZh: '否', optionLocal: 'No' },
  ],
  required: true,
  loanKindScope: 'both',
  sort: 1,
})

export default facts({
  lists: [
    {
      list: auditQuestion.page,
      key: 'questionNo',
      of: 'company',
      fill: async fixture => {
        const { key } = fixture.must(
          await fixture.call(auditQuestion.save, input() as never, { as: fixture.boss }),
        ) as {
          key: string
        }
        const changes = `jsonb_build_object(${prefixed('question_no')}, 'question_zh', '题' || n, 'question_local', 'Question ' || n, ${at('updated_time')}, 'sort', 1 + n % 20, 'loan_kind_scope', (array['first', 'repeat', 'both'])[1 + n % 3])`
        await copied(fixture, 'audit_question', `question_no = '${key}'`, changes)
      },
      means: {
        search: (row, text: string) =>
          `${row.questionZh} ${row.questionLocal}`.toLowerCase().includes(text.trim().toLowerCase()),
        merchantNo: row => (row.merchantNos as string[]).length === 0,
      },
    },
  ],
  records: [{ fields: ['questionNo', 'questionNos'], table: 'audit_question', key: 'question_no' }],
  calls: Object.values(auditQuestion)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'the questionnaire is the same for every auditor of a merchant' })),
})
