import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { loan } from '../../core/contract/after-loan/loan.ts'
import type { Row } from '../../core/engine/table/columns.ts'
import { otherPayee, payoutPerms } from '../../server/systems/after-loan/payout/payout-fixture.ts'
import { readyFile } from '../../server/testing/ready-file.ts'
import { payoutsForTests } from '../../server/testing/suites.ts'
import { listOf, type Scene, walk, words } from './walk.ts'

const { refusal } = await import('../../core/engine/form/refusal.ts')
const list = listOf((await import('../../widgets/after-loan/loan-code-list.tsx')).default)
const p = await payoutsForTests()
const day = 24 * 3600

const officer = () => p.person({ perms: [...payoutPerms, 'fund:payout:confirm', 'fund:cancelPay'] })
const scene =
  (make: () => Promise<{ loanCode: string }>): Scene =>
  async () => {
    const { loanCode } = await make()
    return { key: loanCode, as: await officer() }
  }
const row = async (loanCode: string, as: Awaited<ReturnType<typeof officer>>): Promise<Row | undefined> =>
  (await p.call(loan.page, { keyword: loanCode }, { as })).data.list[0]

const unclear = async () => {
  const made = await p.approved()
  await p.run()
  await p.pass(60)
  p.clock.advance(3 * day * 1000)
  return made
}
const confirmedBy = async (loanCode: string, as: Awaited<ReturnType<typeof officer>>) => {
  const input = {
    loanCode,
    version: await p.versionOf(loanCode),
    result: 'failure',
    statementDate: '2026-03-04',
  } as const
  const answer = await p.call(loan.confirm, { ...input, evidence: await readyFile(p.db, as.userNo) }, { as })
  expect(answer.code).toBe(0)
}
const askedToCancel = async () => {
  const made = await p.succeeded()
  const version = await p.versionOf(made.loanCode)
  const asked = await p.call(
    loan.cancelPaid,
    { loanCode: made.loanCode, version, reason: 'x' },
    { as: await officer() },
  )
  expect(asked.code).toBe(0)
  return made
}
const thirdPayee = {
  payoutType: 'wallet',
  payoutSubtype: 'mtn',
  walletAccount: '256772000051',
  cardholderName: 'Grace Nakato',
}
const changed = (orderNo: string) =>
  p.db.withTx(tx => tx.exec(sql`update loan_order set wallet_account = ${otherPayee} where order_no = ${orderNo}`))

walk({
  kit: p,
  list,
  row,
  scenes: {
    'to be sent': scene(() => p.approved()),
    'to be sent to a bank': scene(() => p.approved({ bankCardNo: '01234567', verify: 'unavailable' })),
    'just sent': scene(async () => {
      const made = await p.approved()
      await p.run()
      return made
    }),
    'unclear for days': scene(unclear),
    'unclear, confirmed first by the same person': async () => {
      const { loanCode } = await unclear()
      const as = await officer()
      await confirmedBy(loanCode, as)
      return { key: loanCode, as }
    },
    'unclear, confirmed first by somebody else': scene(async () => {
      const made = await unclear()
      await confirmedBy(made.loanCode, await officer())
      return made
    }),
    failed: scene(() => p.failed()),
    'failed for the payee': scene(() => p.failed('payee_invalid')),
    'failed, all attempts used': scene(async () => {
      const made = await p.failed()
      await p.db.withTx(tx =>
        tx.exec(sql`update loan_code set attempt_no = 5, version = version + 1 where loan_code = ${made.loanCode}`),
      )
      return made
    }),
    'failed, another account allowed': scene(async () => {
      const made = await p.failed('payee_invalid')
      const version = await p.versionOf(made.loanCode)
      const allowed = await p.call(loan.allowReWithdraw, { orderNo: made.orderNo, version }, { as: await officer() })
      expect(allowed.code).toBe(0)
      return made
    }),
    'failed, payee corrected': scene(async () => {
      const made = await p.failed('payee_invalid')
      await changed(made.orderNo)
      return made
    }),
    'failed, payee not the customer': scene(async () => {
      const made = await p.failed('payee_invalid')
      await p.db.withTx(tx =>
        tx.exec(sql`update loan_code set verify_result = 'failed' where loan_code = ${made.loanCode}`),
      )
      return made
    }),
    'unclear, payee changed by the same person': async () => {
      const as = await officer()
      const made = await p.failed('payee_invalid')
      await p.corrected(made.loanCode, { walletAccount: otherPayee }, as)
      const version = await p.versionOf(made.loanCode)
      const { loanCode } = (await p.call(loan.recreate, { loanCode: made.loanCode, version }, { as })).data
      await p.run()
      p.clock.advance(3600 * 1000)
      await p.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}`))
      return { key: loanCode, as }
    },
    'failed, another payee asked for': scene(async () => {
      const made = await p.failed('payee_invalid')
      await p.correct(made.loanCode, { walletAccount: otherPayee }, await officer())
      return made
    }),
    'paid out': scene(() => p.succeeded()),
    'paid out, cancelling asked for': scene(askedToCancel),
    'paid out days ago': scene(async () => {
      const made = await p.succeeded()
      p.clock.advance(4 * day * 1000)
      return made
    }),
    cancelled: scene(async () => {
      const made = await p.failed()
      await p.call(loan.cancel, { loanCodes: [made.loanCode], reason: 'test' }, { as: await officer() })
      return made
    }),
  },
  answers: async (command, row, as) => {
    const evidence = () => readyFile(p.db, as.userNo)
    if (command === loan.markChecked) return { evidence: await evidence() }
    if (command === loan.confirm)
      return { evidence: await evidence(), result: 'failure', statementDate: '2026-03-04', serialNo: undefined }
    if (command === loan.userInfo)
      return { loanCode: row.loanCode, version: row.version, ...thirdPayee, evidence: await evidence() }
    if (command === loan.retry) return { accountChecked: true }
    return command === loan.channel ? { fundAccountNo: 'FA1' } : {}
  },
})

it('says in the row what the server says', async () => {
  const as = await officer()
  const { loanCode, orderNo } = await p.failed('payee_invalid')
  await changed(orderNo)
  const replay = list.actions.row.find(action => 'run' in action && action.run === loan.retry)
  const refused = await p.call(loan.retry, { loanCodes: [loanCode], accountChecked: true }, { as })
  expect(refusal(words, replay as never, (await row(loanCode, as)) as Row)).toBe(refused.data.rows[0]?.msg)
})
