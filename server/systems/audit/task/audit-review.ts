import { sql } from 'kysely'
import type { z } from 'zod'
import type { Answer, AuditTask } from '../../../../core/contract/audit/queue.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import type { Order, Task } from '../../order/order/index.ts'

/** A question as a review was opened with it. */
export type Question = AuditTask['questions'][number] & { version: number }
type Given = z.output<typeof Answer>
/** An answer as the record keeps it: readable without the question it was given to. */
export type Answered = {
  questionNo: string
  questionVersion: number
  optionNos: string[]
  questionZh: string
  questionLocal: string
  answer: string
  answerZh: string
}

/** The questionnaire of an order, as it is in force now. */
const questionsFor = (tx: Tx, { loanKind, merchantNo }: Pick<Order, 'loanKind' | 'merchantNo'>): Promise<Question[]> =>
  tx.rows(sql<Question>`
    select question_no, question_zh, question_local, question_type, options, required, version from audit_question
    where enabled = 'enabled' and deleted_time is null and loan_kind_scope in ('both', ${loanKind})
      and (merchant_nos = '{}' or ${merchantNo} = any(merchant_nos))
    order by sort, question_no`)

/** The questions of a review: those it was opened with, whatever was changed since. */
export const questionsOf = async (tx: Tx, order: Order, task: Task): Promise<Question[]> =>
  (task.questions as Question[] | null) ?? questionsFor(tx, order)

const incomplete = () => invalid('answers', 'validation.reviewIncomplete')

const written = (
  question: Question,
  given: Given | undefined,
): Omit<Answered, 'questionNo' | 'questionVersion' | 'questionZh' | 'questionLocal'> | null => {
  if (question.questionType === 'text') {
    if (question.required && given?.text !== undefined && !given.text.trim())
      throw invalid('answers', 'validation.contentEmpty')
    const answer = given?.text?.trim()
    return answer ? { optionNos: [], answer, answerZh: answer } : null
  }
  const chosen = [...new Set(given?.optionNos)].map(optionNo =>
    question.options.find(option => option.optionNo === optionNo),
  )
  if (chosen.length > 1 && question.questionType === 'single') throw invalid('answers', 'validation.wrongValue')
  const options = chosen.filter(option => option !== undefined)
  if (options.length < chosen.length) throw invalid('answers', 'validation.wrongValue')
  if (options.length === 0) return null
  return {
    optionNos: options.map(option => option.optionNo),
    answer: options.map(option => option.optionLocal).join(', '),
    answerZh: options.map(option => option.optionZh).join('、'),
  }
}

/** The personal review record, complete and in words. Answers to questions that are no longer asked are left out. */
export const answered = (questions: readonly Question[], given: readonly Given[]): Answered[] =>
  questions.flatMap(question => {
    const answer = written(
      question,
      given.find(one => one.questionNo === question.questionNo),
    )
    if (!answer && question.required) throw incomplete()
    const { questionNo, version, questionZh, questionLocal } = question
    return answer ? [{ questionNo, questionVersion: version, questionZh, questionLocal, ...answer }] : []
  })
