export { optionChoices } from './options.ts'
