import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine } from '../../tests/databases.ts'
import type { Database, Tx } from '../db/database.ts'
import { historyTables } from '../db/roles.ts'
import { system } from '../rights/actor.ts'
import { anchorSealer } from '../session/anchor.ts'
import { anchorAudit } from '../systems/common/audit-chain.ts'
import { account, lockedBalance, type Posting, post, reverse } from './ledger.ts'

const actor = system('a request')
const received = (flowNo: string, amount = '500.00'): Posting => ({
  code: 'P3',
  cause: `repay_flow:${flowNo}`,
  valueDate: '2026-03-01',
  keys: { flowNo },
  lines: [
    { account: account.bank('FA1'), amount },
    { account: account.suspense(flowNo), amount: `-${amount}` as never },
  ],
})
const journal = (no: number, o: { reverses?: number; code?: string; of?: string; date?: string } = {}) => sql`
  insert into journal (journal_no, posting_code, business_date, value_date, posted_time, cause, request_id, actor, reverses_journal_no, reversed_posting_code)
  values (${no}, ${o.code ?? 'P3'}, '2026-03-02', ${o.date ?? '2026-03-01'}, now(), 'repay_flow:FL', 'r', 'x', ${o.reverses ?? null}, ${o.of ?? null})`
const line = (no: number, name: string, amount: number, flowNo: string | null = null) => sql`
  insert into journal_line (journal_no, account_code, amount, flow_no) values (${no}, ${name}, ${amount}, ${flowNo})`

/** A column of a table of history, where none is called actor. */
const columns: Record<string, string> = {
  journal_line: 'account_code',
  access_log: 'field',
  audit_chain: 'hash',
  audit_anchor: 'hash',
  ledger_day: 'merchant_no',
  order_day: 'merchant_no',
  staff_day: 'user_no',
}

onEachEngine(
  'the ledger',
  open => {
    let db: Database
    let first: number
    const write = (fn: (tx: Tx) => Promise<unknown>) => db.withTx(fn)
    const book = async (flowNo: string): Promise<number> =>
      (await db.withTx(tx => post(tx, received(flowNo), actor))) as number
    const balance = (code: string) => db.withTx(tx => lockedBalance(tx, code))

    beforeAll(async () => {
      db = await open()
      first = await book('FL1')
      await write(async tx => {
        const at = { at: tx.now, requestId: 'r', actor: 'x' }
        tx.append('stateTransition', {
          machine: 'M31',
          objectNo: 'FL1',
          event: 'e',
          fromState: 'a',
          toState: 'b',
          ...at,
        })
        tx.append('auditLog', { action: 'a', objectType: 'flow', objectNo: 'FL1', actorName: 'X', ...at })
        tx.append('accessLog', {
          userNo: 'x',
          accessKind: 'search',
          objectType: 'flow',
          objectNo: 'FL1',
          field: 'f',
          at: tx.now,
          requestId: 'r',
        })
        tx.append('ledgerDay', {
          businessDate: tx.today,
          valueDate: tx.today,
          postingCode: 'P3',
          reversal: false,
          accountKind: 'bank',
          merchantNo: 'M1',
          debit: '5.00',
          credit: '0.00',
          journals: 1,
        })
        const day = { businessDate: tx.today, merchantNo: 'M1' }
        const owed = { principal: '5.00', interest: '0.00', fee: '0.00', penalty: '0.00' }
        const late = { overdueDays: 0, originalOverdueDays: 0, extended: false, orderStatus: 'settled' }
        const order = {
          orderNo: 'LO1',
          productNo: 'P1',
          loanKind: 'first',
          track: 'case',
          appName: 'A',
          customerNo: 'CU1',
        }
        tx.append('orderDay', { ...day, ...order, ...late, ...owed })
        const { merchantNo: principalMerchantNo, businessDate } = day
        const staff = { businessDate, userNo: 'x', staffType: 'auditor', metricKey: 'A04', value: '1.00' }
        tx.append('staffDay', { ...staff, deptNo: 'D1', principalMerchantNo })
        await anchorAudit(tx, anchorSealer(Buffer.alloc(32)), tx.today)
      })
    })

    describe.each(historyTables)('%s', table => {
      it.each([
        ['changed', sql`update ${sql.table(table)} set ${sql.ref(columns[table] ?? 'actor')} = 'y'`],
        ['removed', sql`delete from ${sql.table(table)}`],
        ['emptied', sql`truncate ${sql.table(table)} cascade`],
      ])('is not %s', async (_, statement) => {
        await expect(write(tx => tx.exec(statement))).rejects.toThrow(/are never (changed|removed)/)
        expect(await db.read(tx => tx.rows(sql`select 1 from ${sql.table(table)}`))).not.toEqual([])
      })
    })

    it.each<[string, (tx: Tx) => Promise<unknown>, RegExp]>([
      [
        'that does not balance',
        async tx => [await tx.exec(journal(-1)), await tx.exec(line(-1, 'bank:FA1', 5))],
        /does not balance/,
      ],
      ['without lines', tx => tx.exec(journal(-2)), /has no lines/],
      [
        'that takes back and does not say what',
        async tx => [
          await tx.exec(journal(-3, { code: 'P-REV' })),
          await tx.exec(line(-3, 'bank:FA1', 5)),
          await tx.exec(line(-3, 'suspense:FL1', -5)),
        ],
        /not what/,
      ],
      [
        'to which a line is added later',
        async tx => [await tx.exec(line(first, 'bank:FA1', 5)), await tx.exec(line(first, 'suspense:FL1', -5))],
        /is closed/,
      ],
    ])('commits no journal %s', async (_, fn, why) => {
      await expect(write(fn)).rejects.toThrow(why)
    })

    it.each<[string, Parameters<typeof journal>[1], [string, number, string | null][], RegExp]>([
      [
        'with other amounts',
        {},
        [
          ['bank:FA1', -400, 'FL1'],
          ['suspense:FL1', 400, 'FL1'],
        ],
        /does not mirror/,
      ],
      [
        'to another account',
        {},
        [
          ['bank:FA2', -500, 'FL1'],
          ['suspense:FL1', 500, 'FL1'],
        ],
        /does not mirror/,
      ],
      [
        'under other keys',
        {},
        [
          ['bank:FA1', -500, 'FL9'],
          ['suspense:FL1', 500, 'FL1'],
        ],
        /does not mirror/,
      ],
      [
        'in parts',
        {},
        [
          ['bank:FA1', -250, 'FL1'],
          ['bank:FA1', -250, 'FL1'],
          ['suspense:FL1', 500, 'FL1'],
        ],
        /does not mirror/,
      ],
      [
        'the same way once more',
        {},
        [
          ['bank:FA1', 500, 'FL1'],
          ['suspense:FL1', -500, 'FL1'],
        ],
        /does not mirror/,
      ],
      [
        'on another value date',
        { date: '2026-03-02' },
        [
          ['bank:FA1', -500, 'FL1'],
          ['suspense:FL1', 500, 'FL1'],
        ],
        /does not mirror/,
      ],
      [
        'as another posting',
        { of: 'P4' },
        [
          ['bank:FA1', -500, 'FL1'],
          ['suspense:FL1', 500, 'FL1'],
        ],
        /does not mirror/,
      ],
      [
        'under a code of its own',
        { code: 'P3' },
        [
          ['bank:FA1', -500, 'FL1'],
          ['suspense:FL1', 500, 'FL1'],
        ],
        /does not mirror/,
      ],
    ])('commits no reversal %s', async (_, o, lines, why) => {
      const taken = write(async tx => {
        await tx.exec(journal(-9, { reverses: first, code: 'P-REV', of: 'P3', ...o }))
        for (const [name, amount, flowNo] of lines) await tx.exec(line(-9, name, amount, flowNo))
      })
      await expect(taken).rejects.toThrow(why)
    })

    it('takes a journal back exactly, on its value date and under its code', async () => {
      const no = await book('FL2')
      const back = await db.withTx(tx => reverse(tx, no, 'repay_flow:FL2', actor))
      expect(
        await db.read(tx =>
          tx.one(
            sql`select posting_code, value_date, reverses_journal_no, reversed_posting_code from journal where journal_no = ${back}`,
          ),
        ),
      ).toEqual({
        postingCode: 'P-REV',
        valueDate: '2026-03-01',
        reversesJournalNo: no,
        reversedPostingCode: 'P3',
      })
      expect(await balance('suspense:FL2')).toBe('0.00')
    })

    it('takes nothing back twice, nor a reversal', async () => {
      const no = await book('FL3')
      const back = (await db.withTx(tx => reverse(tx, no, 'repay_flow:FL3', actor))) as number
      await expect(write(tx => reverse(tx, no, 'repay_flow:FL3', actor))).rejects.toThrow(/was taken back before/)
      await expect(write(tx => reverse(tx, back, 'repay_flow:FL3', actor))).rejects.toThrow(/is a reversal/)
      expect(await balance('suspense:FL3')).toBe('0.00')
    })

    it('takes a journal back once when two do it at the same time', async () => {
      const no = await book('FL4')
      const both = await Promise.allSettled(
        [1, 2, 3, 4].map(() => write(tx => reverse(tx, no, 'repay_flow:FL4', actor))),
      )
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await balance('suspense:FL4')).toBe('0.00')
    })

    it('writes nothing of a posting that its declaration refuses', async () => {
      const before = await balance('bank:FA1')
      const wrong: [Partial<Posting>, RegExp][] = [
        [{ code: 'P4' }, /does not debit bank/],
        [{ keys: {} }, /bank:FA1 has no flowNo/],
        [{ keys: { flowNo: 'FL9' } }, /is not of the flowNo FL9/],
        [{ valueDate: undefined }, /has no value date/],
        [{ valueDate: '2999-01-01' }, /has not come/],
        [{ lines: [{ account: account.bank('FA1'), amount: '5.00' }] }, /does not balance/],
        [
          {
            lines: [
              { account: 'pocket', amount: '5.00' },
              { account: account.bank('FA1'), amount: '-5.00' },
            ],
          },
          /there is no account pocket/,
        ],
      ]
      for (const [part, why] of wrong)
        await expect(write(tx => post(tx, { ...received('FL5'), ...part }, actor))).rejects.toThrow(why)
      expect(await balance('bank:FA1')).toBe(before)
      expect(await db.withTx(tx => post(tx, received('FL5', '0.00'), actor))).toBeNull()
    })
  },
  { handmade: true },
)
