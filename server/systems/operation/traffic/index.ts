export { handedOn, passChannelsOn } from './channels.ts'
export { noteBrought, promoterOf } from './promoter.ts'
