import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { recon } = contract

export default facts({
  lists: [
    {
      list: recon.linePage,
      key: 'lineNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
          values ('ST1', 'FA1', '2026-03-01', 0, 0, 0, 0, 'channel', 'hash', 'system', '2026-03-02 03:00Z')`)
        await fixture.exec(sql`
          insert into statement_line (line_no, statement_no, fund_account_no, statement_date, serial_no, direction, line_kind, amount, entry_time, line_status)
          select 'SL' || n % 7 || '-' || n, 'ST1', 'FA1', '2026-03-01', 'MP' || n, (array['in', 'out'])[1 + n % 2], (array['payment', 'fee', 'reversal'])[1 + n % 3], 1000 + n % 4 * 1000,
            timestamptz '2026-03-01 08:00Z' + n % 5 * interval '1 hour', (array['new', 'ignored'])[1 + n % 2] from generate_series(1, 33) n`)
      },
    },
    {
      list: recon.itemPage,
      key: 'reconItemNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into recon_item (recon_item_no, recon_kind, recon_status, channel, fund_account_no, reference, amount, difference, created_time)
          select 'RC' || n % 7 || '-' || n, (array['statement_only_in', 'ledger_only_out', 'duplicate_line'])[1 + n % 3], (array['open', 'explained'])[1 + n % 2], 'mtn_momo', 'FA1', 'MP' || n,
            1000 + n % 4 * 1000, n % 4 * 1000 - 2000, timestamptz '2026-03-01 08:00Z' - n % 5 * interval '1 day' from generate_series(1, 33) n`)
      },
    },
    {
      list: recon.runPage,
      key: 'reconNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`
          insert into recon_run (recon_no, fund_account_no, recon_date, opening_ledger, closing_ledger, recon_result, run_time)
          select 'RR' || n % 7 || '-' || n, 'FA1', date '2026-01-01' + n, 0, n, (array['balanced', 'no_statement'])[1 + n % 2], timestamptz '2026-03-01 08:00Z' from generate_series(1, 33) n`)
      },
    },
  ],
})
