export { lastLoginOf } from './self.ts'
