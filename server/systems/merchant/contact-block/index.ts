export { checkAhead, checkMerchant, contactsOf, endAgreed } from './commands.ts'
export { type Asked, contactBlocksOf, type Forbidden, noteStop, type Stopped } from './guard.ts'
export { blockFlaws, blockListSource, holdingsOf, noteSearch } from './list.ts'
export {
  addNumbers,
  type Block,
  type BlockValues,
  blockSeen,
  endBlock,
  findBlock,
  lockBlock,
  putBlock,
} from './store.ts'
