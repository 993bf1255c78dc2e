import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { AskedTask } from '../../../../core/contract/marketing/sms-task.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { isWithin, nextWithin } from '../../../../core/rules/message/contact-guard.ts'
import { finishOf } from '../../../../core/rules/message/sending-time.ts'
import { gt, mul } from '../../../../core/rules/money.ts'
import { type Network, networkOf } from '../../../../core/rules/text/network.ts'
import { smsParts } from '../../../../core/rules/text/sms-parts.ts'
import { eatDate, eatDateTime } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { scope } from '../../../rights/scope.ts'
import type { Sealer } from '../../../session/seal.ts'
import type { Session } from '../../../session/session.ts'
import { contactWindow } from '../../operation/message-engine/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { seenToken } from '../user-group/token.ts'
import { checkVerified } from '../user-group/user-group.ts'
import { eachChunk } from './audience.ts'
import { budgetLeft, priceOfPart, taskMax } from './budget.ts'
import { composer, type Recipient } from './compose.ts'
import { leftOut, type Reason } from './left-out.ts'

const { smsTasks } = contract
type Preview = OutputOf<typeof smsTasks.preview>
/** What opens the tokens of previews, and of groups. */
export type Sealers = { preview: Sealer; group: Sealer; lists: ListValues }

/** What a token says was previewed. */
export type Previewed = { asked: string; parts: number; recipients: number }
const samplesShown = 5
const mostDaysAhead = 30
const dayMs = 86_400_000

/** What was asked for, in one form. */
export const saidOf = (asked: AskedTask): string =>
  JSON.stringify(
    Object.keys(smsTasks.preview.input.shape).map(name => (asked as Record<string, unknown>)[name] ?? null),
  )

/** A merchant within reach, an enabled text of it, and a time within the hours; a version of the text stays as it is. */
export const checkAsked = async (
  at: { tx: Tx; session: Session; sealer: Sealer },
  asked: AskedTask,
): Promise<{ templateName: string; templateVersion: number }> => {
  const { tx, session, sealer } = at
  const seen = await tx.maybe(sql`
    select 1 from merchant x where x.merchant_no = ${asked.merchantNo} and x.deleted_time is null
      and ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm: smsTasks.create.perm as string })}`)
  if (!seen) throw notFound()
  if (asked.audienceSource === 'group') {
    const { userGroupNo = '', verifyToken: token = '' } = asked
    checkVerified(sealer, session, tx.now, { userGroupNo, token, purpose: 'sms' })
  }
  const text = await tx.maybe(sql<{ templateName: string; templateVersion: number; templateStatus: string }>`
    select template_name, template_version, template_status from sms_template
    where template_no = ${asked.templateNo} and merchant_no = ${asked.merchantNo} for share`)
  if (!text) throw invalid('templateNo', 'validation.wrongValue')
  if (text.templateStatus !== 'enabled') throw new Fault('stateConflict', 'errors.textNotEnabled')
  await checkTime(tx, asked.sendTime)
  return text
}

const checkTime = async (tx: Tx, sendTime: string | undefined): Promise<void> => {
  if (sendTime === undefined) return
  const at = new Date(sendTime)
  if (at.getTime() < tx.now.getTime() - 60_000) throw invalid('sendTime', 'validation.pastTime')
  if (at.getTime() > tx.now.getTime() + mostDaysAhead * dayMs) throw invalid('sendTime', 'validation.tooFarAhead')
  const window = await contactWindow(tx, 'marketing')
  if (isWithin(window, at)) return
  const next = eatDateTime(nextWithin(window, at)).slice(0, 16).replace('T', ' ')
  throw invalid('sendTime', 'validation.outsideHours', { from: window.from, to: window.to, next })
}

type Counted = {
  matched: number
  why: Map<Reason, number>
  languages: Map<Language, number>
  networks: Map<Network, number>
  parts: number
  recipients: number
  gotLately: number
  samples: Preview['samples']
}

const more = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** Who of some customers got the same text within a week. */
const hadIt = async (tx: Tx, list: readonly Recipient[], templateNo: string): Promise<number> => {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(distinct m.recipient)::int as n from message m where m.template_no = ${templateNo} and m.contact_kind = 'marketing'
      and m.recipient = any(${list.map(one => one.phone)}) and m.begun_time > ${new Date(tx.now.getTime() - 7 * dayMs)}`)
  return n
}

/** Counts an audience as it stands now, some customers at a time. */
const counted = async (tx: Tx, lists: ListValues, asked: AskedTask, date: string): Promise<Counted> => {
  const sums: Counted = {
    ...{ matched: 0, parts: 0, recipients: 0, gotLately: 0, samples: [] },
    ...{ why: new Map(), languages: new Map(), networks: new Map() },
  }
  await eachChunk(tx, asked, async chunk => {
    const why = await leftOut(tx, lists, chunk, date)
    const textFor = await composer(tx, chunk, asked.languageMode === 'fixed' ? asked.language : undefined)
    sums.matched += chunk.length
    sums.gotLately += await hadIt(tx, chunk, asked.templateNo)
    for (const one of chunk) {
      const { body, language } = textFor(one)
      const reason = why.get(one.phone) ?? (body === null ? 'missing_value' : null)
      if (reason !== null || body === null) {
        more(sums.why, reason ?? 'missing_value')
        continue
      }
      sums.recipients++
      sums.parts += smsParts(body).parts
      more(sums.languages, language)
      more(sums.networks, networkOf(one.phone))
      if (sums.samples.length < samplesShown) sums.samples.push({ phone: mask(one.phone), messageText: body })
    }
  })
  return sums
}

/** Whom a task would reach, whom not and why, what it costs and how long it takes. */
export const previewServed = ({ preview, group, lists }: Sealers) =>
  serve(smsTasks.preview, async ({ tx, session, input }) => {
    await checkAsked({ tx, session, sealer: group }, input)
    const begin = input.sendTime ? new Date(input.sendTime) : tx.now
    const sums = await counted(tx, lists, input, eatDate(begin))
    const costEstimate = mul(await priceOfPart(tx), String(sums.parts))
    const window = await contactWindow(tx, 'marketing')
    const { taskRecipients, taskCost } = await taskMax(tx)
    const seen: Previewed = { asked: saidOf(input), parts: sums.parts, recipients: sums.recipients }
    return {
      previewToken: seenToken(preview, session.userNo, tx.now, seen),
      ...{ customersMatched: sums.matched, recipientCount: sums.recipients, segmentsTotal: sums.parts, costEstimate },
      blocks: [...sums.why].map(([blockReason, count]) => ({ blockReason, count })),
      perLanguage: [...sums.languages].map(([language, count]) => ({ language, count })),
      perNetwork: [...sums.networks].map(([network, count]) => ({ network, count })),
      budgetLeft: await budgetLeft(tx),
      needsApproval: sums.recipients > taskRecipients || gt(costEstimate, taskCost),
      beginEstimate: nextWithin(window, begin).toISOString(),
      finishEstimate: finishOf(window, begin, sums.recipients, input.ratePerMinute).toISOString(),
      ...{ gotLately: sums.gotLately, samples: sums.samples },
    }
  })
