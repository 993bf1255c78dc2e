import { ledger } from '../../../core/contract/after-loan/ledger.ts'
import { listScreen } from '../../../core/engine/list/list-screen.ts'

/** Accounts of the ledger whose balance is kept, and what moved them today. */
export default listScreen({
  list: ledger.accounts,
  rowKey: 'accountCode',
  presets: [
    { label: 'recon.ownAccounts', filters: { accountKind: ['bank'] } },
    {
      label: 'recon.inFlight',
      filters: { accountKind: ['payout_in_flight', 'refund_in_flight', 'transfer_in_flight'] },
    },
    { label: 'recon.suspense', filters: { accountKind: ['suspense', 'payout_exception'] } },
  ],
  filters: ['accountCode', 'accountKind'],
  columns: ['accountCode', 'accountKind', 'opening', 'debit', 'credit', 'closing'],
})
