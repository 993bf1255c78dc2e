export { foldEvents } from './accrue.ts'
export { consume, soldTexts } from './consume.ts'
export { checkPaid, isUsedUp, merchantScope, walletBalance, walletJoin, walletOf } from './wallet.ts'
