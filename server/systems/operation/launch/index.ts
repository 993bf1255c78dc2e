export { broughtBy } from './click.ts'
