import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { ledger } = contract
const about = 'is about the books of the company; journals are shown to who sees the merchants of all their lines'

export default facts({
  lists: [
    {
      list: ledger.accounts,
      key: 'accountCode',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into ledger_balance (account_code, balance) select (array['suspense', 'wallet'])[1 + n % 2] || ':ZZ' || n, 0 from generate_series(1, 33) n`)
      },
    },
    {
      list: ledger.journals,
      key: 'journalNo',
      of: 'company',
      means: {
        accountKind: (row, kind: string) =>
          (row.accountCodes as string[]).some(code => code === kind || code.startsWith(`${kind}:`)),
        accountCode: (row, code: string) => (row.accountCodes as string[]).includes(code),
        flowNo: (row, no: string) => (row.flowNos as string[]).includes(no),
        loanCode: (row, no: string) => (row.loanCodes as string[]).includes(no),
        refundNo: (row, no: string) => row.cause === `refund:${no}`,
        reversed: (row, is: boolean) => (row.reversedBy !== null) === is,
      },
      holds: {
        key: 'journalNo',
        query: sql`select j.journal_no::text as journal_no, array(select l.flow_no from journal_line l where l.journal_no = j.journal_no and l.flow_no is not null) as flow_nos,
          array(select l.loan_code from journal_line l where l.journal_no = j.journal_no and l.loan_code is not null) as loan_codes from journal j`,
      },
    },
    {
      list: ledger.trialAccounts,
      key: 'accountCode',
      of: 'company',
      means: { period: () => true, basis: () => true },
    },
  ],
  calls: [
    { call: ledger.accounts, about },
    { call: ledger.journals, about },
    { call: ledger.trialBalance, about },
    { call: ledger.trialAccounts, about },
    { call: ledger.journal, about },
  ],
})
