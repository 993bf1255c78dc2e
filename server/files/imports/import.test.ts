import { readdirSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { imports } from '../../../core/contract/common/imports.ts'
import { base } from '../../../core/contract/endpoint.ts'
import { message } from '../../../core/contract/portal/message.ts'
import { paid } from '../../systems/after-loan/payout/payout-fixture.ts'
import { header, importKit, makerPerms } from './import-fixture.ts'
import { archived, textRows, workbook } from './read/workbook-fixture.ts'

const at = await importKit()
const { p, bring, previewed, ran, detail, decide, resultOf, refusal, unclear, rows, statusOf } = at

const paidRow = ({ loanCode, orderNo }: { loanCode: string; orderNo: string }, serialNo = `SN-${loanCode}`) =>
  `${loanCode},${orderNo},success,${serialNo},2026-03-02 12:00,,`

it('takes a file in: preview, confirmation, result, message', async () => {
  const [one, two, three] = await unclear(3)
  const file = [header, paidRow(one!), paidRow(two!), 'LC-none,LO-none,success,S1,2026-03-02 12:00,,', paidRow(one!)]
  const preview = await previewed(file.join('\n'))
  expect(preview.job).toMatchObject({
    importStatus: 'preview',
    rowCount: 4,
    rowsDone: 4,
    validCount: 2,
    wrongCount: 1,
    duplicateCount: 1,
    okCount: 0,
    fileSize: null,
  })
  expect(preview.messages).toEqual([
    {
      rowNo: 4,
      rowKey: 'LC-none',
      rowStatus: 'wrong',
      messages: [{ column: null, words: 'Record not found' }],
    },
    {
      rowNo: 5,
      rowKey: one!.loanCode,
      rowStatus: 'duplicate',
      messages: [{ column: 'loanCode', words: 'Duplicate of row 2' }],
    },
  ])
  expect(await rows(sql`select 1 from loan_code_confirm`)).toEqual([])

  const { job } = await ran(preview.job.importNo)
  expect(job).toMatchObject({ importStatus: 'partial', okCount: 2, failCount: 2, rowsDone: 2 })
  expect(await resultOf(job.importNo)).toEqual([
    'Row,Outcome,Message,Loan code,Order no.,Result,Serial no.,Payout time,Amount,Failure reason',
    `2,Imported,,${one!.loanCode},${one!.orderNo},success,SN-${one!.loanCode},2026-03-02 12:00,,`,
    `3,Imported,,${two!.loanCode},${two!.orderNo},success,SN-${two!.loanCode},2026-03-02 12:00,,`,
    '4,Wrong,Record not found,LC-none,LO-none,success,S1,2026-03-02 12:00,,',
    `5,Duplicate,Loan code: Duplicate of row 2,${one!.loanCode},${one!.orderNo},success,SN-${one!.loanCode},2026-03-02 12:00,,`,
  ])
  const { data } = await p.call(message.page, { messageType: 'file' }, { as: at.who().maker })
  expect(data.list).toMatchObject([
    {
      title: 'Import finished: released.csv',
      objectNo: job.importNo,
      file: { fileName: 'released result.csv', expireTime: job.expireTime },
      content: expect.stringContaining('Import success 2, failed 2'),
    },
  ])
  expect(await p.stateOf(three!)).toEqual(['remitting', 'remitting'])
  expect(await at.broken()).toEqual([])
})

it('takes a workbook in, with its header in another language', async () => {
  const [one] = await unclear(1)
  const book = workbook(
    textRows([
      ['放款码*', '结果', '订单号', '流水号', '放款时间', '备用'],
      [one!.loanCode, '成功', one!.orderNo, 'SN1', '2026-03-02 12:00', 'x'],
    ]),
  )
  const preview = await previewed(archived(book), { fileName: 'released.xlsx' })
  expect(preview).toMatchObject({ job: { validCount: 1 }, ignored: ['备用'] })
  expect((await ran(preview.job.importNo)).job).toMatchObject({ importStatus: 'success', okCount: 1, failCount: 0 })
  const answer = await at.fetched(preview.job.importNo)
  expect(answer.headers.get('content-type')).toMatch(/spreadsheetml\.sheet$/)
  expect(answer.headers.get('content-disposition')).toContain('filename="released result.xlsx"')
})

it.each([
  ['no rows', `${header}\n# only a note,,,\n`, 'The file has no rows'],
  ['no header', 'LC1,LO1,success', 'The header lacks: Loan code, Order no., Result'],
  ['a column twice', `${header},Loan code\n`, 'The header names twice: Loan code'],
  ['no row that can be taken in', `${header}\nLC1,LO1,perhaps,,,,`, 'No row can be imported'],
  ['bytes of no text', Buffer.from('a\0b'), 'The encoding of the file is not supported: save it as UTF-8'],
  ['an open quote', `${header}\n"LC1,LO1`, 'A quote in row 2 is misplaced or never closed'],
])('ends with words where the file has %s', async (_, content, words) => {
  const { job } = await previewed(content)
  expect(job).toMatchObject({ importStatus: 'failure', failReason: words, okCount: 0 })
  expect(await decide(imports.confirm, job.importNo)).toMatchObject({ code: 40901 })
  const { data } = await p.call(message.page, { messageType: 'file' }, { as: at.who().maker })
  expect(data.list).toMatchObject([{ title: 'Import failed: released.csv', content: expect.stringContaining(words) }])
  expect(await at.broken()).toEqual([])
})

it('says what was wrong in a result even where nothing could be confirmed', async () => {
  const { job } = await previewed(`${header}\n=1+1,LO1,perhaps,,,,`)
  expect(await resultOf(job.importNo)).toMatchObject([
    expect.any(String),
    "2,Wrong,Result: Please enter a correct value,'=1+1,LO1,perhaps,,,,",
  ])
})

it('speaks the language of the reader', async () => {
  const { job } = await previewed(`${header}\nLC1,LO1,success,,,,`)
  expect((await detail(job.importNo, at.who().maker, 'zh')).job.failReason).toBe('没有可导入的行')
  expect((await detail(job.importNo, at.who().maker, 'sw')).messages[0]?.messages[0]?.words).not.toMatch(/record|记录/)
})

it('refuses what is no table by its name', async () => {
  expect(await bring('x', { fileName: 'released.xlsm' })).toMatchObject({
    code: 40001,
    data: { fields: [{ path: 'uploadNo' }] },
  })
  expect(await rows(sql`select 1 from import_job`)).toEqual([])
})

it('asks before the same file is taken in again within a day, by any person', async () => {
  const [one] = await unclear(1)
  const file = `${header}\n${paidRow(one!)}`
  expect(await bring(file)).toMatchObject({ code: 0 })
  const other = await p.person({ perms: makerPerms })
  expect(await bring(file, { as: other })).toMatchObject({
    code: 40002,
    msg: expect.stringContaining('Finance One'),
    data: { confirm: ['confirmDuplicate'] },
  })
  expect(await bring(file, { as: other, confirmDuplicate: true })).toMatchObject({ code: 0 })
  await at.pass(24 * 60 + 31)
  await at.tidied()
  expect(await bring(file)).toMatchObject({ code: 0 })
})

it('does not ask again about a file that came to nothing', async () => {
  const file = `${header}\nLC1,LO1,perhaps,,,,`
  await previewed(file)
  expect(await bring(file)).toMatchObject({ code: 0 })
})

it('is confirmed only by the person who brought it, within half an hour, once', async () => {
  const [one] = await unclear(1)
  const { job } = await previewed(`${header}\n${paidRow(one!)}`)
  const { importNo, version } = job
  const other = await p.person({ perms: makerPerms })
  for (const command of [imports.confirm, imports.cancel])
    expect(await p.call(command, { importNo, version }, { as: other })).toMatchObject({ code: 40401 })
  expect(await p.call(imports.detail, { importNo }, { as: other })).toMatchObject({ code: 40401 })
  await at.pass(30)
  expect(await p.call(imports.confirm, { importNo, version }, { as: at.who().maker })).toMatchObject({
    code: 40901,
    data: { status: 'cancelled' },
  })
  await at.tidied()
  expect(await statusOf(importNo)).toBe('cancelled')
  expect(await rows(sql`select cells from import_row where cells is not null`)).toEqual([])
})

it('is confirmed at once or never: two presses run it once', async () => {
  const [one] = await unclear(1)
  const { job } = await previewed(`${header}\n${paidRow(one!)}`)
  const { importNo, version } = job
  const press = () => p.call(imports.confirm, { importNo, version }, { as: at.who().maker })
  expect((await Promise.all([press(), press()])).map(({ code }) => code).sort()).toEqual([0, 40902])
  await at.worker.drain()
  expect((await detail(importNo)).job).toMatchObject({ importStatus: 'success', okCount: 1 })
})

it('is cancelled from its preview and leaves nothing', async () => {
  const [one] = await unclear(1)
  const { job } = await previewed(`${header}\n${paidRow(one!)}`)
  expect(await decide(imports.cancel, job.importNo)).toMatchObject({ code: 0, data: { importStatus: 'cancelled' } })
  await at.worker.drain()
  expect(await rows(sql`select 1 from loan_code_confirm`)).toEqual([])
  await expect.poll(() => readdirSync(path.join(at.dir, 'imports')).filter(name => name.endsWith('.rows'))).toEqual([])
  expect(await refusal(job.importNo)).toMatchObject({ code: 40401 })
  expect(await decide(imports.cancel, job.importNo)).toMatchObject({ code: 40901 })
})

it('asks for the code when it is brought, looked at, confirmed, run and fetched', async () => {
  const reader = await p.person({ perms: ['fund:payout:page'] })
  expect(await bring(header, { as: reader })).toMatchObject({ code: 40301 })
  const [one, two] = await unclear(2)
  const leaver = await p.person({ perms: makerPerms })
  const file = `${header}\n${paidRow(one!)}\n${paidRow(two!)}`
  const { job } = await previewed(file, { as: leaver })
  expect(await decide(imports.confirm, job.importNo, leaver)).toMatchObject({ code: 0 })
  const late = (await bring(`${file}\n`, { as: leaver })).data.importNo
  const take = sql`delete from role_menu where role_no = ${`R${leaver.userNo}`} and menu_no = ${`N${leaver.userNo}-1`}`
  await p.db.withTx(tx => tx.exec(take))
  await at.worker.drain()
  expect((await detail(job.importNo, leaver)).job).toMatchObject({ importStatus: 'failure', okCount: 0, failCount: 2 })
  expect((await detail(late, leaver)).job).toMatchObject({ failReason: 'You have no permission to import' })
  expect(await refusal(job.importNo, leaver)).toMatchObject({ code: 40301 })
  expect(await rows(sql`select 1 from loan_code_confirm where confirm_status = 'first_confirmed'`)).toEqual([])
  expect(await at.broken()).toEqual([])
})

it('lets three be under way at a time', async () => {
  const eager = await p.person({ perms: makerPerms })
  for (let n = 0; n < 3; n++) expect(await bring(`${header}\n${n}`, { as: eager })).toMatchObject({ code: 0 })
  expect(await bring(header, { as: eager })).toMatchObject({ code: 41001 })
})

it('keeps a result that nobody is asked about for a day, and a line of each fetch', async () => {
  const [one] = await unclear(1)
  const { job } = await previewed(`${header}\n${paidRow(one!)}`)
  p.queries.push(paid({ serialNo: 'NET1' }))
  await p.tick('attempt.query')
  await p.run()
  expect((await ran(job.importNo)).job).toMatchObject({ importStatus: 'failure', okCount: 0, failCount: 1 })
  await resultOf(job.importNo)
  expect(await rows(sql`select access_kind, user_no from access_log where object_no = ${job.importNo}`)).toEqual([
    { accessKind: 'download', userNo: at.who().maker.userNo },
  ])
  const [{ fileId } = { fileId: '' }] = await rows(
    sql<{ fileId: string }>`select file_id from import_job where import_no = ${job.importNo}`,
  )
  expect(readdirSync(path.join(at.dir, 'imports'))).toContain(fileId)
  const other = await p.person({ perms: makerPerms })
  expect(await refusal(job.importNo, other)).toMatchObject({ code: 40401 })
  await at.pass(24 * 60)
  expect(await refusal(job.importNo)).toMatchObject({ code: 40401 })
  await at.tidied()
  expect((await detail(job.importNo)).job).toMatchObject({ importStatus: 'failure', fileSize: null })
  const { data } = await p.call(message.page, { messageType: 'file' }, { as: at.who().maker })
  expect(data.list).toMatchObject([{ objectNo: job.importNo, file: null }])
  await expect.poll(() => readdirSync(path.join(at.dir, 'imports'))).not.toContain(fileId)
  expect(await at.broken()).toEqual([])
})

it('hands a template out in the language of the caller', async () => {
  const get = (exportFormat: string, language: string) =>
    p.app.request(`${base}/payManage/loan/import/template?exportFormat=${exportFormat}`, {
      headers: { token: at.who().maker.token, language },
    })
  const [first, hints, example] = (await (await get('csv', 'sw')).text()).split('\r\n')
  expect(first).toBe(
    'Namba ya utoaji*,Namba ya ombi*,Matokeo*,Namba ya mtoa huduma,Muda wa kutoa mkopo,Kiasi,Sababu ya kushindwa',
  )
  expect(hints).toMatch(/^# lazima,/)
  expect(example).toMatch(/^# LC/)
  const book = await get('xlsx', 'zh')
  expect(book.headers.get('content-disposition')).toContain(encodeURIComponent('放款结果.xlsx'))
  const preview = await previewed(Buffer.from(await book.arrayBuffer()), { fileName: 't.xlsx' })
  expect(preview.job.failReason).toBe('The file has no rows')
})
