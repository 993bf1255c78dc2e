import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { ExportRow } from '../../../core/contract/common/exports.ts'
import { contract } from '../../../core/contract/contract.ts'
import { base, type Envelope } from '../../../core/contract/endpoint.ts'
import { silentLog } from '../../log.ts'
import type { Module } from '../../module.ts'
import { jobsOf } from '../../run.ts'
import { orderManageModule } from '../../systems/audit/order-list/order-manage.ts'
import { messageModule } from '../../systems/portal/message/message.ts'
import { type Kit, openKit, type Person } from '../../testing/kit.ts'
import { exportModule } from './module.ts'

const { audit, exports } = contract
const exporting = audit.manageList.exporting as NonNullable<typeof audit.manageList.exporting>
export const perms = ['audit:manage:page', 'audit:order:export']
export const orders = 2_345
/** So that the orders fill more than one chunk, and one more than a statement reads. */
export const chunkRows = 2_000

export const columns = ['orderNo', 'customerName', 'phone', 'orderStatus', 'loanAmount', 'applyTime']

/** A server in memory with orders to export, for the tests of one file. */
export const exportKit = () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-exports-'))
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
    const own = exportModule(dir, lists.lists ?? [], { chunkRows })
    const modules = [lists, own, messageModule()]
    queues = own.queues ?? []
    kit = await openKit({ handmade: true, modules })
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

  return {
    dir,
    ask,
    begun,
    rowOf,
    fetched,
    refusal,
    linesOf,
    written,
    one,
    fileOf,
    cancelled,
    get kit() {
      return kit
    },
    get worker() {
      return worker
    },
    get scheduler() {
      return scheduler
    },
    get queues() {
      return queues
    },
    get boss() {
      return boss
    },
  }
}
