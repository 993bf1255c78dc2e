import { tabbed } from '../../core/engine/list/tabbed.tsx'
import files from './bank-file/bank-files.tsx'
import codes from './loan-code-list.tsx'

/** Payout officers see that approved loans leave, find those that hang, repair those that failed, and never pay twice. */
export default tabbed([
  { name: 'codes', label: 'afterLoan.payoutList', screen: codes },
  { name: 'files', label: 'afterLoan.bankFiles', screen: files },
])
