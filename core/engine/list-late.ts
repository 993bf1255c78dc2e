/** What a list draws as soon as its rows are there; none of it is needed before. */
export { ExportButtons } from './export-buttons.tsx'
export { ListTotals } from './list-totals.tsx'
export { Views } from './views.tsx'
