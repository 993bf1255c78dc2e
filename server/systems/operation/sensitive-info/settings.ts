import { sql } from 'kysely'
import { contract, endpoints } from '../../../../core/contract/contract.ts'
import type { OutputOf, ParsedOf } from '../../../../core/contract/endpoint.ts'
import { type SensitiveKind, sensitiveKinds } from '../../../../core/contract/fields.ts'
import { kindsOf } from '../../../../core/contract/masking.ts'
import type { KnownKind } from '../../../../core/contract/operation/sensitive-info.ts'
import { routes } from '../../../../core/contract/routes.ts'
import { widgetCalls } from '../../../../core/contract/widget-calls.gen.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { text } from '../../../../core/i18n/server.ts'
import { isWeaker, plainSettings, type SensitiveSettings } from '../../../../core/rules/sensitive.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { requestApproval } from '../../../approval/approval.ts'
import { waitsUntil } from '../../../approval/visible.ts'
import { changesOf } from '../../../configs/history.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { checkVersion, Fault } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { type StoredSettings, sensitiveSettings } from '../../../rights/sensitive-fields.ts'

const { sensitiveInfo } = contract
type Field = OutputOf<typeof sensitiveInfo.page>['list'][number]
type Detail = OutputOf<typeof sensitiveInfo.detail>

const kinds = sensitiveInfo.page.output.shape.list.element.shape.fieldKey.options
const table = 'sensitive_field'
const names = ['dataClass', 'listMask', 'revealHourCap', 'revealDayCap', 'reasonRequired', 'codeRequired'] as const
const isOneByOne = (kind: KnownKind): kind is SensitiveKind => (sensitiveKinds as readonly string[]).includes(kind)
const permOf = (kind: KnownKind) => `pii:reveal:${kind}`

/** Calls that show what is granted as a whole: whom a customer named, pictures of faces, the column of salaries. */
const wholes: Partial<Record<KnownKind, readonly string[]>> = {
  contacts: ['order.basic'],
  face: ['attach.list'],
  baseSalary: ['people.page', 'people.detail'],
}

/** Screens whose calls answer values of each kind. */
const screensOf = (kind: KnownKind): string[] => {
  const calls = new Set(
    isOneByOne(kind)
      ? endpoints.filter(({ endpoint }) => kindsOf(endpoint.output).includes(kind)).map(({ name }) => name)
      : wholes[kind],
  )
  for (const { name, endpoint } of endpoints) if (endpoint.sees === kind) calls.add(name)
  return routes.filter(({ tag }) => widgetCalls[tag]?.some(call => calls.has(call))).map(({ tag }) => tag)
}

/** A screen as the menu calls it. */
export const screenName = (language: Language, tag: string): string => text(language, `screens.${tag}` as never)

const shownDays = 30
const lastDays = (tx: Tx, days: number) => startOfEatDay(addDays(tx.today, 1 - days))

const page = serve(sensitiveInfo.page, async ({ tx }) => {
  const held = new Map((await sensitiveSettings(tx)).map(one => [one.fieldKey as KnownKind, one]))
  const counted = await tx.rows(sql<
    Pick<
      Field,
      'fieldKey' | 'roleCount' | 'holderCount' | 'revealCount' | 'updatedBy' | 'updatedTime' | 'pendingApproval'
    >
  >`
    select k as field_key,
      (select count(*)::int from role r where 'pii:reveal:' || k = any(r.sensitive_perms)) as role_count,
      (select count(distinct u.user_no)::int from role r join user_role ur using (role_no) join app_user u using (user_no)
        where 'pii:reveal:' || k = any(r.sensitive_perms) and u.user_status = 'normal') as holder_count,
      (select count(*)::int from access_log l where l.access_kind = 'reveal' and l.result <> 'over_limit' and k = any(l.kinds) and l.at >= ${lastDays(tx, 7)}) as reveal_count,
      coalesce(u.real_name, f.updated_by) as updated_by, f.updated_time,
      (select a.maker_name from approval a where a.object_type = ${table} and a.object_no = k and a.approval_status = 'pending' limit 1) as pending_approval
    from unnest(${[...kinds]}::text[]) k left join sensitive_field f on f.field_key = k left join app_user u on u.user_no = f.updated_by`)
  const byKind = new Map(counted.map(row => [row.fieldKey, row]))
  return {
    list: kinds.map(kind => ({
      ...(held.get(kind) ?? { ...plainSettings, version: 0 }),
      ...(byKind.get(kind) as (typeof counted)[number]),
      oneByOne: isOneByOne(kind),
      revealPerm: permOf(kind),
      screenCount: screensOf(kind).length,
    })),
  }
})

const detail = serve(sensitiveInfo.detail, async ({ tx, input, session }) => {
  const { fieldKey } = input
  const screens = screensOf(fieldKey).map(tag => ({ tag, screenName: screenName(session.language, tag) }))
  const allowedRoles = await tx.rows(sql<Detail['allowedRoles'][number]>`
    select r.role_no, r.role_name, count(ur.user_no)::int as user_count from role r left join user_role ur using (role_no)
    where ${permOf(fieldKey)} = any(r.sensitive_perms) group by r.role_no order by r.role_name limit 200`)
  const byDay = await tx.rows(sql<Detail['byDay'][number]>`
    select (at at time zone 'Africa/Kampala')::date as date, count(*)::int as count from access_log
    where access_kind = 'reveal' and result <> 'over_limit' and ${fieldKey} = any(kinds) and at >= ${lastDays(tx, shownDays)} group by 1 order by 1`)
  const history = await tx.rows(sql<Detail['history'][number]>`
    select c.version, c.changed_name as changed_by, u.real_name as checked_by, c.changed_time, c.changes
    from sensitive_field_change c left join app_user u on u.user_no = c.checked_by where c.field_key = ${fieldKey} order by c.change_no desc limit 100`)
  return { screens, allowedRoles, byDay, history }
})

const effect = serve(sensitiveInfo.effect, async ({ tx, input }) => {
  const { fieldKey, revealHourCap, revealDayCap } = input
  return tx.one(sql<OutputOf<typeof sensitiveInfo.effect>>`
    with seen as (
      select user_no, date_trunc('hour', at) as hour, count(*)::int as n from access_log
      where access_kind in ('reveal', 'view') and result <> 'over_limit' and ${fieldKey} = any(kinds)
        and at >= ${startOfEatDay(addDays(tx.today, -1))} and at < ${startOfEatDay(tx.today)} group by 1, 2)
    select
      (select count(distinct u.user_no)::int from role r join user_role ur using (role_no) join app_user u using (user_no)
        where ${permOf(fieldKey)} = any(r.sensitive_perms) and u.user_status = 'normal') as holder_count,
      (select count(distinct user_no)::int from seen where n > ${revealHourCap}) as above_hour,
      (select count(*)::int from (select user_no from seen group by user_no having sum(n) > ${revealDayCap}) days) as above_day`)
})

type Change = { fieldKey: SensitiveKind; after: SensitiveSettings }

/** Writes settings, with the line of their history. */
const write = async (tx: Tx, { fieldKey, after }: Change, before: StoredSettings, by: Actor, checker: Actor | null) => {
  const version = before.version + 1
  const changes = json(changesOf(names, before, after))
  const { dataClass, listMask, revealHourCap, revealDayCap, reasonRequired, codeRequired } = after
  await tx.exec(sql`
    insert into sensitive_field values (${fieldKey}, ${dataClass}, ${listMask}, ${revealHourCap}, ${revealDayCap}, ${reasonRequired}, ${codeRequired}, ${by.no}, ${tx.now}, ${version})
    on conflict (field_key) do update set (data_class, list_mask, reveal_hour_cap, reveal_day_cap, reason_required, code_required, updated_by, updated_time, version) =
      (excluded.data_class, excluded.list_mask, excluded.reveal_hour_cap, excluded.reveal_day_cap, excluded.reason_required, excluded.code_required, excluded.updated_by, excluded.updated_time, excluded.version)`)
  await tx.exec(sql`
    insert into sensitive_field_change (field_key, version, changes, changed_by, changed_name, checked_by, changed_time)
    values (${fieldKey}, ${version}, ${changes}, ${by.no}, ${by.name}, ${checker?.no ?? null}, ${tx.now})`)
  return version
}

/** The settings of a kind, for nobody else to change meanwhile. */
const lock = async (tx: Tx, fieldKey: SensitiveKind): Promise<StoredSettings> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`sensitive field ${fieldKey}`}, 0))`)
  const [settings] = await sensitiveSettings(tx, [fieldKey])
  return settings as StoredSettings
}

/** A value as the second person reads it. */
const shown = (field: string, value: string | null) => {
  const dict = field === 'dataClass' ? 'DATA_CLASS' : field === 'listMask' ? 'LIST_MASK' : null
  const plain = value === null ? null : String(JSON.parse(value))
  return dict && plain ? `dict.${dict}.${plain}` : plain
}

const picked = (input: ParsedOf<typeof sensitiveInfo.save>): SensitiveSettings => {
  const { fieldKey: _, version: __, ...settings } = input
  return settings
}

const save = serve(sensitiveInfo.save, async call => {
  const { tx, input, actor, audit } = call
  const { fieldKey, version } = input
  const before = await lock(tx, fieldKey)
  if (await waitsUntil(tx, { objectType: table, objectNo: fieldKey }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  checkVersion(before, version)
  const after = picked(input)
  const changes = changesOf(names, before, after)
  if (changes.length === 0) throw new Fault('validation', 'errors.nothingChanged')
  const approvalNo = isWeaker(before, after)
    ? await requestApproval(call, {
        action: 'sensitiveInfo.save',
        perm: 'operation:sensitiveInfo:save',
        objectType: table,
        objectNo: fieldKey,
        version,
        payload: { ...input },
        summary: changes.map(one => ({
          label: `fields.${one.field}`,
          before: shown(one.field, one.before),
          after: shown(one.field, one.after),
        })),
      })
    : null
  const written = approvalNo ? version : await write(tx, { fieldKey, after }, before, actor, null)
  audit({
    objectType: table,
    objectNo: fieldKey,
    before: { ...before },
    after: approvalNo ? { approvalNo } : { ...after },
  })
  return { version: written, approvalNo }
})

/** What a second person agreed to, unless the settings have changed since it was asked. */
const approved: ApprovalAction = {
  action: 'sensitiveInfo.save',
  perm: 'operation:sensitiveInfo:save',
  money: false,
  async execute(tx, { payload, maker, checker }) {
    const asked = payload as ParsedOf<typeof sensitiveInfo.save>
    const before = await lock(tx, asked.fieldKey)
    checkVersion(before, asked.version)
    await write(tx, { fieldKey: asked.fieldKey, after: picked(asked) }, before, maker, checker)
  },
}

/** The settings of each kind of sensitive value. */
export const settings = { served: [page, detail, effect, save], approvals: [approved] }
