/** What a list fetches together once its rows are shown; none of it is needed before. */
export { ChosenBar } from './chosen-bar.tsx'
export { ColumnChoice } from './column-choice.tsx'
export { dragHead } from './column-drag.ts'
export { ExportButtons } from './export-buttons.tsx'
export { ListTotals } from './list-totals.tsx'
export { loadRows } from './load-rows.ts'
export { ownPage } from './own-page.ts'
export { Views } from './views.tsx'
