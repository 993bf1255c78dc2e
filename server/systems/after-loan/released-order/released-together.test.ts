import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { header, importKit } from '../../../files/imports/import-fixture.ts'

const at = await importKit()
const { p, previewed, ran, unclear, rows } = at

type Made = { loanCode: string; orderNo: string }
const fileOf = (...lines: (string | undefined)[][]) => [header, ...lines.map(cells => cells.join(','))].join('\n')
const paid = ({ loanCode, orderNo }: Made, serialNo = `SN-${loanCode}`) => [
  loanCode,
  orderNo,
  'success',
  serialNo,
  '2026-03-02 12:00',
  '',
  '',
]
/** What a row of a file leaves behind, without its numbers and times. */
const leftBy = async ({ loanCode }: Made) => ({
  record: await rows(sql<object>`
    select confirm_status, result, serial_no, statement_date, first_by, first_name, fail_reason, version from loan_code_confirm where parent_no = ${loanCode}`),
  moves: await rows(sql<object>`
    select event, from_state, to_state, actor from state_transition where machine = 'M23'
      and object_no = (select confirm_no from loan_code_confirm where parent_no = ${loanCode}) order by transition_no`),
  audit: await rows(sql<object>`
    select action, actor, order_no, before, after - 'importNo' - 'rowNo' as after from audit_log where object_no = ${loanCode} order by audit_no`),
  code: await rows(sql<object>`select version, loan_code_status from loan_code where loan_code = ${loanCode}`),
})

describe('rows of a file that are taken in together', () => {
  it('leave what each would leave by itself', async () => {
    const [first, second, alone] = (await unclear(3)) as [Made, Made, Made]
    const taken = async (...made: Made[]) => {
      const { job } = await previewed(fileOf(...made.map(one => paid(one))))
      const { job: ended } = await ran(job.importNo)
      expect(ended).toMatchObject({ importStatus: 'success', okCount: made.length })
    }
    await taken(alone)
    await taken(first, second)
    const renamed = async (made: Made) =>
      JSON.parse(
        JSON.stringify(await leftBy(made))
          .replaceAll(made.loanCode, 'CODE')
          .replaceAll(made.orderNo, 'ORDER'),
      )
    const expected = await renamed(alone)
    expect(expected.moves).toHaveLength(2)
    expect(await renamed(first)).toEqual(expected)
    expect(await renamed(second)).toEqual(expected)
    expect(await at.broken()).toEqual([])
  })

  it('leave those that are wrong, or depend on another, to be refused each with its own words', async () => {
    const made = (await unclear(5)) as Made[]
    const [order, twice, again, changed, also] = made as [Made, Made, Made, Made, Made]
    await p.db.withTx(tx =>
      tx.exec(sql`
        insert into order_payout_history (order_no, changed_time, changed_by, payout_type, payout_subtype, cardholder_name)
        values (${changed.orderNo}, ${tx.now}, ${at.who().maker.userNo}, 'wallet', 'mtn', 'Grace Nakato')`),
    )
    const file = fileOf(
      paid({ ...order, orderNo: 'LO9' }),
      paid(twice, 'S1'),
      paid(again, 'S1'),
      paid(changed),
      ['LC-NONE', 'LO-NONE', 'success', 'S9', '2026-03-02 12:00', '', ''],
      [also.loanCode, also.orderNo, 'failed', '', '', '', 'account closed'],
    )
    const { job, messages } = await previewed(file)
    expect(job).toMatchObject({ validCount: 3, wrongCount: 3 })
    expect(messages.map(({ rowKey, messages: said }) => [rowKey, said[0]?.words])).toEqual([
      [order.loanCode, `This is not the order of loan code ${order.loanCode}`],
      [changed.loanCode, expect.stringContaining('payee')],
      ['LC-NONE', 'Record not found'],
    ])
    const { job: ended, messages: refused } = await ran(job.importNo)
    expect(ended).toMatchObject({ importStatus: 'partial', okCount: 2, failCount: 4 })
    expect(refused.find(({ rowKey }) => rowKey === again.loanCode)?.messages).toEqual([
      { column: 'serialNo', words: `The serial number is already used by ${twice.loanCode}` },
    ])
    expect(
      await rows(
        sql`select parent_no, result from loan_code_confirm where import_no = ${job.importNo} order by parent_no`,
      ),
    ).toEqual(
      [
        { parentNo: twice.loanCode, result: 'success' },
        { parentNo: also.loanCode, result: 'failure' },
      ].sort((a, b) => (a.parentNo < b.parentNo ? -1 : 1)),
    )
    expect(await at.broken()).toEqual([])
  })
})
