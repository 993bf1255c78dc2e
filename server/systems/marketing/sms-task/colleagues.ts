import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { text } from '../../../../core/i18n/server.ts'
import { isWithin, nextWithin } from '../../../../core/rules/message/contact-guard.ts'
import { withOptOut } from '../../../../core/rules/message/marketing-text.ts'
import { fill, placesIn } from '../../../../core/rules/message/template-text.ts'
import { mul } from '../../../../core/rules/money.ts'
import { smsParts } from '../../../../core/rules/text/sms-parts.ts'
import { eatDateTime, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { post } from '../../../outgoing/post.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { contactBlocksOf } from '../../merchant/contact-block/index.ts'
import { contactWindow } from '../../operation/message-engine/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { type Contents, contentIn, marketingText, testValues } from '../sms-template/measure.ts'
import { priceOfPart } from './budget.ts'

const { smsTasks } = contract
const perm = smsTasks.test.perm as string
/** What texts of tests are about: none of the figures of tasks counts them. */
const objectType = 'smsTaskTest'
const testsADay = 10

type Colleague = { userNo: string; realName: string; phone: string | null; language: Language | null }
type Template = Contents & {
  templateNo: string
  templateVersion: number
  templateStatus: string
  brand: string
  appName: string
}

/** An enabled text of a merchant within reach. */
const textOf = async ({ tx, session }: { tx: Tx; session: Session }, merchantNo: string, templateNo: string) => {
  const found = await tx.maybe(sql<Template>`
    select t.*, coalesce(x.brand_name, x.merchant_name) as brand, x.app_name from merchant x join sms_template t on t.merchant_no = x.merchant_no
    where x.merchant_no = ${merchantNo} and t.template_no = ${templateNo} and x.deleted_time is null
      and ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })}`)
  if (!found) throw notFound()
  if (found.templateStatus !== 'enabled') throw new Fault('stateConflict', 'errors.textNotEnabled')
  return found
}

/** Colleagues within reach who work here and whose phone is known to be theirs. */
const colleaguesOf = async ({ tx, session }: { tx: Tx; session: Session }, userNos: readonly string[]) => {
  const asked = [...new Set(userNos)]
  const found = await tx.rows(sql<Colleague>`
    select u.user_no, u.real_name, case when u.phone_verified then u.phone end as phone, u.language from app_user u
    where u.user_no = any(${asked}) and u.employee_status = 'on_job' and u.user_status = 'normal' and ${peopleScope(session, perm)} order by u.user_no`)
  if (found.length < asked.length) throw invalid('colleagueNos', 'validation.wrongValue')
  return found.map(({ phone, ...one }) => {
    if (!phone) throw invalid('colleagueNos', 'validation.colleaguePhone', { name: one.realName })
    return { ...one, phone }
  })
}

/** Tests keep the hours of offers, and reach nobody who asked for no more of them. */
const checkContact = async (
  tx: Tx,
  lists: ListValues,
  merchantNo: string,
  list: readonly { phone: string; realName: string }[],
) => {
  const window = await contactWindow(tx, 'marketing')
  if (!isWithin(window, tx.now)) {
    const next = eatDateTime(nextWithin(window, tx.now)).slice(0, 16).replace('T', ' ')
    throw new Fault('stateConflict', 'validation.outsideHours', { from: window.from, to: window.to, next })
  }
  const phones = list.map(one => one.phone)
  const [stopped] = await contactBlocksOf(tx, lists, { phones, merchantNo, kind: 'marketing', medium: 'text' })
  const who = stopped && list.find(({ phone }) => phone === stopped.phone)
  if (who) throw invalid('colleagueNos', 'validation.colleagueStopped', { name: who.realName })
}

const countTest = async ({ tx, session }: Pick<Call, 'tx' | 'session'>) => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`test of ${session.userNo}`}))`)
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count from audit_log where actor = ${session.userNo} and action = ${smsTasks.test.audit as string} and at >= ${startOfEatDay(tx.today)}`)
  if (count >= testsADay) throw new Fault('quota', 'errors.testsADay', { n: testsADay })
}

type Given = {
  template: Template
  colleague: Colleague & { phone: string }
  language: Language
  line: string
  by: string
}

/** Queues the text of one colleague, with the mark of a test before it. @returns its number and its parts */
const give = async ({ tx, actor }: Pick<Call, 'tx' | 'actor'>, given: Given & { merchantNo: string }) => {
  const { template, colleague, language, line, merchantNo, by } = given
  const { templateNo, templateVersion, brand, appName } = template
  const said = contentIn(template, language)
  const content = `${text(said.language, 'letter.testMark')} ${withOptOut(said.content, line)}`
  const names = new Set(placesIn(content))
  const all = { ...testValues(said.language), brand }
  const params = Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
  const messageNo = await post(
    tx,
    {
      ...{ channel: 'sms', to: colleague.phone, template: 'node', language: said.language, params },
      ...{ userNo: colleague.userNo, objectType, objectNo: by },
      node: {
        ...{ nodeNo: null, templateNo, templateVersion, title: null, content, contactKind: 'marketing' },
        ...{
          occurrence: null,
          channelAt: 0,
          isOwn: true,
          appCode: appName,
          merchantNo,
          customerNo: null,
          orderNo: null,
        },
      },
    },
    undefined,
    actor,
  )
  return { messageNo, parts: smsParts(fill(content, params).text ?? content).parts }
}

const spoken = (said: string | null): Language => languages.find(one => one === said) ?? 'en'

/** Lets colleagues read a text before customers do. */
const testServed = (lists: ListValues) =>
  serve(smsTasks.test, async call => {
    const { tx, session, input } = call
    const { merchantNo, templateNo, languageMode, colleagueNos } = input
    const template = await textOf({ tx, session }, merchantNo, templateNo)
    const colleagues = await colleaguesOf({ tx, session }, colleagueNos)
    await checkContact(tx, lists, merchantNo, colleagues)
    await countTest(call)
    const { optOutLine } = await marketingText(tx)
    const sent: { messageNo: string; parts: number }[] = []
    for (const colleague of colleagues) {
      const wanted = languageMode === 'fixed' ? spoken(input.language ?? null) : spoken(colleague.language)
      const { language } = contentIn(template, wanted)
      const of = { template, colleague, language, line: optOutLine[language], merchantNo, by: session.userNo }
      sent.push(await give(call, of))
    }
    const parts = sent.reduce((sum, one) => sum + one.parts, 0)
    const costEstimate = mul(await priceOfPart(tx), String(parts))
    const messageNos = sent.map(({ messageNo }) => messageNo)
    call.audit({ objectType: 'sms_template', objectNo: templateNo, after: { colleagueNos, messageNos, costEstimate } })
    return { recipientCount: sent.length, costEstimate }
  })

const tested = serve(smsTasks.tested, async ({ tx, session, input: { templateNo } }) => ({
  list: await tx.rows(sql<OutputOf<typeof smsTasks.tested>['list'][number]>`
    select m.message_no, u.real_name as colleague_name, m.language, m.message_status, m.fail_reason, m.segments, m.cost as message_cost, m.created_time
    from message m join app_user u using (user_no)
    where m.object_type = ${objectType} and m.object_no = ${session.userNo} and m.template_no = ${templateNo} and m.created_time >= ${startOfEatDay(tx.today)}
    order by m.created_time desc, m.message_no limit 50`),
}))

export const colleagueServed = (lists: ListValues) => [testServed(lists), tested]
