import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { auditQuestions, filledOptions, type QuestionOption } from '../../../../core/contract/audit/question.ts'
import type { Use } from '../../../../core/contract/config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { arrangeItems } from '../../../configs/arrange.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { merchantsOf } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

const { auditQuestion } = contract
type Frag = RawBuilder<unknown>
type Values = Readonly<Record<string, unknown>>
type Placed = { questionNo: string; enabled: string; sort: number; version: number; merchantNos: string[] }
type Option = { optionNo: string; optionZh: string; optionLocal: string }

const shownDays = 30
const { page } = auditQuestions.codes

/** Questions that a person sees: those of all merchants, and those of one of theirs. */
const seenBy = (session: Session): Frag => {
  const merchants = merchantsOf(session, page)
  return merchants ? sql`(x.merchant_nos = '{}' or x.merchant_nos && ${[...merchants]}::text[])` : sql`true`
}

/** A question of all merchants is changed by headquarters; one of some, by those who have all of these. */
const mayChange = (session: Session, { merchantNos }: Values): Fault | null => {
  const named = (merchantNos ?? []) as readonly string[]
  if (named.length === 0) return session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly')
  const merchants = merchantsOf(session, page)
  return !merchants || named.every(no => merchants.includes(no))
    ? null
    : invalid('merchantNos', 'validation.wrongValue')
}

/** The same words are the same option, so that answers of before an edit still count as theirs. */
const numbered = (options: unknown): Option[] =>
  filledOptions((options ?? []) as QuestionOption[]).map(({ optionZh = '', optionLocal = '' }) => ({
    optionNo: createHash('sha256').update(optionZh).digest('hex').slice(0, 12),
    optionZh,
    optionLocal,
  }))

const lately = (tx: Tx) => startOfEatDay(addDays(tx.today, 1 - shownDays))

const config = serveConfig(auditQuestions, {
  prefix: 'AQ',
  unique: 'questionZh',
  derived: ({ options, merchantNos }) => ({
    options: numbered(options),
    merchantNos: [...new Set((merchantNos ?? []) as readonly string[])].sort(),
  }),
  mayChange: ({ session }, values) => mayChange(session, values),
  async check({ tx, session }, form) {
    const refusal = mayChange(session, form)
    if (refusal) throw refusal
    const named = (form.merchantNos ?? []) as string[]
    const { known } = await tx.one(
      sql<{ known: number }>`select count(*)::int as known from merchant where merchant_no = any(${named})`,
    )
    if (known < new Set(named).size) throw invalid('merchantNos', 'validation.wrongValue')
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select a.question_no as key, 'auditRecord' as kind, a.audit_record_no as no, r.order_no as name
      from unnest(${[...keys]}::text[]) asked(no) cross join lateral (
        select * from audit_answer a where a.question_no = asked.no order by a.submit_time desc limit 50) a
      join audit_record r on r.audit_record_no = a.audit_record_no`),
  source: ({ tx, session }) => ({
    where: seenBy(session),
    columns: {
      merchantNames: sql`array(select m.merchant_name from merchant m where m.merchant_no = any(x.merchant_nos) order by 1)`,
      answerCount: sql`(select count(*)::int from audit_answer a where a.question_no = x.question_no and a.submit_time >= ${lately(tx)})`,
      openReviews: sql`(
        select count(*)::int from audit_task t join loan_order o on o.order_no = t.order_no
        where t.audit_task_status = 'assigned' and t.questions is null and x.loan_kind_scope in ('both', o.loan_kind)
          and (x.merchant_nos = '{}' or o.merchant_no = any(x.merchant_nos)))`,
    },
    filters: {
      search: (text: string) => {
        const like = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
        return sql`(lower(x.question_zh) like ${like} or lower(x.question_local) like ${like})`
      },
      merchantNo: (nos: readonly string[]) =>
        nos.length ? sql`(x.merchant_nos = '{}' or x.merchant_nos && ${[...nos]}::text[])` : null,
    } as never,
  }),
})

const arrange = serve(auditQuestion.arrange, async call => {
  const { tx, session, input } = call
  const rows = await tx.rows(sql<Placed>`
    select x.question_no, x.enabled, x.sort, x.version, x.merchant_nos from audit_question x
    where x.enabled = 'enabled' and x.deleted_time is null and ${seenBy(session)} order by x.question_no for update`)
  const moved = await arrangeItems(call, auditQuestions, {
    rows,
    keys: input.questionNos,
    refusal: row => mayChange(session, row),
  })
  return { moved }
})

const answers = serve(auditQuestion.answers, async ({ tx, session, input }) => {
  const found = await tx.maybe(sql<{ options: Option[] }>`
    select x.options from audit_question x where x.question_no = ${input.questionNo} and x.deleted_time is null and ${seenBy(session)}`)
  if (!found) throw notFound()
  const since = lately(tx)
  const { answered } = await tx.one(sql<{ answered: number }>`
    select count(*)::int as answered from audit_answer where question_no = ${input.questionNo} and submit_time >= ${since}`)
  const counted = await tx.rows(sql<{ optionNo: string; count: number }>`
    select chosen as option_no, count(*)::int as count from audit_answer, unnest(option_nos) chosen
    where question_no = ${input.questionNo} and submit_time >= ${since} group by chosen`)
  const countOf = new Map(counted.map(({ optionNo, count }) => [optionNo, count]))
  return {
    answered,
    list: found.options.map(option => {
      const count = countOf.get(option.optionNo) ?? 0
      return { ...option, count, share: answered ? ((count / answered) * 100).toFixed(1) : '0.0' }
    }),
  }
})

/** The questionnaire that auditors answer. */
export const questionModule = (): Module => ({ ...config, served: [...config.served, arrange, answers] })
