export { transferReaders, transferScope } from './transfer-store.ts'
