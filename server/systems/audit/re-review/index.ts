export { followReReview } from './follow.ts'
