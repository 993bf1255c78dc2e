/** What a list fetches together when somebody begins to work in it: rows are chosen, columns moved, the table is drawn by the width of its window. */

export { ColumnChoice } from '../table/column-choice.tsx'
export { dragHead } from '../table/column-drag.ts'
export { ChosenBar } from './chosen/chosen-bar.tsx'
export { loadRows } from './load-rows.ts'
export { ownPage } from './own-page.ts'
