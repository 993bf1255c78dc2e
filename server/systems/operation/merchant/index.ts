export { checkIntake, checkOpenOrder, type Intake, intakeColumns, noteHits } from './intake-filters.ts'
export { merchantUses } from './merchant-source.ts'
