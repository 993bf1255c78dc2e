import { z } from 'zod'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { questionTypes } from './queue.ts'

/** Loans whose reviewers a question is put to. */
const scopes = dictionary('LOAN_KIND_SCOPE', ['first', 'repeat', 'both'])

/** Options of one question: at least this many where it has any, and at most. */
export const optionCount = { min: 2, max: 20 } as const

type Values = Readonly<Record<string, unknown>>
export type QuestionOption = { optionZh?: string | undefined; optionLocal?: string | undefined }

/** Options without the lines that were left empty. */
export const filledOptions = <O extends QuestionOption>(options: readonly O[]): O[] =>
  options.filter(({ optionZh, optionLocal }) => optionZh?.trim() || optionLocal?.trim())

const flaw = ({ questionType, options }: Values): Flaw | null => {
  if (questionType === 'text' || questionType === undefined) return null
  const filled = filledOptions((options ?? []) as QuestionOption[])
  const wrong = (message: string): Flaw => ({ path: 'options', message })
  if (filled.length === 0) return wrong('validation.optionsEmpty')
  if (filled.length < optionCount.min) return wrong('validation.optionsFew')
  if (filled.some(({ optionZh, optionLocal }) => !optionZh?.trim() || !optionLocal?.trim()))
    return wrong('validation.contentEmpty')
  return new Set(filled.map(({ optionZh }) => optionZh?.trim())).size < filled.length
    ? wrong('validation.optionTwice')
    : null
}

const option = { optionZh: field.text().optional(), optionLocal: field.text().optional() }

const form = {
  questionZh: field.text(200).min(1, 'validation.contentEmpty'),
  questionLocal: field.text(200).min(1, 'validation.contentEmpty'),
  questionType: field.dict(questionTypes),
  options: field.rows(option, optionCount.max).optional(),
  required: field.flag(),
  loanKindScope: field.dict(scopes),
  /** None for the orders of all merchants. */
  merchantNos: z.array(field.merchant()).max(1_000).optional(),
  sort: field.place(),
}

const change = 'audit:people:config'

/** What an auditor answers before deciding an order: the personal review record. */
export const auditQuestions = config({
  name: 'auditQuestion',
  path: '/loans/audit/peopleConfig',
  area: 'audit:people',
  codes: { save: change, enable: change, delete: change },
  table: 'audit_question',
  key: 'questionNo',
  row: {
    ...form,
    options: z.array(z.object({ optionNo: z.string(), optionZh: field.text(), optionLocal: field.text() })),
    merchantNos: z.array(field.merchant()),
    merchantNames: z.array(field.text()),
    /** Times it was answered in the last 30 days. */
    answerCount: field.int(),
    /** Orders with an auditor who has not opened them: they get the question at their opening. */
    openReviews: field.int(),
  },
  form,
  applies: { options: ({ questionType }) => questionType !== 'text' },
  flaw,
  filters: {
    search: field.text(64).optional(),
    questionType: z.array(field.dict(questionTypes)).optional(),
    loanKindScope: z.array(field.dict(scopes)).optional(),
    merchantNo: z.array(field.merchant()).optional(),
  },
  sort: ['sort', 'answerCount'],
  defaultSort: 'sort',
})

const Share = z.object({
  optionNo: z.string(),
  optionZh: field.text(),
  optionLocal: field.text(),
  count: field.int(),
  /** Of the answers to the question, in percent with one decimal. */
  share: field.percent(),
})

/** The questionnaire, its order, and how it was answered. */
export const auditQuestion = noun('audit/question', {
  ...auditQuestions.calls,
  /** Puts the questions that are in force into the order in which auditors read them. */
  arrange: command({
    path: '/loans/audit/peopleConfig/sort',
    perm: change,
    audit: 'auditQuestion.sort',
    on: { machine: auditQuestions.machine, event: 'item.update', key: 'questionNos' },
    input: z.strictObject({ questionNos: z.array(field.key()).min(1).max(500) }),
    output: z.object({ moved: z.int().nonnegative() }),
  }),
  /** How it was answered in the last 30 days. */
  answers: read('/loans/audit/peopleConfig/answers', {
    perm: auditQuestions.codes.page,
    input: { questionNo: field.key() },
    output: z.object({ answered: z.int(), list: z.array(Share) }),
  }),
})
export type QuestionAnswers = z.output<typeof auditQuestion.answers.output>
