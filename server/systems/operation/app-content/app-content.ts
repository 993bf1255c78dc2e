import { type RawBuilder, sql } from 'kysely'
import { businessConfigs } from '../../../../core/contract/common/business-config.ts'
import { appContent, appContents, type ShownContent } from '../../../../core/contract/operation/app-content.ts'
import { allowedLink, hostsIn } from '../../../../core/rules/market/hosts.ts'
import { arrangeItems } from '../../../configs/arrange.ts'
import { type Item, storedAll, type Values } from '../../../configs/config-hooks.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve, serveEach, servePublic } from '../../../http/serve.ts'
import { oneOf } from '../../../lists/list.ts'
import type { Deps, Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { businessValue } from '../../common/index.ts'
import { eventCall } from './content-event.ts'
import { checkImage, putImage } from './content-image.ts'

type Frag = RawBuilder<unknown>
const perm = appContents.codes.page

/** Contents of apps whose merchant a person sees. */
const seenBy = (session: Session): Frag => sql`exists (
  select 1 from merchant m where m.app_name = x.app_code and ${scope(session, { merchant: 'm.merchant_no', holder: () => sql`true`, perm })})`

const checkApp = async (tx: Tx, session: Session, appCode: unknown) => {
  const known = await tx.maybe(sql`select 1 from (select ${appCode}::text as app_code) x where ${seenBy(session)}`)
  if (!known) throw invalid('appCode', 'validation.wrongValue')
}

const checkLink = async (tx: Tx, { linkType, linkUrl }: Values) => {
  if (linkType !== 'url') return
  const { linkHosts } = (await businessValue(tx, 'MARKETING_TEXT')) ?? businessConfigs.MARKETING_TEXT.plain
  if (!allowedLink(String(linkUrl), hostsIn(linkHosts))) throw invalid('linkUrl', 'validation.linkHost')
}

/** Two pop-ups of an app never meet one customer. */
const checkPopup = async (tx: Tx, item: Values, no: string) => {
  if (item.placement !== 'popup') return
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('pop-ups of apps'))`)
  const statuses = (item.customerStatuses ?? []) as string[]
  const other = await tx.maybe(sql<{ title: string }>`
    select coalesce(x.title_sw, x.title_en, x.title_zh) as title from app_content x
    where x.app_code = ${item.appCode} and x.placement = 'popup' and x.enabled = 'enabled' and x.deleted_time is null and x.content_no <> ${no}
      and tstzrange(x.start_time, x.end_time, '[]') && tstzrange(${item.startTime}, ${item.endTime}, '[]')
      and (cardinality(x.customer_statuses) = 0 or ${statuses.length === 0} or x.customer_statuses && ${statuses}::text[]) limit 1`)
  if (other) throw new Fault('stateConflict', 'errors.popupRuns', { name: other.title })
}

const running = (tx: Tx): Frag =>
  sql`(x.enabled = 'enabled' and x.deleted_time is null and x.start_time <= ${tx.now} and x.end_time >= ${tx.now})`
const stateOf = (tx: Tx) =>
  sql`(case when x.enabled <> 'enabled' then 'off' when x.start_time > ${tx.now} then 'planned' when x.end_time < ${tx.now} then 'ended' else 'running' end)`
const languagesOf = sql`array_remove(array[case when x.title_zh is not null then 'zh' end, case when x.title_en is not null then 'en' end, case when x.title_sw is not null then 'sw' end], null)`
const lastWeek = (tx: Tx, column: Frag) => sql`(
  select coalesce(sum(d.${column}), 0)::int from app_content_day d where d.content_no = x.content_no and d.business_date > ${tx.today}::date - 7)`

const config = serveConfig(appContents, {
  prefix: 'AC',
  unique: 'titleSw',
  async check({ tx, session, actor }, form, before) {
    await checkApp(tx, session, form.appCode)
    await checkLink(tx, form)
    await checkImage(tx, form.image, before?.image ?? null)
    if (!before) return
    const no = String(before.contentNo)
    if (before.enabled === 'enabled') await checkPopup(tx, form, no)
    await putImage(tx, { no, image: form.image, before: before.image }, actor)
  },
  async added({ tx, actor }, no) {
    await tx.flush()
    const { image } = await tx.one(
      sql<{ image: string | null }>`select image from app_content where content_no = ${no}`,
    )
    await putImage(tx, { no, image, before: null }, actor)
  },
  derived: ({ customerStatuses }) => ({ customerStatuses: customerStatuses ?? [] }),
  async switches(tx, item: Item, to) {
    if (to === 'enabled') await checkPopup(tx, item, String(item.contentNo))
  },
  source: ({ tx, session }) => ({
    where: seenBy(session),
    columns: {
      title: sql`coalesce(x.title_sw, x.title_en, x.title_zh)`,
      contentState: stateOf(tx),
      contentLanguages: languagesOf,
      shownWeek: lastWeek(tx, sql`shown_count`),
      clickedWeek: lastWeek(tx, sql`clicked_count`),
    },
    filters: {
      contentState: (states: string[]) => oneOf(stateOf(tx), states),
      languageGap: (is: boolean) => sql`(cardinality(${languagesOf}) < 3) = ${is}`,
    } as never,
  }),
})

type Asked = { appCode: string; customerStatus?: string | undefined }

/** What customers of a status see in an app now, in order; of pop-ups the first alone. */
const shownTo = async (tx: Tx, { appCode, customerStatus }: Asked): Promise<ShownContent[]> => {
  const rows = await tx.rows(sql<ShownContent>`
    select x.content_no, x.placement, jsonb_build_object('zh', x.title_zh, 'en', x.title_en, 'sw', x.title_sw) as titles,
      jsonb_build_object('zh', x.body_zh, 'en', x.body_en, 'sw', x.body_sw) as bodies, x.image, x.link_type, x.app_screen, x.link_url, x.sort
    from app_content x where x.app_code = ${appCode} and ${running(tx)}
      and (cardinality(x.customer_statuses) = 0 or ${customerStatus ?? null}::text is not null and ${customerStatus ?? null} = any(x.customer_statuses))
    order by x.placement, x.sort, x.content_no limit 200`)
  const first = rows.find(row => row.placement === 'popup')
  return rows.filter(row => row.placement !== 'popup' || row === first)
}

const shown = servePublic(appContent.shown, async ({ tx, input }) => ({ list: await shownTo(tx, input) }))

const seen = serve(appContent.seenBy, async ({ tx, session, input, audit }) => {
  await checkApp(tx, session, input.appCode)
  const customer = await tx.maybe(sql<{ customerNo: string; customerStatus: string }>`
    select c.customer_no, c.customer_status from customer c join merchant_customer mc using (customer_no) join merchant m on m.merchant_no = mc.merchant_no
    where mc.phone = ${input.phone} and m.app_name = ${input.appCode} and ${scope(session, { merchant: 'm.merchant_no', holder: () => sql`true`, perm })} order by c.customer_no limit 1`)
  if (!customer) throw notFound()
  audit({ objectType: 'customer', objectNo: customer.customerNo, after: { appCode: input.appCode } })
  const customerStatus = customer.customerStatus as '0'
  return { customerStatus, list: await shownTo(tx, { appCode: input.appCode, customerStatus }) }
})

type Held = { contentNo: string; enabled: string; sort: number; version: number }

const arrange = serve(appContent.arrange, async call => {
  const { tx, input, session } = call
  const rows = await tx.rows(sql<Held>`
    select x.content_no, x.enabled, x.sort, x.version from app_content x
    where x.app_code = ${input.appCode} and x.placement = ${input.placement} and x.enabled = 'enabled' and x.deleted_time is null and ${seenBy(session)} order by x.content_no for update`)
  return { moved: await arrangeItems(call, appContents, { rows, keys: input.contentNos, refusal: () => null }) }
})

const fields = Object.keys(appContents.form)

const copyTo = serveEach(appContent.copyTo, {
  ids: input => input.contentNos,
  async row(no, call) {
    const { tx, session, input } = call
    await checkApp(tx, session, input.appCode)
    const item = await tx.maybe(sql<Values>`
      select x.* from app_content x where x.content_no = ${no} and x.deleted_time is null and ${seenBy(session)}`)
    if (!item) throw notFound()
    const values = Object.fromEntries(fields.map(name => [name, item[name] ?? null]))
    const copied = await config.add(call, storedAll({ ...values, appCode: input.appCode }), false)
    call.audit({ objectType: appContents.table, objectNo: copied, after: { copyOf: no, appCode: input.appCode } })
  },
})

/** What apps show their customers besides their loans. */
export const appContentModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => ({
  ...config,
  served: [...config.served, shown, seen, arrange, copyTo, eventCall(secretKey ?? Buffer.alloc(32))],
})

/** Whether a picture is one of a content: everybody who reads contents sees those. */
export const isContentImage = (tx: Tx, uploadNo: string) =>
  tx.maybe(sql`select 1 from app_content where image = ${uploadNo} limit 1`)
