export { foldEvents } from './accrue.ts'
export { consume, soldTexts } from './consume.ts'
export { merchantScope, walletBalance, walletOf } from './wallet.ts'
