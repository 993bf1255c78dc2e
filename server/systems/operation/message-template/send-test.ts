import { sql } from 'kysely'
import type { Language } from '../../../../core/i18n/language.ts'
import { placesIn } from '../../../../core/rules/message/template-text.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { Fault } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import { post } from '../../../outgoing/post.ts'

/** Tests of texts that somebody may send in a day. */
const testsADay = 5

type Reach = { phone: string | null; email: string | null }

/** A text that its writer wants to see on their own phone or in their own mail. */
export type Tested = {
  channel: 'sms' | 'email'
  nodeNo: string | null
  templateNo: string
  templateVersion: number
  title: string | null
  content: string
  language: string
  appCode: string | null
  merchantNo: string | null
  /** What stands in its places. */
  values: Readonly<Record<string, string>>
}

/**
 * Sends a text to the verified phone or address of the caller.
 * @returns the number of the message
 */
export const sendTest = async (
  { tx, session, actor }: Pick<Call, 'tx' | 'session' | 'actor'>,
  given: Tested,
): Promise<string> => {
  const { channel, nodeNo, templateNo, templateVersion, title, content, appCode, merchantNo } = given
  const reach = await tx.one(sql<Reach>`
    select case when phone_verified then phone end as phone, case when email_verified then email end as email from app_user where user_no = ${session.userNo}`)
  const to = channel === 'email' ? reach.email : reach.phone
  if (!to) throw new Fault('stateConflict', channel === 'email' ? 'errors.noOwnEmail' : 'errors.noOwnPhone')
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`test of ${session.userNo}`}))`)
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count from message where object_type = 'messageTest' and user_no = ${session.userNo} and created_time >= ${startOfEatDay(tx.today)}`)
  if (count >= testsADay) throw new Fault('quota', 'errors.testsADay', { n: testsADay })
  const names = new Set(placesIn(`${title ?? ''} ${content}`))
  const params = Object.fromEntries(Object.entries(given.values).filter(([name]) => names.has(name)))
  return post(
    tx,
    {
      ...{ channel, to, template: 'node', language: given.language as Language, params },
      ...{ userNo: session.userNo, objectType: 'messageTest', objectNo: templateNo },
      node: {
        ...{ nodeNo, templateNo, templateVersion, title, content, contactKind: 'service', occurrence: null },
        ...{ channelAt: 0, isOwn: true, appCode, merchantNo, customerNo: null, orderNo: null },
      },
    },
    undefined,
    actor,
  )
}
