export { postbackKeys } from './keys.ts'
