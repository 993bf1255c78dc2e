import { sql } from 'kysely'
import type { BlockedBy } from '../../../core/contract/blocked.ts'
import {
  type Attribution,
  type BusinessKey,
  type BusinessValue,
  businessConfig,
  businessConfigs,
  type ContactWindow,
  type Holiday,
  type MarketingText,
  type QuotaCaps,
  type SignInPolicy,
} from '../../../core/contract/common/business-config.ts'
import { languages } from '../../../core/i18n/language.ts'
import { hostsIn, isHost, maxHosts } from '../../../core/rules/market/hosts.ts'
import { saysHowToStop } from '../../../core/rules/message/marketing-text.ts'
import { formatMoney } from '../../../core/rules/money.ts'
import { requestApproval, type SummaryLine } from '../../approval/approval.ts'
import { waitsUntil } from '../../approval/visible.ts'
import { waitingMaker } from '../../configs/checked.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { checkVersion, Fault, invalid } from '../../http/fault.ts'
import { serve } from '../../http/serve.ts'
import type { ApprovalAction, Module } from '../../module.ts'
import type { Actor } from '../../rights/actor.ts'

type Stored = { value: unknown; version: number; updatedBy: string | null; updatedTime: string | null }
/** How requests name a setting. */
const objectType = 'businessConfig'

const held = async (tx: Tx, key: BusinessKey, lock = false): Promise<Stored> => {
  if (lock)
    await tx.exec(
      sql`insert into business_config (config_key, config_value) values (${key}, ${json(businessConfigs[key].plain as object)}) on conflict do nothing`,
    )
  const row = await tx.maybe(sql<Stored>`
    select config_value as value, version, updated_by, updated_time from business_config where config_key = ${key}
    ${lock ? sql`for update` : sql``}`)
  const { plain } = businessConfigs[key]
  if (!row) return { value: plain, version: 0, updatedBy: null, updatedTime: null }
  // A part that was never set holds what the program says.
  return Array.isArray(plain) ? row : { ...row, value: { ...plain, ...(row.value as object) } }
}

/** What a key allows beyond its schema, and how a second person reads a change of it. */
type Rule<V> = {
  check(tx: Tx, before: V, after: V): void | Promise<void>
  lines(before: V, after: V, tx: Tx): SummaryLine[] | Promise<SummaryLine[]>
}

const byDate = (holidays: readonly Holiday[]) => new Map(holidays.map(one => [one.date, one]))
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
/** Days of which something differs. */
const changedDays = (before: readonly Holiday[], after: readonly Holiday[]) => {
  const [old, now] = [byDate(before), byDate(after)]
  return [...new Set([...old.keys(), ...now.keys()])].sort().filter(date => !same(old.get(date), now.get(date)))
}
const named = (one: Holiday | undefined): string | null => (one ? `${one.name.en} / ${one.name.zh}` : null)

const yesOrNo = (is: boolean) => (is ? 'common.yes' : 'common.no')

/** A change of each of its values, as a second person reads it. */
const lineByLine = <V extends Readonly<Record<string, unknown>>>(before: V, after: V): SummaryLine[] =>
  Object.keys(after)
    .filter(name => !same(before[name], after[name]))
    .map(name => ({ label: `fields.${name}`, before: String(before[name] ?? '-'), after: String(after[name]) }))

const organizations = async (
  tx: Tx,
  orgNos: readonly string[],
): Promise<readonly { orgNo: string; orgName: string }[]> =>
  tx.rows(sql`select org_no, org_name from org where org_no = any(${[...orgNos]}) order by org_name, org_no`)
const namesOf = async (tx: Tx, orgNos: readonly string[]): Promise<string> =>
  (await organizations(tx, orgNos)).map(one => one.orgName).join(', ') || '–'

const signIn: Rule<SignInPolicy> = {
  async check(tx, before, after) {
    if (same(before, after)) throw invalid('value', 'errors.nothingChanged')
    const known = await organizations(tx, after.codeFor)
    if (known.length !== after.codeFor.length) throw invalid('codeFor', 'validation.wrongValue')
  },
  lines: async (before, after, tx) => [
    ...(before.slide === after.slide
      ? []
      : [
          {
            label: 'fields.slide',
            before: `dict.SIGN_IN_SLIDE.${before.slide}`,
            after: `dict.SIGN_IN_SLIDE.${after.slide}`,
          },
        ]),
    ...(same(before.codeFor, after.codeFor)
      ? []
      : [
          {
            label: 'fields.codeFor',
            before: await namesOf(tx, before.codeFor),
            after: await namesOf(tx, after.codeFor),
          },
        ]),
  ],
}

const marketingText: Rule<MarketingText> = {
  check(_tx, before, after) {
    if (same(before, after)) throw invalid('value', 'errors.nothingChanged')
    if (!languages.every(language => saysHowToStop(after.optOutLine[language])))
      throw invalid('optOutLine', 'validation.optOutWord')
    const hosts = hostsIn(after.linkHosts)
    if (hosts.length > maxHosts || !hosts.every(isHost)) throw invalid('linkHosts', 'validation.hostName')
  },
  lines: (before, after) => [
    ...languages
      .filter(language => before.optOutLine[language] !== after.optOutLine[language])
      .map(language => ({
        label: 'fields.optOutLine',
        before: before.optOutLine[language],
        after: after.optOutLine[language],
      })),
    ...(before.linkHosts === after.linkHosts
      ? []
      : [{ label: 'fields.linkHosts', before: before.linkHosts || '–', after: after.linkHosts || '–' }]),
  ],
}

const attribution: Rule<Attribution> = {
  check(_tx, before, after) {
    if (same(before, after)) throw invalid('value', 'errors.nothingChanged')
    const hosts = hostsIn(after.landingHosts)
    if (hosts.length > maxHosts || !hosts.every(isHost)) throw invalid('landingHosts', 'validation.hostName')
  },
  lines: lineByLine,
}

/** Amounts by name, whole shillings of a form, of which one at least changes. */
const amounts = (form: RegExp): Rule<Readonly<Record<string, string>>> => ({
  check(_tx, before, after) {
    if (lineByLine(before, after).length === 0) throw invalid('value', 'errors.nothingChanged')
    const wrong = Object.entries(after).find(([, amount]) => !form.test(amount))
    if (wrong) throw invalid(wrong[0], 'validation.wholeShillings')
  },
  lines: (before, after) =>
    lineByLine(before, after).map(line => ({
      ...line,
      before: `UGX ${formatMoney(String(line.before))}`,
      after: `UGX ${formatMoney(String(line.after))}`,
    })),
})

const whole = /^[1-9]\d*(\.0+)?$/
const quotaCaps = amounts(whole)
const merchantCap = ({ merchantNo, memberLevel, quotaAmount }: QuotaCaps['merchantCaps'][number]) =>
  `${merchantNo} ${memberLevel}: ${formatMoney(quotaAmount)}`

/** Amounts by member level, of which one at least changes, and those of single merchants, each level once. */
const temporaryCaps: Rule<QuotaCaps> = {
  check(tx, { merchantCaps: old, ...before }, { merchantCaps, ...after }) {
    const of = merchantCaps.map(({ merchantNo, memberLevel }) => `${merchantNo} ${memberLevel}`)
    if (new Set(of).size < of.length || merchantCaps.some(one => !whole.test(one.quotaAmount)))
      throw invalid('merchantCaps', 'validation.wrongValue')
    if (same(old, merchantCaps)) return quotaCaps.check(tx, before, after)
    const wrong = Object.entries(after).find(([, amount]) => !whole.test(amount))
    if (wrong) throw invalid(wrong[0], 'validation.wholeShillings')
  },
  lines: async ({ merchantCaps: old, ...before }, { merchantCaps, ...after }, tx) => [
    ...(await quotaCaps.lines(before, after, tx)),
    ...(same(old, merchantCaps)
      ? []
      : [
          {
            label: 'fields.merchantCaps',
            before: old.map(merchantCap).join(', ') || '–',
            after: merchantCaps.map(merchantCap).join(', ') || '–',
          },
        ]),
  ],
}

/** A switch of this name that changes. */
const flag = <N extends string>(name: N): Rule<{ [K in N]: boolean }> => ({
  check(_tx, before, after) {
    if (same(before, after)) throw invalid('value', 'errors.nothingChanged')
  },
  lines: (before, after) => [{ label: `fields.${name}`, before: yesOrNo(before[name]), after: yesOrNo(after[name]) }],
})

/** Hours that end after they begin. */
const hours: Rule<ContactWindow> = {
  check(_tx, before, after) {
    if (same(before, after)) throw invalid('value', 'errors.nothingChanged')
    for (const of of ['marketing', 'collection', 'service'] as const)
      if (after[`${of}From`] >= after[`${of}To`]) throw invalid(`${of}To`, 'validation.wrongValue')
  },
  lines: lineByLine,
}

/** Values of which one at least changes. */
const changed: Rule<Readonly<Record<string, unknown>>> = {
  check(_tx, before, after) {
    if (same(before, after)) throw invalid('value', 'errors.nothingChanged')
  },
  lines: lineByLine,
}

const rules: { [K in BusinessKey]: Rule<BusinessValue<K>> } = {
  VERIFY_CODE_LIMITS: {
    check(_tx, before, after) {
      if (lineByLine(before, after).length === 0) throw invalid('value', 'errors.nothingChanged')
    },
    lines: lineByLine,
  },
  COUPON_TYPE_CAPS: amounts(whole),
  TEMP_QUOTA_MAX: temporaryCaps,
  PHONE_BILL_CAPS: amounts(/^\d+(\.0+)?$/),
  LIMIT_RAISE_CONSENT: flag('raiseConsent'),
  SIGN_IN_POLICY: signIn,
  MARKETING_TEXT: marketingText,
  ATTRIBUTION_DAYS: attribution,
  CONTACT_WINDOW: hours,
  CONTACT_CAP: changed,
  SMS_TASK_MAX: changed,
  MACHINE_REVIEW_MODE: {
    check(_tx, before, after) {
      if (same(before, after)) throw invalid('value', 'errors.nothingChanged')
    },
    lines: (before, after) => [
      {
        label: 'fields.reviewMode',
        before: `dict.MACHINE_REVIEW_MODE.${before.reviewMode}`,
        after: `dict.MACHINE_REVIEW_MODE.${after.reviewMode}`,
      },
    ],
  },
  WATERMARK: flag('watermark'),
  PUBLIC_HOLIDAYS: {
    check(tx, before, after) {
      if (byDate(after).size !== after.length) throw invalid('value', 'validation.holidayTwice')
      if (changedDays(before, after).some(date => date <= tx.today)) throw invalid('value', 'validation.holidayPast')
    },
    lines: (before, after) =>
      changedDays(before, after).map(date => ({
        label: date,
        before: named(byDate(before).get(date)),
        after: named(byDate(after).get(date)),
      })),
  },
}

/** The rule of a key whose value is not looked into. */
const ruleOf = (key: BusinessKey): Rule<unknown> => rules[key] as Rule<unknown>

const get = serve(businessConfig.get, async ({ tx, session, input: { configKey } }) => {
  if (!session.perms.has(businessConfigs[configKey].read)) throw new Fault('forbidden', 'errors.forbidden')
  const { value, version, updatedTime, updatedBy } = await held(tx, configKey)
  const { maker, name } = await tx.one(sql<{ maker: string | null; name: string | null }>`
    select ${waitingMaker(objectType, sql`${configKey}::text`)} as maker,
      (select real_name from app_user where user_no = ${updatedBy}) as name`)
  const blockedBy: BlockedBy = maker ? { 'businessConfig.update': { reason: 'errors.approvalWaits', params: {} } } : {}
  return { configKey, value, version, updatedBy: name, updatedTime, blockedBy, pendingApproval: maker }
})

const update = serve(businessConfig.update, async call => {
  const { tx, session, input } = call
  const { configKey, value } = input
  const { save } = businessConfigs[configKey]
  if (!session.perms.has(save)) throw new Fault('forbidden', 'errors.forbidden')
  if (!session.headquarters) throw new Fault('forbidden', 'errors.headquartersOnly')
  const row = await held(tx, configKey, true)
  checkVersion(row, input.version)
  if (await waitsUntil(tx, { objectType, objectNo: configKey }))
    throw new Fault('stateConflict', 'errors.approvalWaits')
  await ruleOf(configKey).check(tx, row.value, value)
  const approvalNo = await requestApproval(call, {
    action: `businessConfig.${configKey}`,
    perm: save,
    objectType,
    objectNo: configKey,
    version: row.version,
    payload: { value, version: row.version },
    summary: await ruleOf(configKey).lines(row.value, value, tx),
  })
  call.audit({ objectType, objectNo: configKey, after: { approvalNo } })
  return { approvalNo }
})

/** Writes a setting, with a line of its history; without a version whatever it held before. */
export const writeBusinessConfig = async (
  tx: Tx,
  key: BusinessKey,
  { value, version }: { value: unknown; version?: number },
  by: Actor,
): Promise<void> => {
  const row = await held(tx, key, true)
  if (version !== undefined) checkVersion(row, version)
  await tx.exec(sql`
    update business_config set config_value = ${json(value as object)}, version = version + 1, updated_by = ${by.no}, updated_time = ${tx.now}
    where config_key = ${key}`)
  tx.append('configHistory', {
    machine: objectType,
    objectNo: key,
    version: row.version + 1,
    event: 'item.update',
    changes: [{ field: 'value', before: JSON.stringify(row.value), after: JSON.stringify(value) }],
    changedBy: by.no,
    changedName: by.name,
    changedTime: tx.now,
  })
}

const approvals = (Object.keys(businessConfigs) as BusinessKey[]).map(
  (key): ApprovalAction => ({
    action: `businessConfig.${key}`,
    perm: businessConfigs[key].save,
    money: false,
    async execute(tx, { payload, maker }) {
      const { value, version } = payload as { value: unknown; version: number }
      const row = await held(tx, key, true)
      await ruleOf(key).check(tx, row.value, value)
      await writeBusinessConfig(tx, key, { value, version }, maker)
    },
  }),
)

/** Settings of the business that are declared by their keys; each change is agreed to by a second person. */
export const businessConfigModule = (): Module => ({ served: [get, update], approvals })
