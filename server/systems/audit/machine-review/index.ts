export { reviewQueue } from './incomplete.ts'
