export { isMoney } from './mfa-reset.ts'
export { lastLoginOf } from './self.ts'
export { makeLink } from './sign-in-link.ts'
