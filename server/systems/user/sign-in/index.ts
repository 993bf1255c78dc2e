export { linkHours, makeLink } from './link.ts'
