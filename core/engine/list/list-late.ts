/** What a list draws as soon as its rows are there; none of it is needed before. */
export { ExportButtons } from '../files/export-buttons.tsx'
export { Views } from '../views/views.tsx'
export { ListTotals } from './list-totals.tsx'
