export { reviewQueue } from './machine-review.ts'
