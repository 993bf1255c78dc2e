import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { exports } from '../../../core/contract/common/exports.ts'
import { message } from '../../../core/contract/portal/message.ts'
import { left } from '../../testing/people.ts'
import { columns, exportKit, orders, perms } from './export-fixture.ts'

const at = exportKit()
const { dir, ask, begun, rowOf, refusal, linesOf, written, one, fileOf, cancelled } = at

it('writes every row of the filter once, in the order of the list, as it is on screen', async () => {
  const { exportNo, answer, lines } = await written({ sort: 'applyTime' })
  expect(lines).toHaveLength(orders + 2)
  expect(lines[0]).toBe('Order no.,Customer name,Phone,Order status,Loan amount,Application time')
  expect(lines[1]).toBe(`LO0${orders},Grace Nakato,25********31,To be allocated,"1,200,000.50",2026-02-28 18:55:00`)
  expect(lines.slice(1, -1).map(line => line.slice(0, 7))).toEqual(
    Array.from({ length: orders }, (_, index) => `LO${String(orders - index).padStart(5, '0')}`),
  )
  expect(lines.at(-1)).toBe('"Total of 2,345 matching",,,,"2,814,001,172.50",')
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

it('speaks the language of the person who asked', async () => {
  const { lines } = await written(
    { filters: { orderNo: 'LO00001' }, columns: ['orderStatus', 'whitelisted'] },
    at.boss,
    'zh',
  )
  expect(lines).toEqual(['订单状态,白名单', '待分配,否'])
})

it('user 6: writes only rows within the data rule, and hides from desensitised users what their screen hides', async () => {
  const clerk = await at.kit.person({
    perms,
    nature: 'merchant',
    limit: 'own_merchants',
    merchants: ['M2'],
    sensitive: [],
  })
  const { lines } = await written({}, clerk)
  expect(lines).toHaveLength(Math.floor(orders / 3) + 2)
  expect(lines.at(-1)).toBe('Total of 781 matching,,,,"937,200,390.50",')
  for (const line of lines.slice(1, -1)) expect(line).toMatch(/^LO\d{5},Gr\*+to,25\*{8}31,/)
})

it('asks for both codes when it is asked, when it runs and when the file is fetched', async () => {
  const reader = await at.kit.person({ perms: ['audit:order:export'] })
  expect(await ask({}, reader)).toMatchObject({ code: 40301 })
  const leaver = await at.kit.person({ perms })
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } }, leaver)
  const second = await begun({ filters: { orderNo: 'LO00001' } }, leaver)
  const take = sql`delete from role_menu where role_no = ${`R${leaver.userNo}`} and menu_no = ${`N${leaver.userNo}-1`}`
  await at.kit.db.withTx(tx => tx.exec(take))
  await at.worker.drain()
  expect(await rowOf(second, leaver)).toMatchObject({ exportStatus: 'failed', failReason: 'no_right' })
  expect(await refusal(exportNo, leaver)).toMatchObject({ code: 40301 })
  const again = await at.kit.call(exports.retry, { exportNo: second, version: 2 }, { as: leaver })
  expect(again).toMatchObject({ code: 40301 })
})

it('stops with an error where the owner may not work any more', async () => {
  const leaver = await at.kit.person({ perms })
  const exportNo = await begun({}, leaver)
  await at.kit.db.withTx(tx => left(tx, leaver.userNo))
  await at.worker.drain()
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

it('D13: does not exist for anybody else', async () => {
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } })
  const other = await at.kit.person({ perms })
  expect(await refusal(exportNo, other)).toMatchObject({ code: 40401, data: null })
  expect(await rowOf(exportNo, other)).toBeUndefined()
  for (const command of [exports.cancel, exports.retry])
    expect(await at.kit.call(command, { exportNo, version: 3 }, { as: other })).toMatchObject({ code: 40401 })
})

it('leaves a line in both logs for each fetch', async () => {
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } })
  expect(
    await one(sql<object>`
      select (select count(*)::int from access_log where object_no = ${exportNo} and access_kind = 'download' and user_no = ${at.boss.userNo}) as reads,
        (select count(*)::int from audit_log where object_no = ${exportNo} and action = 'export.download') as lines,
        (select count(*)::int from state_transition where object_no = ${exportNo} and event = 'export.download') as moves`),
  ).toEqual({ reads: 1, lines: 1, moves: 1 })
})

it('lets three run at a time', async () => {
  const eager = await at.kit.person({ perms })
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
  await at.worker.drain()
  expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'failed' } })
  expect(await at.kit.call(exports.retry, { exportNo, version: 2 }, { as: at.boss })).toMatchObject({ code: 0 })
  await at.worker.drain()
  expect((await linesOf(exportNo)).lines).toHaveLength(orders + 2)
})

it('gives up what no job is left to write', async () => {
  const exportNo = await begun()
  await at.kit.db.withTx(tx => tx.exec(sql`update job set state = 'dead' where payload ->> 'exportNo' = ${exportNo}`))
  at.kit.clock.advance(60_000)
  await at.scheduler.runDue()
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'failed', failReason: 'error' })
})

it('tells the person who asked that there is a file, or why there is none; not one who stopped it', async () => {
  const asker = await at.kit.person({ perms })
  const inbox = async () => {
    const { data } = await at.kit.call(message.page, { messageType: 'file' }, { as: asker, language: 'en' })
    return data.list
  }
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } }, asker)
  expect(await inbox()).toMatchObject([
    {
      title: 'Export ready: Orders',
      content: '1 row was written; the file can be downloaded for 24 hours',
      objectNo: exportNo,
      file: { fileName: expect.stringMatching(/^Orders \d{14}\.csv$/), expireTime: expect.any(String) },
    },
  ])
  const stopped = await begun({}, asker)
  await at.kit.call(exports.cancel, { exportNo: stopped, version: 0 }, { as: asker })
  const lost = await begun({}, asker)
  await at.kit.db.withTx(tx => tx.exec(sql`update job set state = 'dead' where payload ->> 'exportNo' = ${lost}`))
  at.kit.clock.advance(60_000)
  await at.scheduler.runDue()
  expect(await inbox()).toMatchObject([
    { title: 'Export failed: Orders', content: 'Something went wrong, try again', objectNo: lost, file: null },
    { objectNo: exportNo },
  ])
})

it('expires after a day, and its file goes', async () => {
  const { exportNo } = await written({ filters: { orderNo: 'LO00001' } })
  const file = path.join(dir, await fileOf(exportNo))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  at.kit.clock.advance(24 * 3_600_000)
  await at.kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
  expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'expired' } })
  await at.scheduler.runDue()
  expect(await rowOf(exportNo)).toMatchObject({ exportStatus: 'expired' })
  await expect.poll(() => readdirSync(dir)).not.toContain(path.basename(file))
  expect(await refusal(exportNo)).toMatchObject({ code: 40901, data: { status: 'expired' } })
})
