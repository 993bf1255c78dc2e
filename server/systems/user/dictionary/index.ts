export { usedCount, usesOf } from './values.ts'
export { publishedWords } from './words.ts'
