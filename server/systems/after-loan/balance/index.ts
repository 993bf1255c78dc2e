export { booksAt, noteBalance } from './entry.ts'
