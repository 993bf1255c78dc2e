export { keepCollected } from './keep.ts'
