import { tabbed } from '../../../core/engine/list/tabbed.tsx'
import accounts from './accounts.tsx'
import items from './items.tsx'
import jobs from './jobs.tsx'
import journals from './journals.tsx'
import lines from './lines.tsx'
import runs from './runs.tsx'
import trialBalance from './trial-balance.tsx'

/** The finance lead proves every morning that books and channels agree, and clears what does not, line by line. */
export default tabbed([
  { name: 'items', label: 'recon.items', screen: items, counted: true },
  { name: 'runs', label: 'recon.runs', screen: runs },
  { name: 'lines', label: 'recon.lines', screen: lines },
  { name: 'accounts', label: 'recon.accounts', screen: accounts },
  { name: 'journals', label: 'recon.journals', screen: journals },
  { name: 'trial', label: 'recon.trialBalance', screen: trialBalance },
  { name: 'jobs', label: 'recon.jobs', screen: jobs },
])
