export { hasReviewed, type Wanted } from './audit-person.ts'
