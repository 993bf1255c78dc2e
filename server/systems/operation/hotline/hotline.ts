import { type RawBuilder, sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { type Contact, hotlines } from '../../../../core/contract/operation/hotline.ts'
import { arrangeItems } from '../../../configs/arrange.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { serve, servePublic } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { answersAt, keepLast, lastApp, lastFault, nextLine, oneAtATime, printedIn } from './hotline-rules.ts'

const { hotline } = contract
type Frag = RawBuilder<unknown>
type Values = Readonly<Record<string, unknown>>
type Held = { hotlineNo: string; enabled: string; sort: number; version: number; merchantNo: string | null }
const perm = hotline.page.perm as string

/** Contacts that a person sees; those of all merchants are seen by everybody. */
const seenBy = (session: Session): Frag =>
  sql`(x.merchant_no is null or ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })})`

const notYours = (session: Session, merchantNo: unknown) =>
  merchantNo == null && !session.headquarters ? new Fault('forbidden', 'errors.headquartersOnly') : null

/** The merchant is one of the caller's, and each app is one of the merchant's. */
const checkPlace = async (tx: Tx, session: Session, { merchantNo, appCodes }: Values) => {
  const refusal = notYours(session, merchantNo)
  if (refusal) throw refusal
  const apps = await tx.rows(sql<{ merchantNo: string; appName: string }>`
    select x.merchant_no, x.app_name from merchant x
    where (${merchantNo ?? null}::text is null or x.merchant_no = ${merchantNo ?? null}) and ${seenBy(session)}`)
  if (merchantNo && apps.length === 0) throw invalid('merchantNo', 'validation.wrongValue')
  const known = new Set(apps.map(({ appName }) => appName))
  if (!(appCodes as string[]).every(app => known.has(app))) throw invalid('appCodes', 'validation.appOfMerchant')
}

/** An app shows a contact once. */
const checkOnce = async (tx: Tx, form: Values, hotlineNo: unknown) => {
  const found = await tx.maybe(sql`
    select 1 from hotline where deleted_time is null and hotline_type = ${form.hotlineType} and lower(contact_value) = lower(${form.contactValue})
      and app_codes && ${form.appCodes as string[]}::text[] and hotline_no <> ${hotlineNo ?? ''} limit 1`)
  if (found) throw invalid('contactValue', 'errors.dataExists')
}

const config = serveConfig(hotlines, {
  prefix: 'HL',
  unique: 'contactValue',
  mayChange: ({ session }, { merchantNo }) => notYours(session, merchantNo),
  async check({ tx, session }, form, before) {
    await checkPlace(tx, session, form)
    await oneAtATime(tx)
    await checkOnce(tx, form, before?.hotlineNo)
    if (before) await keepLast(tx, before, form)
  },
  async switches(tx, item, to) {
    await oneAtATime(tx)
    if (to === 'disabled') await keepLast(tx, item, null)
  },
  fixed: ({ lastPhoneApp, lastComplaintApp }) =>
    lastPhoneApp
      ? lastFault('phone', String(lastPhoneApp))
      : lastComplaintApp
        ? lastFault('complaint', String(lastComplaintApp))
        : null,
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select x.hotline_no as key, 'announcement' as kind, used.no, used.name from hotline x,
        lateral (select a.announcement_no as no, coalesce(a.title_en, a.title_zh, a.title_sw) as name from ${printedIn} order by a.announcement_no) used
      where x.hotline_no = any(${[...keys]})`),
  source: ({ tx, session }) => ({
    where: seenBy(session),
    joins: { m: sql`left join merchant m on m.merchant_no = x.merchant_no` },
    columns: {
      merchantName: sql`m.merchant_name`,
      openNow: answersAt(tx),
      usedCount: sql`(select count(*)::int from ${printedIn})`,
      nextContact: nextLine,
      lastPhoneApp: lastApp('phone'),
      lastComplaintApp: lastApp('complaint'),
    },
    filters: { appCode: (app: string) => sql`${app} = any(x.app_codes)` } as never,
  }),
})

const shown = servePublic(hotline.shown, async ({ tx, input }) => ({
  list: await tx.rows(sql<Contact>`
    select x.hotline_no, x.display_name, x.hotline_type, x.contact_value, x.languages, x.work_days, x.opens_at, x.closes_at, x.complaint,
      ${answersAt(tx)} as open_now
    from hotline x where x.enabled = 'enabled' and x.deleted_time is null and ${input.appCode} = any(x.app_codes)
    order by x.sort, x.hotline_no limit 100`),
}))

const arrange = serve(hotline.arrange, async call => {
  const { tx, input, session } = call
  const { appCode, hotlineNos } = input
  await oneAtATime(tx)
  const rows = await tx.rows(sql<Held>`
    select x.hotline_no, x.enabled, x.sort, x.version, x.merchant_no from hotline x
    where x.enabled = 'enabled' and x.deleted_time is null and ${appCode} = any(x.app_codes) and ${seenBy(session)} order by x.hotline_no for update`)
  const moved = await arrangeItems(call, hotlines, {
    rows,
    keys: hotlineNos,
    refusal: row => notYours(session, row.merchantNo),
  })
  return { moved }
})

/** Numbers and addresses under which customers reach us. */
export const hotlineModule = (): Module => ({
  ...config,
  served: [...config.served, shown, arrange],
})
