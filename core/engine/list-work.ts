/** What a list fetches together when somebody begins to work in it: rows are chosen, columns moved, the table is drawn by the width of its window. */
export { ChosenBar } from './chosen-bar.tsx'
export { ColumnChoice } from './column-choice.tsx'
export { dragHead } from './column-drag.ts'
export { loadRows } from './load-rows.ts'
export { ownPage } from './own-page.ts'
