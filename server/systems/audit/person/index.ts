export { hasReviewed, peopleScope, type Wanted } from './audit-person.ts'
