import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { type UnrenewedRun, unrenewedRules } from '../../../../core/contract/marketing/unrenewed.ts'
import type { Item } from '../../../configs/config-hooks.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Choices, Deps, Module } from '../../../module.ts'
import { merchantsOf, scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { dayOf, type Target } from './matching.ts'
import { rowColumns, weekOf, withEffect } from './rows.ts'
import { unrenewedJob } from './run.ts'

const { unrenewed } = contract
const perm = unrenewed.page.perm as string

/** Rules whose merchants the caller serves, each of them. */
const seenBy = (session: Session, alias: string, code = perm) => {
  const own = merchantsOf(session, code)
  return own === null ? sql`true` : sql`${sql.ref(`${alias}.merchant_nos`)} <@ ${[...own]}::text[]`
}

const checkMerchants = (session: Session, merchantNos: readonly string[], known: readonly string[]): void => {
  const own = merchantsOf(session, unrenewed.save.perm)
  if (!merchantNos.every(no => known.includes(no) && (own === null || own.includes(no))))
    throw invalid('merchantNos', 'validation.wrongValue')
}

/** The texts are in force, and each is of one of the merchants. */
const checkTexts = async (tx: Tx, { merchantNos, sendDays }: Pick<Target, 'merchantNos' | 'sendDays'>) => {
  const asked = [...new Set(sendDays.map(one => one.templateNo))]
  const found = await tx.rows(sql`
    select 1 from sms_template where template_no = any(${asked}) and template_status = 'enabled' and merchant_no = any(${[...merchantNos]}) for share`)
  if (found.length !== asked.length) throw invalid('sendDays', 'validation.textOfMerchants')
}

/** Two rules in force would send two texts to the same customer on a day. */
const checkOnce = async (tx: Tx, of: Pick<Target, 'merchantNos' | 'loanKind' | 'sendDays'>, configNo: unknown) => {
  const days = of.sendDays.map(one => one.daysAfter)
  const other = await tx.maybe(sql<{ configName: string }>`
    select config_name from unrenewed_config x where x.enabled = 'enabled' and x.deleted_time is null and x.config_no <> ${configNo ?? ''}
      and x.merchant_nos && ${[...of.merchantNos]}::text[] and x.loan_kind = ${of.loanKind}
      and exists (select 1 from jsonb_array_elements(x.send_days) s where (s ->> 'daysAfter')::int = any(${days})) limit 1`)
  if (other) throw new Fault('stateConflict', 'errors.ruleMeets', { name: other.configName })
}

const oneAtATime = (tx: Tx) => tx.exec(sql`select pg_advisory_xact_lock(hashtext('unrenewed rules'))`)

/** What a rule says, of an item or a form. */
const targetOf = (values: Readonly<Record<string, unknown>>) => values as unknown as Target

const config = (deps: Pick<Deps, 'secretKey'>) =>
  serveConfig(unrenewedRules, {
    prefix: 'UR',
    unique: 'configName',
    async check({ tx, session }, form, before) {
      const target = targetOf(form)
      await oneAtATime(tx)
      const known = await tx.rows(
        sql<{ no: string }>`select merchant_no as no from merchant where deleted_time is null`,
      )
      checkMerchants(
        session,
        target.merchantNos,
        known.map(({ no }) => no),
      )
      await checkTexts(tx, target)
      const effective = Date.parse(String(form.effectiveTime))
      const isKept = before !== null && Date.parse(String(before.effectiveTime)) === effective
      if (!isKept && effective < tx.now.getTime() - 5 * 60_000) throw invalid('effectiveTime', 'validation.pastTime')
      if (before?.enabled === 'enabled') await checkOnce(tx, target, before.configNo)
    },
    async switches(tx, item: Item, to) {
      if (to === 'disabled') return
      await oneAtATime(tx)
      await checkTexts(tx, targetOf(item))
      await checkOnce(tx, targetOf(item), item.configNo)
    },
    source: ({ tx, session }) => ({
      where: seenBy(session, 'x'),
      columns: rowColumns(tx),
      filters: {
        configName: (text: string) =>
          sql`lower(x.config_name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`,
        merchantNo: (merchants: readonly string[]) =>
          merchants.length ? sql`x.merchant_nos && ${[...merchants]}::text[]` : null,
        templateNo: (no: string) =>
          sql`exists (select 1 from jsonb_array_elements(x.send_days) s where s ->> 'templateNo' = ${no})`,
      } as never,
    }),
    late: {
      columns: ['customersADay', 'costADay'],
      needs: ['configNo'],
      only: sql`false`,
      fill: (tx, rows) => withEffect(tx, listValues(deps.secretKey), rows),
    },
  })

const preview = (deps: Pick<Deps, 'secretKey'>) =>
  serve(unrenewed.preview, async ({ tx, session, input }) => {
    const known = await tx.rows(sql<{ no: string }>`select merchant_no as no from merchant where deleted_time is null`)
    const own = merchantsOf(session, perm)
    if (!input.merchantNos.every(no => known.some(one => one.no === no) && (own === null || own.includes(no))))
      throw notFound()
    await checkTexts(tx, input)
    const lists = listValues(deps.secretKey)
    const list = []
    for (const date of weekOf(tx)) list.push(await dayOf(tx, lists, input, date))
    return { list }
  })

const runs = serve(unrenewed.runs, async ({ tx, session, input: { configNo } }) => {
  const found = await tx.maybe(sql`
    select 1 from unrenewed_config x where x.config_no = ${configNo} and x.deleted_time is null and ${seenBy(session, 'x')}`)
  if (!found) throw notFound()
  const of = sql`from message m where m.object_type = 'sms_task' and m.object_no = t.task_no`
  const list = await tx.rows(sql<UnrenewedRun>`
    select t.task_no, t.business_date, t.sms_task_status, t.matched_count as customers_matched,
      (select count(*)::int ${of} and m.message_status = 'blocked') as customers_left_out,
      (select count(*)::int ${of} and m.vendor_ref is not null) as texts_taken,
      (select count(*)::int ${of} and m.message_status = 'delivered') as texts_arrived,
      (select count(*)::int ${of} and m.message_status = 'failed') as failed_count,
      (select count(*)::int ${of} and m.message_status = 'unknown') as texts_unknown,
      (select count(distinct m.customer_no)::int ${of} and m.deliver_time is not null and exists (select 1 from loan_order n
        where n.customer_no = m.customer_no and n.apply_time >= m.deliver_time and n.apply_time < m.deliver_time + interval '7 days')) as borrowed_again
    from sms_task t where t.config_no = ${configNo} order by t.business_date desc limit 60`)
  return { list }
})

/** Texts in force of the merchants whom the caller serves. */
const texts: Choices = {
  key: 'MARKETING_TEXT',
  async list({ tx, session }) {
    const rows = await tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select x.template_no as value, x.template_name || ' · ' || m.merchant_name as label, x.template_status = 'enabled' as enabled
      from sms_template x join merchant m using (merchant_no)
      where ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })} order by x.template_name, x.template_no limit 1000`)
    return rows
  },
}

/** Texts to customers who repaid and did not borrow again: the rules and their job; their tasks are sent like all others. */
export const unrenewedModule = (deps: Pick<Deps, 'secretKey'>): Module => {
  const rules = config(deps)
  return {
    ...rules,
    served: [...rules.served, preview(deps), runs],
    scheduled: [...(rules.scheduled ?? []), unrenewedJob],
    choices: [texts],
  }
}
