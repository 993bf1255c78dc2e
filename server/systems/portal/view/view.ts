import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf, RowOf } from '../../../../core/contract/endpoint.ts'
import { viewCaps } from '../../../../core/contract/portal/view.ts'
import { routes } from '../../../../core/contract/routes.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listPage, type Source } from '../../../lists/list.ts'
import type { Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>
const { view } = contract
type View = RowOf<typeof view.page>
type Held = Pick<View, 'viewNo' | 'viewName' | 'widget' | 'shared' | 'version' | 'ownerName'> & { ownerNo: string }

/** Same company as the caller: a shared view stays within the company. */
const colleague = (session: Session, person: Frag): Frag => sql`exists (
  select 1 from app_user p join dept pd on pd.dept_no = p.dept_no join org po on po.org_no = pd.org_no
  where p.user_no = ${person} and po.company_code = (select o.company_code from dept d join org o on o.org_no = d.org_no where d.dept_no = ${session.deptNo}))`

const visible = (session: Session): Frag =>
  sql`(v.owner_no = ${session.userNo} or (v.shared and ${colleague(session, sql`v.owner_no`)}))`

const source = (session: Session, where: Frag = visible(session)): Source => ({
  from: sql`saved_view v join app_user u on u.user_no = v.owner_no`,
  alias: 'v',
  key: sql`v.view_no`,
  where,
  columns: {
    isDefault: sql`exists (select 1 from saved_view_default sd where sd.view_no = v.view_no and sd.user_no = ${session.userNo})`,
    mine: sql`v.owner_no = ${session.userNo}`,
    ownerName: sql`u.real_name`,
  },
})

const viewOf = async (tx: Tx, session: Session, viewNo: string): Promise<View> => {
  const input = { pageNum: 1, pageSize: 1, sort: view.page.defaultSort }
  const [found] = (
    await listPage<View, typeof input>(tx, view.page, input, source(session, sql`v.view_no = ${viewNo}`))
  ).list
  if (!found) throw notFound()
  return found
}

/** Commands on the views of one person come one after the other: names stay unique and caps hold. */
const lockOwner = (tx: Tx, { userNo }: Session) =>
  tx.exec(sql`select 1 from app_user where user_no = ${userNo} for no key update`)

/** People of one company share views one after another, so that the limit on their number holds. */
const lockFixture = (tx: Tx, { deptNo }: Session) =>
  tx.exec(sql`
    select 1 from company co where co.company_code = (select o.company_code from dept d join org o on o.org_no = d.org_no where d.dept_no = ${deptNo})
    for no key update`)

const held = async (tx: Tx, session: Session, viewNo: string): Promise<Held> => {
  const row = await tx.maybe(sql<Held>`
    select v.view_no, v.view_name, v.widget, v.shared, v.version, v.owner_no, u.real_name as owner_name
    from saved_view v join app_user u on u.user_no = v.owner_no where v.view_no = ${viewNo} and ${visible(session)} for update of v`)
  if (!row) throw notFound()
  return row
}

const own = async (tx: Tx, session: Session, { viewNo, version }: { viewNo: string; version: number }) => {
  await lockOwner(tx, session)
  const row = await held(tx, session, viewNo)
  if (row.ownerNo !== session.userNo) throw new Fault('forbidden', 'errors.viewOfAnother', { name: row.ownerName })
  checkVersion(row, version)
  return row
}

const mayShare = (session: Session) => {
  if (!session.perms.has(view.share.perm ?? '')) throw new Fault('forbidden', 'errors.forbidden')
}

const isWidget = (session: Session, widget: string) => {
  const route = routes.find(({ tag }) => tag === widget.split('/')[0])
  return route !== undefined && (route.perm === null || session.perms.has(route.perm))
}

const countOf = async (tx: Tx, where: Frag): Promise<number> =>
  (await tx.one(sql<{ n: number }>`select count(*)::int as n from saved_view v where ${where}`)).n

const checkName = async (tx: Tx, session: Session, widget: string, viewName: string, except = '') => {
  const named = await countOf(
    tx,
    sql`v.owner_no = ${session.userNo} and v.widget = ${widget} and lower(v.view_name) = lower(${viewName}) and v.view_no <> ${except}`,
  )
  if (named > 0) throw invalid('viewName', 'errors.viewNameTaken', { name: viewName })
}

const saveAs = serve(view.saveAs, async ({ tx, session, input, audit }) => {
  const { widget, viewName, filters, columns, sort, density } = input
  if (!isWidget(session, widget)) throw invalid('widget', 'validation.wrongValue')
  await lockOwner(tx, session)
  await checkName(tx, session, widget, viewName)
  if ((await countOf(tx, sql`v.owner_no = ${session.userNo} and v.widget = ${widget}`)) >= viewCaps.own)
    throw new Fault('quota', 'errors.viewsFull', { max: viewCaps.own })
  const viewNo = newNo('VW', tx.now)
  await tx.exec(sql`
    insert into saved_view (view_no, owner_no, widget, view_name, filters, columns, sort, density, created_time, updated_time)
    values (${viewNo}, ${session.userNo}, ${widget}, ${viewName}, ${json(filters)}, ${columns as string[]}, ${sort}, ${density}, ${tx.now}, ${tx.now})`)
  audit({ objectType: 'view', objectNo: viewNo, after: { widget, viewName } })
  return viewOf(tx, session, viewNo)
})

const save = serve(view.save, async ({ tx, session, input, audit }) => {
  const { viewNo, viewName, filters, columns, sort, density } = input
  const before = await own(tx, session, input)
  if (before.shared) mayShare(session)
  await checkName(tx, session, before.widget, viewName, viewNo)
  await tx.exec(sql`
    update saved_view set view_name = ${viewName}, filters = ${json(filters)}, columns = ${columns as string[]}, sort = ${sort},
      density = ${density}, updated_time = ${tx.now}, version = version + 1 where view_no = ${viewNo}`)
  audit({ objectType: 'view', objectNo: viewNo, before: { viewName: before.viewName }, after: { viewName } })
  return viewOf(tx, session, viewNo)
})

const remove = serve(view.remove, async ({ tx, session, input, audit }) => {
  const { viewNo, viewName, widget, shared } = await own(tx, session, input)
  await tx.exec(sql`delete from saved_view where view_no = ${viewNo}`)
  audit({ objectType: 'view', objectNo: viewNo, before: { widget, viewName, shared } })
  return {}
})

const setDefault = serve(view.setDefault, async ({ tx, session, input: { widget, viewNo }, audit }) => {
  await lockOwner(tx, session)
  const chosen = viewNo === null ? null : await held(tx, session, viewNo)
  if (chosen && chosen.widget !== widget) throw invalid('widget', 'validation.wrongValue')
  await tx.exec(sql`delete from saved_view_default where user_no = ${session.userNo} and widget = ${widget}`)
  if (chosen)
    await tx.exec(
      sql`insert into saved_view_default (user_no, widget, view_no) values (${session.userNo}, ${widget}, ${chosen.viewNo})`,
    )
  audit({ objectType: 'view', objectNo: chosen?.viewNo ?? widget, after: { widget, isDefault: chosen !== null } })
  return {}
})

const setShared = async (tx: Tx, session: Session, input: ParsedOf<typeof view.share>) => {
  const before = await own(tx, session, input)
  const all = sql`v.widget = ${before.widget} and v.shared and ${colleague(session, sql`v.owner_no`)}`
  if (input.shared) await lockFixture(tx, session)
  if (input.shared && !before.shared && (await countOf(tx, all)) >= viewCaps.shared)
    throw new Fault('quota', 'errors.viewsFull', { max: viewCaps.shared })
  await tx.exec(
    sql`update saved_view set shared = ${input.shared}, updated_time = ${tx.now}, version = version + 1 where view_no = ${input.viewNo}`,
  )
  return before
}

const share = serve(view.share, async ({ tx, session, input, audit }) => {
  const { viewName, widget, shared } = await setShared(tx, session, input)
  const line = { widget, viewName }
  audit({
    objectType: 'view',
    objectNo: input.viewNo,
    before: { ...line, shared },
    after: { ...line, shared: input.shared },
  })
  return viewOf(tx, session, input.viewNo)
})

/** Saved views of lists: each person's own, and those that a holder of `view:share` shares with the company. */
export const viewModule = (): Module => ({
  served: [
    serve(view.page, ({ tx, session, input }) =>
      listPage<View, typeof input>(tx, view.page, input, source(session) as Source<typeof input>),
    ),
    saveAs,
    save,
    remove,
    setDefault,
    share,
  ],
})
