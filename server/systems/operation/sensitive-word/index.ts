export { checkText, hitsIn, type Written } from './guard.ts'
