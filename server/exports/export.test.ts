import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { base, type Envelope } from '../../core/contract/endpoint.ts'
import type { ExportRow } from '../../core/contract/exports.ts'
import { silentLog } from '../log.ts'
import type { Module, NetworkHandler } from '../module.ts'
import { orderManageModule } from '../modules/order-manage.ts'
import { jobsOf } from '../run.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { exportModule } from './module.ts'

const { audit, exports } = contract
const exporting = audit.manageList.exporting as NonNullable<typeof audit.manageList.exporting>
const perms = ['audit:manage:page', 'audit:order:export']
const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-exports-'))
const orders = 2_345

let kit: Kit
let worker: ReturnType<typeof jobsOf>['worker']
let scheduler: ReturnType<typeof jobsOf>['scheduler']
let boss: Person
let queues: NonNullable<Module['queues']>

/** Orders of both merchants, one in three of the second; one customer has a name that a spreadsheet would calculate. */
const writeOrders = () =>
  kit.db.withTx(async tx => {
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
      values ('CU1', 'Grace Nakato', 'CF9001010000A1', '256772000031', 500000, 300000, ${tx.now}),
        ('CU2', '=HYPERLINK("http://x")', 'CF9001010000A2', '256772000032', 500000, 300000, ${tx.now})`)
    await tx.exec(sql`
      insert into loan_order (order_no, third_order_no, merchant_no, customer_no, product_no, terms, requested_amount, loan_amount, actual_loan_amount,
        term, installment_count, loan_kind, apply_time, status_time, payout_type, payout_subtype, cardholder_name, order_status)
      select 'LO' || lpad(n::text, 5, '0'), 'T' || n, case when n % 3 = 0 then 'M2' else 'M1' end, case when n = 7 then 'CU2' else 'CU1' end, 'P1', p.terms,
        1200000.50, 1200000.50, 1140000, 14, 2, 'first', ${tx.now}::timestamptz - n * interval '1 minute', ${tx.now}, 'wallet', 'mtn', 'Grace Nakato', 'to_be_allocated'
      from generate_series(1, ${orders}::int) n, product p where p.product_no = 'P1'`)
  })

beforeAll(async () => {
  const lists = orderManageModule({} as never)
  const own = exportModule(dir, lists.lists ?? [])
  const modules = [lists, own]
  queues = own.queues ?? []
  kit = await openKit({ modules })
  ;({ worker, scheduler } = jobsOf({ db: kit.db, log: silentLog, modules }))
  await writeOrders()
  boss = await kit.person({ perms, name: 'Grace' })
}, 60_000)
afterEach(async () => {
  await worker.drain()
})
afterAll(async () => {
  await kit.close()
  rmSync(dir, { recursive: true })
})

const columns = ['orderNo', 'customerName', 'phone', 'orderStatus', 'loanAmount', 'applyTime']
type Asked = Partial<Parameters<typeof kit.call<typeof exporting>>[1]>
const ask = (more: Asked = {}, as = boss, language: 'en' | 'zh' | 'sw' = 'en') =>
  kit.call(exporting, { filters: {}, columns, exportFormat: 'csv', reason: 'audit', ...more }, { as, language })
const begun = async (more: Asked = {}, as = boss, language: 'en' | 'zh' | 'sw' = 'en'): Promise<string> => {
  const answer = await ask(more, as, language)
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  return answer.data.exportNo
}
const rowOf = async (exportNo: string, as = boss): Promise<ExportRow> => {
  const { data } = await kit.call(exports.page, {}, { as })
  return data.list.find(row => row.exportNo === exportNo) as ExportRow
}
const fetched = (exportNo: string, as = boss) =>
  kit.app.request(`${base}/common/export/${exportNo}/file`, { headers: { token: as.token, language: 'en' } })
const refusal = async (exportNo: string, as = boss) => (await (await fetched(exportNo, as)).json()) as Envelope
const linesOf = async (exportNo: string, as = boss) => {
  const answer = await fetched(exportNo, as)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  return { answer, lines: bytes.toString().slice(1).split('\r\n').slice(0, -1) }
}
const written = async (more: Asked = {}, as = boss, language: 'en' | 'zh' | 'sw' = 'en') => {
  const exportNo = await begun(more, as, language)
  await worker.drain()
  return { exportNo, ...(await linesOf(exportNo, as)) }
}
const one = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.one(query))
const fileOf = async (exportNo: string) =>
  (await one(sql<{ fileId: string }>`select file_id from export_job where export_no = ${exportNo}`)).fileId
const cancelled = (exportNo: string, version: number) => kit.call(exports.cancel, { exportNo, version }, { as: boss })

it('writes every row of the filter once, in the order of the list, as it is on screen', async () => {
  const { exportNo, answer, lines } = await written({ sort: 'applyTime' })
  expect(lines).toHaveLength(orders + 1)
  expect(lines[0]).toBe('Order no.,Customer name,Phone,Order status,Loan amount,Application time')
  expect(lines[1]).toBe(`LO0${orders},Grace Nakato,25********31,To be allocated,"1,200,000.50",2026-02-28 18:55:00`)
  expect(lines.slice(1).map(line => line.slice(0, 7))).toEqual(
    Array.from({ length: orders }, (_, index) => `LO${String(orders - index).padStart(5, '0')}`),
  )
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="Orders 20260302100000.csv"; filename*=UTF-8''Orders%2020260302100000.csv`,
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await rowOf(exportNo)).toMatchObject({
    exportStatus: 'ready',
    rowCount: orders,
    rowsDone: orders,
    fileSize: Number(answer.headers.get('content-length')),
    expireTime: '2026-03-03T07:00:00.000Z',
  })
})

it('defuses what a spreadsheet would calculate', async () => {
  const { lines } = await written({ filters: { orderNo: 'LO00007' } })
  expect(lines[1]).toContain(`,"'=HYPERLINK(""http://x"")",`)
})

it('speaks the language of whoever asked', async () => {
  const { lines } = await written(
    { filters: { orderNo: 'LO00001' }, columns: ['orderStatus', 'whitelisted'] },
    boss,
    'zh',
  )
  expect(lines).toEqual(['订单状态,白名单', '待分配,否'])
})

it('writes only rows within the data rule, and hides from desensitised users what their screen hides', async () => {
  const clerk = await kit.person({
    perms,
    nature: 'merchant',
    limit: 'own_merchants',
    merchants: ['M2'],
    sensitive: [],
  })
  const { lines } = await written({}, clerk)
  expect(lines).toHaveLength(Math.floor(orders / 3) + 1)
  for (const line of lines.slice(1)) expect(line).toMatch(/^LO\d{5},Gr\*+to,25\*{8}31,/)
})

it('asks for both codes when it is asked, when it runs and when the file is fetched', async () => {
  const reader = await kit.person({ perms: ['audit:order:export'] })
  expect(await ask({}, reader)).toMatchObject({ code: 40301 })
  const leaver = await kit.person({ perms })
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } }, leaver)
  const second = await begun({ filters: { orderNo: 'LO00001' } }, leaver)
  const take = sql`delete from role_menu where role_no = ${`R${leaver.userNo}`} and menu_no = ${`N${leaver.userNo}-1`}`
  await kit.db.withTx(tx => tx.exec(take))
  await worker.drain()
  expect(await rowOf(second, leaver)).toMatchObject({ exportStatus: 'failed', failReason: 'no_right' })
  expect(await refusal(exportNo, leaver)).toMatchObject({ code: 40301 })
  const again = await kit.call(exports.retry, { exportNo: second, version: 2 }, { as: leaver })
  expect(again).toMatchObject({ code: 40301 })
})

it('stops with an error where the owner may not work any more', async () => {
  const leaver = await kit.person({ perms })
  const exportNo = await begun({}, leaver)
  await kit.db.withTx(tx => tx.exec(sql`update app_user set employee_status = 'left' where user_no = ${leaver.userNo}`))
  await worker.drain()
  expect(
    await one(sql<object>`select export_status, fail_reason from export_job where export_no = ${exportNo}`),
  ).toEqual({ exportStatus: 'failed', failReason: 'no_right' })
})

it('wants a reason for more than a thousand rows with sensitive columns, and notes what was asked', async () => {
  expect(await ask({ reason: undefined })).toMatchObject({
    code: 40001,
    data: { fields: [{ path: 'reason', msg: expect.stringContaining('1000') }] },
  })
  const plain = await begun({ reason: undefined, columns: ['orderNo'] })
  const exportNo = await begun({ filters: { phone: '256772000032' }, reason: 'complaint' })
  const noted = await one(sql<{ after: object }>`select after from audit_log where object_no = ${exportNo}`)
  expect(noted.after).toMatchObject({
    filters: { phone: '25********32' },
    columns,
    rowCount: 1,
    reason: 'complaint',
    exportFormat: 'csv',
  })
  expect(plain).not.toBe(exportNo)
})

it('does not exist for anybody else', async () => {
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } })
  const other = await kit.person({ perms })
  expect(await refusal(exportNo, other)).toMatchObject({ code: 40401, data: null })
  expect(await rowOf(exportNo, other)).toBeUndefined()
  for (const command of [exports.cancel, exports.retry])
    expect(await kit.call(command, { exportNo, version: 3 }, { as: other })).toMatchObject({ code: 40401 })
})

it('leaves a line in both logs for each fetch', async () => {
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } })
  expect(
    await one(sql<object>`
      select (select count(*)::int from access_log where object_no = ${exportNo} and access_kind = 'download' and user_no = ${boss.userNo}) as reads,
        (select count(*)::int from audit_log where object_no = ${exportNo} and action = 'export.download') as lines,
        (select count(*)::int from state_transition where object_no = ${exportNo} and event = 'export.download') as moves`),
  ).toEqual({ reads: 1, lines: 1, moves: 1 })
})

it('lets three run at a time', async () => {
  const eager = await kit.person({ perms })
  for (let n = 0; n < 3; n++) await begun({}, eager)
  expect(await ask({}, eager)).toMatchObject({ code: 41001 })
})

it('is cancelled while it waits or runs, leaves nothing, and can be asked for again', async () => {
  const exportNo = await begun()
  expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'queued' } })
  expect(await cancelled(exportNo, 0)).toMatchObject({
    code: 0,
    data: { exportStatus: 'failed', failReason: 'cancelled' },
  })
  expect(await cancelled(exportNo, 2)).toMatchObject({ code: 40901 })
  await worker.drain()
  expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'failed' } })
  expect(await kit.call(exports.retry, { exportNo, version: 2 }, { as: boss })).toMatchObject({ code: 0 })
  await worker.drain()
  expect((await linesOf(exportNo)).lines).toHaveLength(orders + 1)
})

/** A process that writes one chunk and dies: at once, before it notes it, or in the middle of the next one. */
const dies = async (exportNo: string, noted: boolean) => {
  const handler = queues[0] as unknown as NetworkHandler
  const prepared = await kit.db.withTx(tx => handler.before(tx, { jobKey: '', payload: { exportNo } }))
  const answer = await handler.send(prepared)
  if (noted) await kit.db.withTx(tx => handler.after(tx, prepared, answer))
}
const bytesOf = async (exportNo: string) => Buffer.from(await (await fetched(exportNo)).arrayBuffer())

describe.each(['csv', 'xlsx'] as const)('%s', exportFormat => {
  it('goes on after a crash between chunks, and in the middle of one, as if nothing had been', async () => {
    const whole = await begun({ exportFormat })
    await worker.drain()
    const exportNo = await begun({ exportFormat })
    await dies(exportNo, true)
    expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'running', rowsDone: 1000, rowCount: orders })
    expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'running' } })
    await dies(exportNo, false)
    await dies(exportNo, true)
    appendFileSync(path.join(dir, `${await fileOf(exportNo)}.part`), 'half a row')
    await worker.drain()
    expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'ready', rowsDone: orders })
    expect((await bytesOf(exportNo)).equals(await bytesOf(whole))).toBe(true)
  })

  it('begins again where the file was lost', async () => {
    const whole = await begun({ exportFormat })
    await worker.drain()
    const exportNo = await begun({ exportFormat })
    await dies(exportNo, true)
    rmSync(path.join(dir, `${await fileOf(exportNo)}.part`))
    await worker.drain()
    expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'ready', rowsDone: orders })
    expect((await bytesOf(exportNo)).equals(await bytesOf(whole))).toBe(true)
  })
})

it('gives up where the file is lost again and again', async () => {
  const exportNo = await begun()
  for (let n = 0; n < 4; n++) {
    await dies(exportNo, true)
    rmSync(path.join(dir, `${await fileOf(exportNo)}.part`))
    await dies(exportNo, true)
  }
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'failed', failReason: 'error' })
})

it('is cancelled between two chunks, and what was written goes', async () => {
  const exportNo = await begun()
  await dies(exportNo, true)
  const file = `${await fileOf(exportNo)}.part`
  expect(readdirSync(dir)).toContain(file)
  expect(await cancelled(exportNo, 1)).toMatchObject({ code: 0 })
  await expect.poll(() => readdirSync(dir)).not.toContain(file)
  await worker.drain()
  expect(readdirSync(dir)).not.toContain(file)
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'failed', failReason: 'cancelled', rowsDone: 0 })
  expect(await one(sql<object>`select count(*)::int as n from export_chunk`)).toEqual({ n: 0 })
})

it('gives up what no job is left to write', async () => {
  const exportNo = await begun()
  await kit.db.withTx(tx => tx.exec(sql`update job set state = 'dead' where payload ->> 'exportNo' = ${exportNo}`))
  kit.clock.advance(60_000)
  await scheduler.runDue()
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'failed', failReason: 'error' })
})

it('expires after a day, and its file goes', async () => {
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } })
  const file = path.join(dir, await fileOf(exportNo))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  kit.clock.advance(24 * 3_600_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
  expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'expired' } })
  await scheduler.runDue()
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'expired' })
  await expect.poll(() => readdirSync(dir)).not.toContain(path.basename(file))
  expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'expired' } })
})
