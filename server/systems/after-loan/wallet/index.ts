export { giveReward, type Reward, takeBackReward } from './reward.ts'
export { walletScope } from './wallet-store.ts'
