import { sql } from 'kysely'
import type { Personnel } from '../../core/contract/common/personnel.ts'
import type { Blocks } from '../approval/blocks.ts'
import { storedAll } from '../configs/config-hooks.ts'
import { checkVersion, invalid } from '../http/fault.ts'
import { type Call, type Served, serve, serveEach } from '../http/serve.ts'
import { merchantsOf } from '../rights/scope.ts'
import { changes } from '../states/changes.ts'
import type { PersonHooks, Values } from './person-hooks.ts'
import { lockPerson, type PersonRecord } from './person-store.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const given = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

type Placed = { principalMerchantNo: string; associatedMerchantNos: string[] }

/** Merchants lie within the editor's own, and within those of the person: nobody is given work they may not open. */
const checkMerchants = async ({ tx, session }: Call<Values>, of: Personnel, userNo: string, values: Placed) => {
  const wanted = [...new Set([values.principalMerchantNo, ...values.associatedMerchantNos])]
  const own = merchantsOf(session, of.perms.page)
  const known = await tx.rows(sql<{ merchantNo: string; theirs: boolean }>`
    select m.merchant_no, m.merchant_no = u.principal_merchant_no or exists (
      select 1 from user_merchant um where um.user_no = u.user_no and um.merchant_no = m.merchant_no) as theirs
    from merchant m cross join app_user u where u.user_no = ${userNo} and m.merchant_no = any(${wanted})`)
  for (const no of wanted) {
    const path = no === values.principalMerchantNo ? 'principalMerchantNo' : 'associatedMerchantNos'
    const found = known.find(one => one.merchantNo === no)
    if (!found || (own && !own.includes(no))) throw invalid(path, 'errors.notFound')
    if (!found.theirs) throw invalid(path, 'validation.personMerchant')
  }
}

const change = async (call: Call<Values>, of: Personnel, hooks: PersonHooks, before: PersonRecord, by: Values) => {
  const { tx, actor } = call
  const fields = Object.keys(of.form)
  const apart = hooks.apart?.fields ?? []
  const held = Object.fromEntries(fields.map(name => [name, before[name] ?? undefined]))
  const values: Values = { ...held, ...given(by) }
  if (!values.principalMerchantNo) throw invalid('principalMerchantNo', 'validation.infoComplete')
  if (!values.groupNo) throw invalid('groupNo', 'validation.infoComplete')
  const principal = String(values.principalMerchantNo)
  const others = ((values.associatedMerchantNos ?? []) as string[]).filter(no => no !== principal)
  values.associatedMerchantNos = [...new Set(others)].sort()
  const flaw = of.flaw?.(values)
  if (flaw) throw invalid(flaw.path, flaw.message as 'validation.infoComplete')
  const moved = principal !== before.principalMerchantNo || String(others) !== String(before.associatedMerchantNos)
  if (moved) await checkMerchants(call, of, before.userNo, values as Placed)
  await hooks.check?.(call, values, before)
  await hooks.apart?.write(call, values, before)
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !apart.includes(name)))
  const set = Object.entries(storedAll(kept)).map(([name, value]) => sql`${sql.ref(snake(name))} = ${value}`)
  const { version } = await tx.one(sql<{ version: number }>`
    update ${sql.table(of.table)} set ${sql.join(set)}, version = version + 1, updated_by = ${actor.no}, updated_time = ${tx.now}
    where user_no = ${before.userNo} returning version`)
  const shown = (from: Values) =>
    Object.fromEntries(fields.map(name => [name, Array.isArray(from[name]) ? from[name].join(', ') : from[name]]))
  call.audit({ objectType: of.name, objectNo: before.userNo, ...changes(shown(before), shown(values)) })
  return version
}

/** A record with what stands apart of it, locked. */
const lockWhole = async (
  { tx, session }: Pick<Call, 'tx' | 'session'>,
  of: Personnel,
  hooks: PersonHooks,
  userNo: string,
) => ({
  ...(await lockPerson(tx, session, of, userNo)),
  ...(await hooks.apart?.read(tx, userNo)),
})

/** Changes of one person, and the same change to several. */
export const personChanges = (of: Personnel, hooks: PersonHooks, blocked: Blocks<unknown>): Served[] => [
  serve(of.calls.update, async call => {
    const { userNo, version, ...form } = call.input as Values & { userNo: string; version: number }
    const person = await lockWhole(call, of, hooks, userNo)
    checkVersion(person, version)
    await blocked.check(call, of.calls.update, userNo)
    const cleared = { associatedMerchantNos: [], ...given(form) }
    return { version: await change(call as unknown as Call<Values>, of, hooks, person, cleared) }
  }),
  serveEach(of.calls.batchUpdate, {
    ids: ({ userNos }) => [...new Set(userNos as string[])],
    async row(userNo, call) {
      const { userNos: _, ...form } = call.input as Values
      const person = await lockWhole(call, of, hooks, userNo)
      await blocked.check(call, of.calls.batchUpdate, userNo)
      await change(call as unknown as Call<Values>, of, hooks, person, hooks.each?.(form, person) ?? form)
    },
  }),
]
