import { sql } from 'kysely'
import { messageApps, withoutAccount } from '../../../../core/contract/operation/message-center.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Values = Record<string, unknown>
type Channel = { channelType: string; accountNo?: string }

/** Merchants that a person sees. */
const seen = (session: Session) =>
  scope(session, { merchant: 'm.merchant_no', holder: () => sql`true`, perm: messageApps.calls.page.perm as string })

const checkMerchants = async (tx: Tx, session: Session, { merchantNos, appCode }: Values) => {
  const wanted = [...new Set(merchantNos as string[])]
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::int as n from merchant m where m.merchant_no = any(${wanted}) and m.deleted_time is null and ${seen(session)}`)
  if (n < wanted.length) throw invalid('merchantNos', 'validation.wrongValue')
  if (!appCode) return
  if (!(await tx.maybe(sql`select 1 from merchant where app_name = ${appCode} and deleted_time is null`)))
    throw invalid('appCode', 'validation.wrongValue')
}

/** Each channel besides texts goes by an account of it that is on. */
const checkChannels = async (tx: Tx, { appChannels }: Values) => {
  for (const { channelType, accountNo } of (appChannels ?? []) as Channel[]) {
    if (withoutAccount.includes(channelType)) continue
    const found = await tx.maybe(sql`
      select 1 from message_account where account_no = ${accountNo} and channel_type = ${channelType} and enabled = 'enabled' and deleted_time is null`)
    if (!found) throw invalid('appChannels', 'validation.channelAccount')
  }
}

/** Apps of the message center. */
export const apps = serveConfig(messageApps, {
  prefix: 'MA',
  unique: 'appCode',
  async check({ tx, session }, form) {
    await checkMerchants(tx, session, form)
    await checkChannels(tx, form)
  },
  async switches(tx, item, to) {
    if (to === 'enabled') await checkChannels(tx, item)
  },
  source: ({ tx, session }) => {
    const of = sql`from message m where m.app_code = x.app_code and m.created_time >= ${startOfEatDay(tx.today)}`
    return {
      where: sql`exists (select 1 from merchant m where m.merchant_no = any(x.merchant_nos) and ${seen(session)})`,
      columns: {
        merchantNames: sql`array(select m.merchant_name from merchant m where m.merchant_no = any(x.merchant_nos) order by 1)`,
        messagesToday: sql`(select count(*)::int ${of})`,
        deliveredRate: sql`(select round(100.0 * count(*) filter (where m.message_status = 'delivered')
          / nullif(count(*) filter (where m.message_status in ('delivered', 'failed', 'no_report')), 0), 1)::float8 ${of})`,
      },
      filters: {
        appName: (text: string) => sql`strpos(lower(x.app_name), lower(${text.trim()})) > 0`,
        merchantNo: (nos: readonly string[]) => (nos.length ? sql`x.merchant_nos && ${[...nos]}::text[]` : null),
      } as never,
    }
  },
})
