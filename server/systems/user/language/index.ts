export { addLanguage, isFlag, lockLanguage, move, writeLanguages } from './store.ts'
