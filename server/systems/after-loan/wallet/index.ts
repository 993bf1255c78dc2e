export { giveReward, type Reward } from './reward.ts'
export { walletScope } from './wallet-store.ts'
