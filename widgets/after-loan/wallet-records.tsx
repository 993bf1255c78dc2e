import { tabbed } from '../../core/engine/list/tabbed.tsx'
import rewards from './wallet/reward-list.tsx'
import withdrawals from './wallet/withdrawal-list.tsx'

/** Finance and customer service see what customers earned as rewards, and what became of the money that they took out. */
export default tabbed([
  { name: 'rewards', label: 'wallet.rewards', screen: rewards },
  { name: 'withdrawals', label: 'wallet.withdrawals', screen: withdrawals },
])
